import { isApiVersion, FIRST_API_VERSION, type ApiVersion } from '../../vocabulary/api-versions';
import { characterCount } from '../../vocabulary/characters';
import { CUSTOMER_LANGUAGES, isCustomerLanguage, type CustomerLanguage } from '../../vocabulary/customer-languages';
import { refuse } from '../../vocabulary/errors';
import { checkedLink } from '../../kernel/links';
import { keepsRule, type TextRule } from '../../vocabulary/text-rules';
import { isTokenId, TOKEN_IDS, type TokenId } from '../../vocabulary/tokens';
import type { Brand, SettingsFacts } from '../../vocabulary/settings-facts';

/** 1%: the specification's ceiling. */
export const MAX_TOLERANCE_BPS = 100;
export const BRAND_NAME = { isWritten: true, isOneLine: true, max: 100 } as const satisfies TextRule;

export type MerchantSettings = {
  readonly toleranceBps: number;
  readonly enabledTokens: readonly TokenId[];
  readonly brand: Brand;
  readonly defaultSuccessUrl: string | null;
  readonly apiVersion: ApiVersion;
  /** Whether a customer may start a payment anew that ended without money. */
  readonly checkoutRestart: boolean;
  readonly invoicePrefix: string;
  /** Days after an invoice's due date, ascending; below zero, before it. */
  readonly reminders: readonly number[];
  readonly timeZone: string;
  readonly customerLanguage: CustomerLanguage;
};

/** Every approved token is enabled, and no shortfall is tolerated, until the merchant changes that. */
export const DEFAULT_SETTINGS: MerchantSettings = {
  toleranceBps: 0,
  enabledTokens: TOKEN_IDS,
  brand: { name: null, color: null, logo_url: null },
  defaultSuccessUrl: null,
  apiVersion: FIRST_API_VERSION,
  checkoutRestart: false,
  invoicePrefix: 'INV-',
  reminders: [],
  timeZone: 'UTC',
  customerLanguage: 'en',
};

/** A setting that is left out stays as it is; null takes a value away. */
export type SettingsChanges = {
  readonly toleranceBps?: number;
  readonly enabledTokens?: readonly string[];
  readonly brand?: Partial<Brand>;
  readonly defaultSuccessUrl?: string | null;
  readonly apiVersion?: string;
  readonly checkoutRestart?: boolean;
  readonly invoicePrefix?: string;
  readonly reminders?: readonly number[];
  readonly timeZone?: string;
  readonly customerLanguage?: string;
};

export const BRAND_COLOR = /^#[0-9a-fA-F]{6}$/;
export const INVOICE_PREFIX = /^[A-Za-z0-9._/-]{0,12}$/;
/** The earliest and the latest reminder, in days after the due date. */
export const REMINDER_DAYS = { min: -60, max: 60 };
export const MAX_REMINDERS = 5;
export const MAX_ZONE_LENGTH = 64;

/**
 * All settings after the changes. Throws Refusal invalid_bps, invalid_tolerance, unknown_token or parameter_invalid,
 * naming the field.
 */
export function settingsAfter(changes: SettingsChanges, settings: MerchantSettings): MerchantSettings {
  return {
    toleranceBps: checkedTolerance(changes.toleranceBps ?? settings.toleranceBps),
    enabledTokens: checkedTokens(changes.enabledTokens ?? settings.enabledTokens),
    brand: checkedBrand({ ...settings.brand, ...changes.brand }),
    defaultSuccessUrl:
      changes.defaultSuccessUrl === undefined
        ? settings.defaultSuccessUrl
        : checkedLink('default_success_url', changes.defaultSuccessUrl),
    apiVersion: checkedVersion(changes.apiVersion ?? settings.apiVersion),
    checkoutRestart: changes.checkoutRestart ?? settings.checkoutRestart,
    invoicePrefix: checkedPrefix(changes.invoicePrefix ?? settings.invoicePrefix),
    reminders: checkedReminders(changes.reminders ?? settings.reminders),
    timeZone: checkedZone(changes.timeZone ?? settings.timeZone),
    customerLanguage: checkedLanguage(changes.customerLanguage ?? settings.customerLanguage),
  };
}

export function isSameSettings(one: MerchantSettings, other: MerchantSettings): boolean {
  return (
    one.toleranceBps === other.toleranceBps &&
    one.enabledTokens.join() === other.enabledTokens.join() &&
    isSameBrand(one.brand, other.brand) &&
    one.defaultSuccessUrl === other.defaultSuccessUrl &&
    one.apiVersion === other.apiVersion &&
    one.checkoutRestart === other.checkoutRestart &&
    one.invoicePrefix === other.invoicePrefix &&
    one.reminders.join() === other.reminders.join() &&
    one.timeZone === other.timeZone &&
    one.customerLanguage === other.customerLanguage
  );
}

