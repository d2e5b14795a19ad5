import { REMINDER_DAYS, type SettingsChanges } from '../../../src/modules/merchants/merchant-settings';
import type { FormBody } from '../../../src/platform/http/form-body';
import { refuse } from '../../../src/vocabulary/errors';
import { TOKEN_IDS } from '../../../src/vocabulary/tokens';
import { typedPercent, typedText } from '../typed-fields';

const DAY = /^[+-]?\d{1,3}$/;
const INDEX = /\[\d+\]$/;

/** The changes of the form of payments. Throws Refusal invalid_bps. */
export function paymentChangesIn(form: FormBody): SettingsChanges {
  return {
    toleranceBps: typedPercent(form.payment_tolerance_bps, 'payment_tolerance_bps'),
    enabledTokens: TOKEN_IDS.filter(id => form[id] !== undefined),
    defaultSuccessUrl: typedText(form.default_success_url),
    checkoutRestart: form.checkout_restart !== undefined,
  };
}

export function brandChangesIn(form: FormBody): SettingsChanges {
  return {
    brand: {
      name: typedText(form['brand.name']),
      color: typedText(form['brand.color']),
      logo_url: typedText(form['brand.logo_url']),
    },
  };
}

/** Throws Refusal parameter_invalid_integer. */
export function invoiceChangesIn(form: FormBody): SettingsChanges {
  const days = (form.reminders ?? '').split(/[\s,;]+/).filter(text => text !== '');
  if (!days.every(text => DAY.test(text))) throw refuse('parameter_invalid_integer', REMINDERS_FAULT);
  const { invoice_prefix: prefix = '', customer_language: customerLanguage = '' } = form;
  return { invoicePrefix: prefix.trim(), reminders: days.map(Number), customerLanguage };
}

export function generalChangesIn(form: FormBody): SettingsChanges {
  return { timeZone: (form.time_zone ?? '').trim(), apiVersion: form.api_version ?? '' };
}

/** A list is one field of the form. */
export function settingsField(param: string): string {
  return param.replace(INDEX, '');
}

const REMINDERS_FAULT = {
  param: 'reminders',
  message: `Write whole days from ${REMINDER_DAYS.min} to ${REMINDER_DAYS.max}, such as -3, 7.`,
};
