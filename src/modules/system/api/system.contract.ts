import type { OperationTable } from '../../../platform/http/openapi-operation';
import {
  arrayOf,
  constant,
  decimal,
  figure,
  flag,
  listOf,
  nullable,
  oneOfTexts,
  record,
  resource,
  text,
  timestamp,
  whole,
} from '../../../platform/http/openapi-schema';
import { MODES } from '../../../vocabulary/modes';
import { NETWORK_ALARMS } from '../../../vocabulary/network-alarm';
import { NETWORK_IDS } from '../../../vocabulary/networks';
import { GROUP_NAMES } from '../group-names';

const PLACE = { mode: oneOfTexts(MODES), network: oneOfTexts(NETWORK_IDS) };
const ALARM = oneOfTexts(NETWORK_ALARMS);
const STREAM = text('The name of the stream', 'live.coverage_hole-bnb:56:7:0x07');
const LAG = figure('Milliseconds', 1_200);

const CHECK = resource('check', 'A check of /readyz, with its reason', {
  check: text('The name of the check', 'coverage'),
  state: oneOfTexts(['ok', 'degraded', 'unavailable']),
  reason: nullable(text()),
  alarms: arrayOf(record({ ...PLACE, alarm: ALARM })),
});

const PROVIDER = record({
  host: text('The host of the provider'),
  state: oneOfTexts(['answering', 'resting', 'absent', 'lagging', 'excluded', 'unasked']),
  answered_at: nullable(timestamp()),
});

const HOLE = record({
  hole: STREAM,
  block_number: whole('The first block', 7),
  to_number: whole('The last block', 7),
  block_hash: text(),
  block_time: timestamp(),
  reason: text('Why the blocks were passed', 'unreadable'),
  tx_hash: nullable(text()),
  opened_at: timestamp(),
});

const DEFERRED = record({
  transfer: STREAM,
  block_number: whole('The block', 7),
  tx_hash: text(),
  ordinal: whole('The place of the transfer in its transaction', 0),
  to: text('The receiving wallet'),
  value_base_units: text('Digits', '5000000'),
  fault: text('The fault that the transfer met'),
  deferred_at: timestamp(),
});

const NETWORK = resource('network', 'How far a network is read in a mode', {
  ...PLACE,
  alarm: nullable(ALARM),
  providers: arrayOf(PROVIDER),
  coverage: nullable(
    record({
      instance: text('The chain', '56'),
      cursor: whole('The newest block that was read for good', 41),
      sealed_to: figure('The newest block of a recorded range', 40),
      head: whole('The newest block', 52),
      head_told_at: timestamp(),
      head_age_ms: LAG,
      lag_blocks: figure('Blocks between cursor and head', 11),
      lag_ms: LAG,
      is_behind: flag(),
      is_waiting: flag('Something is tried again'),
      holes: arrayOf(HOLE),
      deferred: arrayOf(DEFERRED),
    }),
  ),
});

const COVERAGE = resource('coverage', 'The recorded coverage of a network', {
  object: constant('coverage'),
  ...PLACE,
  instance: text('The chain', '56'),
  providers: arrayOf(text('The host of a provider')),
  ranges: whole('Recorded ranges', 3),
  from_number: whole('The first block', 1),
  sealed_to: figure('The newest block of a recorded range', 40),
  gaps: arrayOf(
    record({
      kind: text('The kind of the gap', 'unread'),
      from_number: whole('First', 7),
      to_number: whole('Last', 7),
    }),
  ),
});

const READ_MODEL = resource('read_model', 'A read model, with its lag', {
  read_model: text('The name', 'payment_intents'),
  state: text('The state of its projection', 'following'),
  is_at_fault: flag(),
  version: whole('The version of the code', 3),
  stored_version: nullable(whole('The version of the documents', 3)),
  lag_ms: nullable(LAG),
  events_per_second: figure('Events folded in a second', 12.5),
  error: nullable(text()),
  updated_at: nullable(timestamp()),
  rebuild: nullable(record({ begun_at: timestamp(), reached_at: nullable(timestamp()) })),
});

