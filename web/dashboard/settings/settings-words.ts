import type { SettingsFacts } from '../../../src/vocabulary/settings-facts';
import type { Mode } from '../../../src/vocabulary/modes';
import { languageName } from '../../words/language-names';
import { tokenName } from '../../words/chain-names';
import { percentOfBps } from '../../words/percent';

export const MODE_NAMES: Readonly<Record<Mode, string>> = { test: 'test mode', live: 'live mode' };

/** Days as people type them, such as `-3, 7`. */
export function daysText(days: readonly number[]): string {
  return days.join(', ');
}

type Entry = readonly [name: string, value: string];

/** All settings in words. */
export function settingsInWords(settings: SettingsFacts): readonly Entry[] {
  const { brand, reminders } = settings;
  const none = 'None';
  return [
    ['Tolerance', `${percentOfBps(settings.payment_tolerance_bps)}%`],
    ['Tokens', settings.enabled_tokens.map(tokenName).join(', ')],
    ['Page after a payment', settings.default_success_url ?? none],
    ['Starting anew at checkout', settings.checkout_restart ? 'Allowed' : 'Not allowed'],
    ['Brand name', brand.name ?? 'The business name'],
    ['Brand colour', brand.color ?? none],
    ['Logo', brand.logo_url ?? none],
    ['Prefix of invoices', settings.invoice_prefix === '' ? none : settings.invoice_prefix],
    ['Reminders', reminders.length === 0 ? none : `${daysText(reminders)} days after the due date`],
    ['Language of mails to customers', languageName(settings.customer_language)],
    ['Time zone', settings.time_zone],
    ['API version', settings.api_version],
  ];
}

/** The settings in which two modes differ. */
export function differencesOf(from: SettingsFacts, to: SettingsFacts) {
  const after = settingsInWords(to);
  return settingsInWords(from)
    .map(([name, value], at) => ({ name, before: value, after: after[at]?.[1] ?? null }))
    .filter(({ before, after: then }) => before !== then);
}
