import {
  arrayOf,
  constant,
  digits,
  nullable,
  oneOfTexts,
  record,
  resource,
  text,
  timestamp,
  whole,
} from '../../../../platform/http/openapi-schema';
import { NETWORK_IDS } from '../../../../vocabulary/networks';
import { GEO_BLOCK_ASKED } from '../../../controls/geo-blocks.read-model';
import {
  sanctionedAddressesReadModel,
  type SanctionedAddressDocument,
} from '../../../controls/sanctioned-addresses.read-model';
import { SCREENING_ASKED } from '../../../controls/screening-settings.read-model';
import { DEFAULT_SCREENING_TIMEOUT_MS } from '../../../controls/screening-timeout';
import { VELOCITY_SUBJECTS } from '../../../controls/velocity-limit.events';
import { velocityLimitsReadModel } from '../../../controls/velocity-limits.read-model';
import { adminList, byTest, fixedList } from '../admin-list';
import { ALL_MODES } from '../find-payment';

const VELOCITY_LIMIT = resource('velocity_limit', 'The most payments of each subject in any span of a length', {
  id: oneOfTexts(VELOCITY_SUBJECTS),
  object: constant('velocity_limit'),
  subject: oneOfTexts(VELOCITY_SUBJECTS),
  window_ms: whole('The length of the span in milliseconds', 3_600_000),
  max_count: whole('Payments in such a span', 100),
  max_amount_usd: digits('The sum of the payments in such a span, in dollar cents', '50000000'),
  set_at: timestamp(),
});

const GEO_BLOCK = resource('geo_block', 'The countries whose customers begin no payment', {
  id: constant('checkout'),
  object: constant('geo_block'),
  blocked_countries: arrayOf(text('ISO 3166-1 alpha-2', 'KP')),
  set_at: nullable(timestamp()),
});

const SCREENING_SETTINGS = resource('screening_settings', 'The sources of screenings, and their time', {
  id: oneOfTexts(ALL_MODES),
  object: constant('screening_settings'),
  mode: oneOfTexts(ALL_MODES),
  sources: arrayOf(text('', 'chainalysis')),
  timeout_ms: whole('Milliseconds that each source has to answer', DEFAULT_SCREENING_TIMEOUT_MS),
  set_at: nullable(timestamp('Null while nobody has set the time')),
});

const SANCTIONED_ADDRESS = resource('sanctioned_address', 'An address that administrators have listed', {
  id: text('Its 20 bytes as hex', '8ba1f109551bd432803012645ac136ddd64dba72'),
  object: constant('sanctioned_address'),
  entries: arrayOf(
    record({
      address: text(),
      network: oneOfTexts(NETWORK_IDS),
      list_source: text('The publisher of the list', 'ofac-sdn'),
      reference: text('The place in that list'),
      added_at: timestamp(),
    }),
  ),
  created: timestamp(),
});

export const velocityLimits = adminList({
  path: 'velocity_limits',
  summary: 'List the limits on payments that stand',
  item: VELOCITY_LIMIT,
  readModel: velocityLimitsReadModel,
  lies: 'above_modes',
  filters: {},
  indexes: [{ index: 'by_set', filters: [], fixed: { is_set: true } }],
  order: ['set_at', 'id'],
  notFound: null,
  present: ({ body: { subject, window_ms, max_count, max_amount_usd_minor_units: max_amount_usd, set_at } }) => ({
    ...{ id: subject, object: 'velocity_limit' as const, subject, window_ms, max_count, max_amount_usd, set_at },
  }),
});

export const geo = fixedList({
  path: 'geo',
  summary: 'List the countries whose customers begin no payment',
  item: GEO_BLOCK,
  rows: async ({ readModels }) => {
    const { readModel, universe, id } = GEO_BLOCK_ASKED;
    const found = await readModels.get(readModel, universe, id);
    const { blocked_countries = [], set_at = null } = found?.body ?? {};
    return [{ id: 'checkout' as const, object: 'geo_block' as const, blocked_countries, set_at }];
  },
});

export const screening = fixedList({
  path: 'screening',
  summary: 'List the sources of screenings of each mode, and their time',
  item: SCREENING_SETTINGS,
  rows: async ({ readModels, screeningSources }) => {
    const { readModel, universe, id } = SCREENING_ASKED;
    const found = await readModels.get(readModel, universe, id);
    const { timeout_ms = DEFAULT_SCREENING_TIMEOUT_MS, set_at = null } = found?.body ?? {};
    return ALL_MODES.map(mode => ({
      ...{ id: mode, object: 'screening_settings' as const, mode, sources: screeningSources[mode], timeout_ms, set_at },
    }));
  },
});

export const sanctions = adminList({
  path: 'sanctions',
  summary: 'List the addresses that administrators have listed, the newest first',
  item: SANCTIONED_ADDRESS,
  readModel: sanctionedAddressesReadModel,
  lies: 'above_modes',
  filters: {
    network: byTest<SanctionedAddressDocument>(
      network =>
        ({ entries }) =>
          entries.some(entry => entry.network === network),
      { values: NETWORK_IDS },
    ),
  },
  indexes: [{ index: 'by_listed', filters: [], fixed: { is_listed: true } }],
  order: ['created', 'id'],
  notFound: null,
  present: ({ id, body: { entries, created } }) => ({ id, object: 'sanctioned_address' as const, entries, created }),
});