export function factsOf(settings: MerchantSettings): SettingsFacts {
  return {
    payment_tolerance_bps: settings.toleranceBps,
    enabled_tokens: settings.enabledTokens,
    brand: settings.brand,
    default_success_url: settings.defaultSuccessUrl,
    api_version: settings.apiVersion,
    checkout_restart: settings.checkoutRestart,
    invoice_prefix: settings.invoicePrefix,
    reminders: settings.reminders,
    time_zone: settings.timeZone,
    customer_language: settings.customerLanguage,
  };
}

export function settingsIn(facts: SettingsFacts): MerchantSettings {
  return {
    toleranceBps: facts.payment_tolerance_bps,
    enabledTokens: facts.enabled_tokens,
    brand: facts.brand,
    defaultSuccessUrl: facts.default_success_url,
    apiVersion: facts.api_version,
    checkoutRestart: facts.checkout_restart,
    invoicePrefix: facts.invoice_prefix,
    reminders: facts.reminders,
    timeZone: facts.time_zone,
    customerLanguage: facts.customer_language,
  };
}

function checkedTolerance(bps: number): number {
  if (!Number.isInteger(bps)) throw refuse('invalid_bps', { param: 'payment_tolerance_bps' });
  if (bps < 0 || bps > MAX_TOLERANCE_BPS) throw refuse('invalid_tolerance', { param: 'payment_tolerance_bps' });
  return bps;
}

/** The tokens in the catalogue's order, each once, so that the same set is never a change. */
function checkedTokens(tokenIds: readonly string[]): readonly TokenId[] {
  const unknown = tokenIds.findIndex(tokenId => !isTokenId(tokenId));
  if (unknown >= 0) throw refuse('unknown_token', { param: `enabled_tokens[${unknown}]` });
  const enabled = TOKEN_IDS.filter(tokenId => tokenIds.includes(tokenId));
  if (enabled.length === 0) throw invalid('enabled_tokens', 'At least one token must stay enabled.');
  return enabled;
}

function checkedBrand({ name, color, logo_url }: Brand): Brand {
  const shownName = name?.trim() ?? null;
  if (shownName !== null && !keepsRule(shownName, BRAND_NAME)) {
    throw invalid('brand.name', `A name has 1 to ${BRAND_NAME.max} characters, none of control.`);
  }
  const shownColor = color?.toLowerCase() ?? null;
  if (shownColor !== null && !BRAND_COLOR.test(shownColor)) throw invalid('brand.color', 'Write a color as #rrggbb.');
  return { name: shownName, color: shownColor, logo_url: checkedLink('brand.logo_url', logo_url, ['https:']) };
}

function checkedVersion(version: string): ApiVersion {
  if (!isApiVersion(version)) throw invalid('api_version', 'There is no such version.');
  return version;
}

function checkedPrefix(prefix: string): string {
  if (INVOICE_PREFIX.test(prefix)) return prefix;
  throw invalid('invoice_prefix', 'A prefix has at most 12 letters, digits and characters of . _ / -');
}

/** Each day once and in order, so that the same reminders are never a change. */
function checkedReminders(days: readonly number[]): readonly number[] {
  const { min, max } = REMINDER_DAYS;
  const wrong = days.findIndex(day => !Number.isInteger(day) || day < min || day > max);
  if (wrong >= 0) throw refuse('parameter_invalid_integer', { param: `reminders[${wrong}]` });
  const each = [...new Set(days)].sort((one, other) => one - other);
  if (each.length > MAX_REMINDERS) throw invalid('reminders', `There are at most ${MAX_REMINDERS} reminders.`);
  return each;
}

/** The zone as the database spells it. */
function checkedZone(zone: string): string {
  try {
    if (characterCount(zone) > MAX_ZONE_LENGTH || /^[+-]/.test(zone)) throw new RangeError('no name of a zone');
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    throw invalid('time_zone', 'There is no such zone. Write it as Europe/Paris.');
  }
}

function checkedLanguage(code: string): CustomerLanguage {
  if (isCustomerLanguage(code)) return code;
  throw invalid('customer_language', `Customers get mail in ${CUSTOMER_LANGUAGES.join(', ')}.`);
}

function isSameBrand(one: Brand, other: Brand): boolean {
  return one.name === other.name && one.color === other.color && one.logo_url === other.logo_url;
}

function invalid(param: string, message: string) {
  return refuse('parameter_invalid', { param, message });
}
