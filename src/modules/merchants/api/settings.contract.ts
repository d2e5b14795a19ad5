import { API_VERSIONS } from '../../../vocabulary/api-versions';
import { CUSTOMER_LANGUAGES } from '../../../vocabulary/customer-languages';
import { MAX_LINK_LENGTH } from '../../../kernel/links';
import { TOKEN_IDS } from '../../../vocabulary/tokens';
import type { BodyCheck } from '../../../platform/http/caller';
import { Part, TextList, WholeList } from '../../../platform/http/fields/part-fields';
import { keywordsOf, Text, Url } from '../../../platform/http/fields/text-fields';
import { Flag, Whole } from '../../../platform/http/fields/value-fields';
import type { OperationTable } from '../../../platform/http/openapi-operation';
import {
  arrayOf,
  constant,
  flag,
  nullable,
  oneOfTexts,
  record,
  resource,
  text,
  whole,
  type Answer,
} from '../../../platform/http/openapi-schema';
import {
  BRAND_COLOR,
  BRAND_NAME,
  DEFAULT_SETTINGS,
  INVOICE_PREFIX,
  MAX_REMINDERS,
  MAX_TOLERANCE_BPS,
  MAX_ZONE_LENGTH,
  REMINDER_DAYS,
  settingsAfter,
  type SettingsChanges,
} from '../merchant-settings';

/** Twice the number of tokens: a token that is named twice is taken once. */
const MAX_TOKENS = TOKEN_IDS.length * 2;

class BrandDto {
  @Text({ presence: 'nullable', later: keywordsOf(BRAND_NAME), example: 'Corner Shop' })
  name?: string | null;

  @Text({ presence: 'nullable', later: { pattern: BRAND_COLOR.source }, example: '#1f6feb' })
  color?: string | null;

  @Url({
    presence: 'nullable',
    maxLength: MAX_LINK_LENGTH,
    description: 'https only: a PNG, JPEG or WebP of 64 KiB at most. The service fetches it once, and serves it itself',
  })
  logo_url?: string | null;
}

export class ChangeSettingsDto {
  @Whole({
    presence: 'optional',
    min: 0,
    max: MAX_TOLERANCE_BPS,
    code: {
      among: ['invalid_bps', 'invalid_tolerance'],
      of: value => (Number.isInteger(value) ? 'invalid_tolerance' : 'invalid_bps'),
    },
    description: 'Whole basis points; 100 are 1%',
  })
  payment_tolerance_bps?: number;

  @TextList({
    presence: 'optional',
    values: TOKEN_IDS,
    max: MAX_TOKENS,
    judgedLater: true,
    description: 'At least one',
  })
  enabled_tokens?: string[];

  @Part(BrandDto, {
    presence: 'optional',
    description: 'A field that is left out stays as it is; null takes it away',
  })
  brand?: BrandDto;

  @Url({ presence: 'nullable', maxLength: MAX_LINK_LENGTH, description: 'Null takes it away' })
  default_success_url?: string | null;

  @Text({
    presence: 'optional',
    later: { enum: API_VERSIONS },
    description: 'Version for requests that name none',
  })
  api_version?: string;

  @Flag(
    'Whether a customer may start a payment anew at checkout that expired or failed without money. The new payment has the same terms, and names the former one in restarted_from. The former one is still watched for 24 hours. Where a customer pays both, the new one is confirmed, and the former one is paid_late, for you to review. Do not ship twice',
    { presence: 'optional' },
  )
  checkout_restart?: boolean;

  @Text({
    presence: 'optional',
    later: { pattern: INVOICE_PREFIX.source },
    description: 'Stands before the number of each invoice that is drafted afterwards',
    example: 'INV-',
  })
  invoice_prefix?: string;

  @WholeList({
    ...REMINDER_DAYS,
    presence: 'optional',
    most: MAX_REMINDERS,
    description:
      'Days after the due date on which the customer of an open invoice is reminded by e-mail; below zero, before it. Holds for invoices that are drafted afterwards',
    example: [-3, 7],
  })
  reminders?: number[];