const GROUP = resource('group', 'A group of competing consumers', {
  group: oneOfTexts(GROUP_NAMES),
  parked: whole('Messages that are not tried any more', 0),
  lag_ms: nullable(LAG),
});

const PARKED = resource('parked_message', 'A message that its group no longer tries', {
  event: text('The id of the event'),
  stream: text('The name of the stream'),
  revision: whole('The place in the stream', 3),
  type: text('The type of the event', 'PaymentConfirmed'),
  recorded_at: timestamp(),
});

const OUTBOX = resource('outbox', 'Mail on its way out', {
  outbox: oneOfTexts(['notices', 'customers']),
  queued: whole('Messages that wait', 2),
  has_more: flag('More wait than were counted'),
  oldest_created_at: nullable(timestamp()),
  next_attempt_at: nullable(timestamp()),
  failing: whole('Messages with a failed attempt', 0),
  given_up: whole('Messages that no mail server took', 0),
  last_detail: nullable(text('The newest answer of the mail server to a failed attempt')),
});

const LIMIT = resource('limit', 'A limit in force', {
  limit: text('The name of the limit', 'transfers_of_a_payment'),
  value: figure('The limit', 100),
  unit: text('Its unit', 'transfers'),
  set_by: oneOfTexts(['configuration', 'code']),
});

const HEADROOM = resource('headroom', 'The price with the fewest free amounts at an address', {
  ...PLACE,
  address: text('The receiving wallet'),
  token_id: text('The token', 'usdt-bnb'),
  price: decimal('In the token', '25'),
  free: whole('Free amounts', 988),
  of: whole('All amounts of the price', 999),
});

const RATE_SOURCE = resource('rate_source', 'A source of rates', {
  mode: oneOfTexts(MODES),
  source: text('The name', 'kraken'),
  family: text('Sources of one family count once'),
  currencies: whole('Currencies that the source quotes', 40),
  fresh_for_ms: whole('Milliseconds', 120_000),
  newest_at: nullable(timestamp()),
  is_fresh: flag(),
  failure: nullable(text('The code of the last failure')),
  missing_pairs: arrayOf(text('A pair that the last answer lacked', 'USDC/EUR')),
});

const WHOLE = ['invalid_filter'] as const;

export const SYSTEM_OPERATIONS = {
  health: { id: 'listChecks', summary: 'List the checks of the service', answer: listOf(CHECK), refuses: WHOLE },
  coverage: {
    id: 'listCoverage',
    summary: 'List the coverage of each network',
    answer: listOf(NETWORK),
    refuses: WHOLE,
  },
  coverageHistory: {
    id: 'getCoverage',
    summary: 'Retrieve the recorded coverage of a network',
    answer: COVERAGE,
    refuses: ['resource_missing'],
  },
  projections: {
    id: 'listReadModels',
    summary: 'List the read models, with their lag',
    answer: listOf(READ_MODEL),
    refuses: WHOLE,
  },
  outbox: { id: 'listOutbox', summary: 'List the mail that waits', answer: listOf(OUTBOX), refuses: WHOLE },
  limits: { id: 'listLimits', summary: 'List the limits in force', answer: listOf(LIMIT), refuses: WHOLE },
  headroom: {
    id: 'listHeadroom',
    summary: 'List the free amounts by price',
    answer: listOf(HEADROOM),
    query: { mode: oneOfTexts(MODES) },
    refuses: ['invalid_filter', 'invalid_mode'],
  },
  rates: { id: 'listRates', summary: 'List the sources of rates', answer: listOf(RATE_SOURCE), refuses: WHOLE },
  groups: {
    id: 'listGroups',
    summary: 'List the groups of competing consumers',
    answer: listOf(GROUP),
    refuses: WHOLE,
  },
  parked: {
    id: 'listParkedMessages',
    summary: 'List the parked messages of a group',
    answer: listOf(PARKED),
    refuses: ['invalid_filter', 'resource_missing'],
  },
} as const satisfies OperationTable;
