import { API_VERSIONS } from '../../../kernel/api-versions';
import { TOKEN_IDS } from '../../../kernel/tokens';
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
import { MAX_TOLERANCE_BPS } from '../merchant-settings';

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
    refuses: ['invalid_bps', 'invalid_tolerance', 'unknown_token'],
  },
} as const satisfies OperationTable;