  @Text({
    presence: 'optional',
    later: { maxLength: MAX_ZONE_LENGTH },
    description: 'Zone of the IANA database in which customers read the dates of invoices drafted afterwards',
    example: 'Europe/Paris',
  })
  time_zone?: string;

  @Text({
    presence: 'optional',
    later: { enum: CUSTOMER_LANGUAGES },
    description: 'Language of the mails to customers, about invoices drafted afterwards that name none',
  })
  customer_language?: string;
}

export function changesIn(body: ChangeSettingsDto): SettingsChanges {
  return {
    ...(body.payment_tolerance_bps !== undefined && { toleranceBps: body.payment_tolerance_bps }),
    ...(body.enabled_tokens !== undefined && { enabledTokens: body.enabled_tokens }),
    ...(body.brand !== undefined && { brand: given(body.brand) }),
    ...(body.default_success_url !== undefined && { defaultSuccessUrl: body.default_success_url }),
    ...(body.api_version !== undefined && { apiVersion: body.api_version }),
    ...(body.checkout_restart !== undefined && { checkoutRestart: body.checkout_restart }),
    ...(body.invoice_prefix !== undefined && { invoicePrefix: body.invoice_prefix }),
    ...(body.reminders !== undefined && { reminders: body.reminders }),
    ...(body.time_zone !== undefined && { timeZone: body.time_zone }),
    ...(body.customer_language !== undefined && { customerLanguage: body.customer_language }),
  };
}

/** Leaves out the class's own fields that are undefined because the body did not have them. */
function given<T extends object>(dto: T): Partial<T> {
  return Object.fromEntries(Object.entries(dto).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** Earlier settings make no change wrong, so the change is judged by the default settings. */
export const checkChanges: BodyCheck<ChangeSettingsDto> = body => void settingsAfter(changesIn(body), DEFAULT_SETTINGS);

const SETTINGS = resource('settings', 'Settings of the account in the mode of the key', {
  object: constant('settings'),
  payment_tolerance_bps: whole('By how much a payment may be short and still confirm; 100 are 1%', 0, {
    maximum: MAX_TOLERANCE_BPS,
  }),
  enabled_tokens: arrayOf(oneOfTexts(TOKEN_IDS)),
  brand: record({
    name: nullable(text('Shown to customers', 'Corner Shop')),
    color: nullable(text('As #rrggbb', '#1f6feb')),
    logo_url: nullable(text('https only; PNG, JPEG or WebP', 'https://shop.example/logo.png')),
  }),
  default_success_url: nullable(
    text('Where customers go when a payment names no place', 'https://shop.example/thanks'),
  ),
  api_version: oneOfTexts(API_VERSIONS, 'Version for requests that name none'),
  checkout_restart: flag('Whether a customer may start a payment anew at checkout that ended without money'),
  invoice_prefix: text('Stands before the number of an invoice', 'INV-'),
  reminders: arrayOf(
    whole('Days after the due date of an invoice; below zero, before it', -3, {
      minimum: REMINDER_DAYS.min,
      maximum: REMINDER_DAYS.max,
    }),
  ),
  time_zone: text('Zone in which customers read dates', 'Europe/Paris'),
  customer_language: oneOfTexts(CUSTOMER_LANGUAGES, 'Language of the mails to customers'),
});

export type SettingsResource = Answer<typeof SETTINGS>;

export const SETTINGS_OPERATIONS = {
  get: {
    id: 'getSettings',
    summary: "Retrieve the account's settings in the key's mode",
    answer: SETTINGS,
    refuses: [],
  },
  change: {
    id: 'changeSettings',
    summary: "Change the account's settings in the key's mode; what the body leaves out stays as it is",
    description: 'Test mode and live mode have settings of their own: a change in one is none in the other.',
    answer: SETTINGS,
    refuses: ['unknown_token'],
  },
} as const satisfies OperationTable;
