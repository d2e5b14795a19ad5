import type { ComponentChild } from 'preact';
import type { AuditEntryResource } from '../../../src/modules/audit/api/audit.contract';
import type { CoverageHistoryView, NetworkView } from '../../../src/modules/system/system-reads';
import { streamView, type StreamMoment } from '../../../src/modules/streams/stream-view';
import { statesOf } from '../../../src/composition/streams';
import type { BrokenLink } from '../../../src/kernel/hash-chain-check';
import { AuditPage } from '../../../web/console/audit/audit.page';
import { AuditExportPage } from '../../../web/console/audit/audit-export.page';
import { EntryPage } from '../../../web/console/audit/entry.page';
import { CoveragePage } from '../../../web/console/coverage/coverage.page';
import { NetworkPage } from '../../../web/console/coverage/network.page';
import { HealthPage } from '../../../web/console/health/health.page';
import { LimitsPage } from '../../../web/console/health/limits.page';
import { ParkedPage } from '../../../web/console/health/parked.page';
import { ReadModelsPage } from '../../../web/console/health/read-models.page';
import { StreamPage } from '../../../web/console/streams/stream.page';
import { StreamsPage } from '../../../web/console/streams/streams.page';
import { HISTORIES } from '../../modules/payment-intents/histories';
import { metadata } from '../../contracts/contract-support';
import type { LogPosition } from '../../../src/kernel/log-position';

const AT = '2026-11-01T12:00:00.000Z';
const AT_MS = Date.UTC(2026, 10, 1, 12);
export const PAYMENT = 'pi_01kb3x5q0g7h2m9c4r8v6t1zny';
const STREAM = `test.payment_intent-${PAYMENT}`;
const HASH = `0x${'5c'.repeat(32)}`;

const events = HISTORIES.confirming.map(({ type, data }, revision) => ({
  ...{ id: `event-${revision}`, type, data, stream: STREAM, revision },
  position: revision as LogPosition,
  metadata: { ...metadata(), recorded_at: `2026-11-01T12:00:0${revision % 10}.000Z` },
}));

export function streamPage(moment: StreamMoment | null, broken: BrokenLink | null = null, time = ''): ComponentChild {
  const view = streamView({ stream: STREAM, events, states: statesOf(STREAM, events), broken }, moment);
  return <StreamPage view={view} time={time} />;
}

export const ENTRY: AuditEntryResource = {
  ...{ id: '5b6a9a0e-6c1b-8000-8000-000000000001', object: 'audit_entry', occurred_at: AT },
  actor: { type: 'admin', id: 'adm_01kb3x5q0g7h2m9c4r8v6t1zny', role: 'admin' },
  action: 'merchant.suspend',
  target: { type: 'merchant', id: 'mch_01kb3x5q0g7h2m9c4r8v6t1zny' },
  ...{ merchant_id: 'mch_01kb3x5q0g7h2m9c4r8v6t1zny', mode: 'platform' },
  before: { status: 'active', disabled_reason: null },
  after: { status: 'disabled', disabled_reason: 'Complaints of three customers.' },
  ...{ ip: '203.0.113.7', request_id: 'req_01kb3x5q0g7h2m9c4r8v6t1zny' },
  ...{ stream: 'platform.merchant-mch_01kb3x5q0g7h2m9c4r8v6t1zny', revision: 4 },
};
const CREATED: AuditEntryResource = {
  ...ENTRY,
  ...{ id: '5b6a9a0e-6c1b-8000-8000-000000000002', action: 'payment_intent.create', before: null, ip: null },
  ...{ request_id: null, mode: 'test', stream: STREAM, revision: 0, merchant_id: null },
  actor: { type: 'system', id: 'matcher', role: 'matcher' },
  target: { type: 'payment_intent', id: PAYMENT },
};
const NAMES = { [ENTRY.actor.id]: 'Cora Lind' };

