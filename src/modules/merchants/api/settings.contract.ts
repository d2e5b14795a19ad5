import { API_VERSIONS } from '../../../kernel/api-versions';
import { MAX_LINK_LENGTH } from '../../../kernel/links';
import { TOKEN_IDS } from '../../../kernel/tokens';
import type { BodyCheck } from '../../../platform/http/caller';
import { Part, TextList } from '../../../platform/http/fields/part-fields';
import { Text, Url } from '../../../platform/http/fields/text-fields';
import { Whole } from '../../../platform/http/fields/value-fields';
import type { OperationTable } from '../../../platform/http/openapi-operation';
import {
  arrayOf,
  constant,
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
  DEFAULT_SETTINGS,
  MAX_BRAND_NAME_LENGTH,
  MAX_TOLERANCE_BPS,
  settingsChanged,
  type SettingsChanges,
} from '../merchant-settings';

/** More than there are: one that is named twice is taken once. */
const MAX_TOKENS = TOKEN_IDS.length * 2;

export class BrandDto {
  @Text({
    presence: 'nullable',
    later: { pattern: '\\S', maxLength: MAX_BRAND_NAME_LENGTH },
    example: 'Corner Shop',
  })
  name?: string | null;

  @Text({ presence: 'nullable', later: { pattern: BRAND_COLOR.source }, example: '#1f6feb' })
  color?: string | null;

  @Url({ presence: 'nullable', maxLength: MAX_LINK_LENGTH, description: 'https only' })
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
    description: 'What is left out stays as it is; null takes it away',
  })
  brand?: BrandDto;

  @Url({ presence: 'nullable', maxLength: MAX_LINK_LENGTH, description: 'Null takes it away' })
  default_success_url?: string | null;

  @Text({
    presence: 'optional',
    later: { enum: API_VERSIONS },
    description: 'What requests are served that name no version',
  })
  api_version?: string;
}

export function changesIn(body: ChangeSettingsDto): SettingsChanges {
  return {
    ...(body.payment_tolerance_bps !== undefined && { toleranceBps: body.payment_tolerance_bps }),
    ...(body.enabled_tokens !== undefined && { enabledTokens: body.enabled_tokens }),
    ...(body.brand !== undefined && { brand: given(body.brand) }),
    ...(body.default_success_url !== undefined && { defaultSuccessUrl: body.default_success_url }),
    ...(body.api_version !== undefined && { apiVersion: body.api_version }),
  };
}

/** The class's own fields stand there undefined where the body left them out. */
function given<T extends object>(dto: T): Partial<T> {
  return Object.fromEntries(Object.entries(dto).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** No change is wrong for what was set before it, so it may be judged by what everybody starts with. */
export const checkChanges: BodyCheck<ChangeSettingsDto> = body =>
  void settingsChanged(changesIn(body), DEFAULT_SETTINGS);

const SETTINGS = resource('settings', 'What the account has set, for both modes', {
  object: constant('settings'),
  payment_tolerance_bps: whole('By how much a payment may be short and still confirm; 100 are 1%', 0, {
    maximum: MAX_TOLERANCE_BPS,
  }),
  enabled_tokens: arrayOf(oneOfTexts(TOKEN_IDS)),
  brand: record({
    name: nullable(text('Shown to customers', 'Corner Shop')),
    color: nullable(text('As #rrggbb', '#1f6feb')),
    logo_url: nullable(text('https only', 'https://shop.example/logo.svg')),
  }),
  default_success_url: nullable(
    text('Where customers go when a payment names no place', 'https://shop.example/thanks'),
  ),
  api_version: oneOfTexts(API_VERSIONS, 'What requests are served that name no version'),
});

export type SettingsResource = Answer<typeof SETTINGS>;

export const SETTINGS_OPERATIONS = {
  get: { id: 'getSettings', summary: "Retrieve the account's settings", answer: SETTINGS, refuses: [] },
  change: {
    id: 'changeSettings',
    summary: "Change the account's settings; what the body leaves out stays as it is",
    answer: SETTINGS,
    refuses: ['unknown_token'],
  },
} as const satisfies OperationTable;