const COVERAGE: NonNullable<NetworkView['coverage']> = {
  ...{ instance: '8453', cursor: 21_504_330, sealed_to: 21_504_000, head: 21_504_332, head_told_at: AT },
  head_age_ms: 1_000,
  ...{ lag_blocks: 2, lag_ms: 4_000, is_behind: false, is_waiting: false, holes: [], deferred: [] },
};
const FINE: NetworkView = {
  ...{ mode: 'live', network: 'base', alarm: null, coverage: COVERAGE },
  providers: [
    { host: 'rpc.example.net', state: 'answering', answered_at: AT },
    { host: 'nodes.example.org', state: 'resting', answered_at: AT },
    { host: 'late.example.com', state: 'absent', answered_at: null },
  ],
};
const FAULTY: NetworkView = {
  ...{ mode: 'live', network: 'tron', alarm: 'behind', providers: [] },
  coverage: {
    ...{ ...COVERAGE, instance: 'mainnet', is_behind: true, lag_ms: 540_000, lag_blocks: 180 },
    holes: [
      {
        ...{ hole: 'live.coverage_hole-tron:mainnet:66000001', block_number: 66_000_001, to_number: 66_000_004 },
        ...{ block_hash: HASH, block_time: AT, reason: 'unreadable', tx_hash: null, opened_at: AT },
      },
    ],
    deferred: [
      {
        ...{ transfer: `live.deferred_transfer-tron:${HASH}:0:${HASH}`, block_number: 66_000_009, tx_hash: HASH },
        ...{ ordinal: 0, to: 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL', value_base_units: '12500000' },
        ...{ fault: 'provider_unavailable', deferred_at: AT },
      },
    ],
  },
};
const UNREAD: NetworkView = { mode: 'test', network: 'base', alarm: null, providers: [], coverage: null };
const HISTORY: CoverageHistoryView = {
  ...{ mode: 'live', network: 'tron', instance: 'mainnet', providers: ['rpc.example.net'], ranges: 42 },
  ...{ from_number: 65_000_000, sealed_to: 66_000_000 },
  gaps: [{ kind: 'unscanned', from_number: 65_500_000, to_number: 65_500_010 }],
};

const READ_MODEL = {
  ...{ read_model: 'payment_intents', state: 'following', is_at_fault: false, version: 7, stored_version: 7 },
  ...{ lag_ms: 0, events_per_second: 12.4, error: null, updated_at: AT, rebuild: null },
} as const;
const GROUP = { group: 'webhooks', parked: 0, lag_ms: 1_500 } as const;
const PARKED = { group: 'matching', parked: 3, lag_ms: null } as const;

/** Pages about the system that show more than a staged service does, by a name of their own. */
export const SYSTEM_PAGES: Readonly<Record<string, { readonly at: string; readonly page: ComponentChild }>> = {
  'the audit log': {
    at: '/console/audit',
    page: (
      <AuditPage
        view={{
          ...{ entries: [ENTRY, CREATED], names: NAMES, query: { target: 'mch_1' }, fault: null },
          ...{ next: CREATED.id, isFirst: false },
        }}
      />
    ),
  },
  'a refused filter of the audit log': {
    at: '/console/audit',
    page: (
      <AuditPage
        view={{ entries: [], names: {}, query: { from: 'x' }, fault: 'From: choose a day.', next: null, isFirst: true }}
      />
    ),
  },
  'an entry that changed something': { at: '/console/audit/1', page: <EntryPage entry={ENTRY} names={NAMES} /> },
  'an entry of the service': { at: '/console/audit/2', page: <EntryPage entry={CREATED} names={{}} /> },
  'a refused export': { at: '/console/audit/export', page: <AuditExportPage query={{}} fault="From: choose a day." /> },
  'streams of one object': {
    at: '/console/streams',
    page: <StreamsPage found={{ text: PAYMENT, streams: [STREAM, `live.naming-${PAYMENT}`] }} />,
  },
  'no stream': { at: '/console/streams', page: <StreamsPage found={{ text: 'pi_none', streams: [] }} /> },
  'a stream now': { at: `/console/streams/${STREAM}`, page: streamPage(null) },
  'a stream as of an event': {
    at: `/console/streams/${STREAM}`,
    page: streamPage({ revision: 1 }, { revision: 2, fault: 'content_differs' }),
  },
  'a stream before it began': {
    at: `/console/streams/${STREAM}`,
    page: streamPage({ timeMs: 0 }, null, '1970-01-01T00:00'),
  },
  coverage: {
    at: '/console/coverage',
    page: <CoveragePage view={{ networks: [FINE, FAULTY, UNREAD], atMs: AT_MS }} />,
  },
  'a network': {
    at: '/console/coverage/live/base',
    page: <NetworkPage view={{ network: FINE, history: { ...HISTORY, network: 'base', gaps: [] }, atMs: AT_MS }} />,
  },
  'a network at fault': {
    at: '/console/coverage/live/tron',
    page: <NetworkPage view={{ network: FAULTY, history: HISTORY, atMs: AT_MS }} />,
  },
  'a network that nobody has read': {
    at: '/console/coverage/test/base',
    page: <NetworkPage view={{ network: UNREAD, history: null, atMs: AT_MS }} />,
  },
  health: {
    at: '/console/health',
    page: (
      <HealthPage
        view={{
          checks: [
            { check: 'event_store', state: 'ok', reason: null, alarms: [] },
            { check: 'coverage', state: 'degraded', reason: 'live tron is behind', alarms: [] },
          ],
          groups: [GROUP, PARKED],
          outboxes: [
            {
              ...{ outbox: 'notices', queued: 500, has_more: true, oldest_created_at: AT, next_attempt_at: AT },
              ...{ failing: 2, given_up: 1, last_detail: '451 Try again later' },
            },
            {
              ...{ outbox: 'customers', queued: 0, has_more: false, oldest_created_at: null, next_attempt_at: null },
              ...{ failing: 0, given_up: 0, last_detail: null },
            },
          ],
          rates: [
            {
              ...{ mode: 'live', source: 'central bank', family: 'reference', currencies: 30, fresh_for_ms: 1_000 },
              ...{ newest_at: AT, is_fresh: true, failure: null, missing_pairs: ['USD/ISK'] },
            },
            {
              ...{ mode: 'live', source: 'exchange', family: 'market', currencies: 9, fresh_for_ms: 1_000 },
              ...{ newest_at: null, is_fresh: false, failure: 'provider_unavailable', missing_pairs: [] },
            },
          ],
          atMs: AT_MS,
        }}
      />
    ),
  },
  'read models': {
    at: '/console/health/read-models',
    page: (
      <ReadModelsPage
        view={{
          readModels: [
            READ_MODEL,
            { ...READ_MODEL, read_model: 'wallets', rebuild: { begun_at: AT, reached_at: AT }, lag_ms: 90_000 },
            {
              ...{ ...READ_MODEL, read_model: 'routes', state: 'failed', is_at_fault: true },
              ...{ error: 'An event could not be folded.', stored_version: 6 },
            },
          ],
          atMs: AT_MS,
        }}
      />
    ),
  },
  limits: {
    at: '/console/health/limits',
    page: (
      <LimitsPage
        view={{
          limits: [{ limit: 'requests.checkout', value: 1_000, unit: 'a second', set_by: 'configuration' }],
          headroom: [
            {
              ...{ mode: 'live', network: 'base', address: `0x${'5c'.repeat(20)}`, token_id: 'usdc-base' },
              ...{ price: '10.000006', free: 42, of: 999 },
            },
          ],
          atMs: AT_MS,
        }}
      />
    ),
  },
  'parked messages': {
    at: '/console/health/groups/matching',
    page: (
      <ParkedPage
        view={{
          group: PARKED,
          messages: [{ event: ENTRY.id, stream: STREAM, revision: 2, type: 'TransferDetected', recorded_at: AT }],
          atMs: AT_MS,
        }}
      />
    ),
  },
  'no parked message': {
    at: '/console/health/groups/webhooks',
    page: <ParkedPage view={{ group: GROUP, messages: [], atMs: AT_MS }} />,
  },
};
