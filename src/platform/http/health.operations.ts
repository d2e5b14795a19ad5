import { NETWORK_ALARMS } from '../../vocabulary/network-alarm';
import { NETWORK_IDS } from '../../vocabulary/networks';
import type { OperationTable } from './openapi-operation';
import { arrayOf, constant, mapOf, oneOfTexts, record, resource, type Answer } from './openapi-schema';

const STATE = oneOfTexts(['ok', 'unavailable']);

/** With `degraded` the process still serves, and somebody should look. */
const CHECK = oneOfTexts(['ok', 'degraded', 'unavailable']);

const ALARM = record({
  mode: oneOfTexts(['test', 'live'], 'Of the network'),
  network: oneOfTexts(NETWORK_IDS),
  alarm: oneOfTexts(
    NETWORK_ALARMS,
    'gaps: blocks were never scanned. set_aside_full: scanning stands still. behind: the newest block read is too old. clock: this service and the newest block are 30 seconds or more apart in time. unplaced: transfers wait too long for their places. set_aside: blocks or transfers wait.',
  ),
});

const READINESS = resource('readiness', 'Whether the process can serve, and why not', {
  status: STATE,
  checks: mapOf(CHECK, { event_store: 'ok', document_store: 'ok' }),
  alarms: { ...arrayOf(ALARM), description: 'Why the check of coverage is degraded; empty while it is not' },
});

export type Readiness = Answer<typeof READINESS>;

export const HEALTH_OPERATIONS = {
  live: {
    id: 'getHealth',
    summary: 'Whether the process lives',
    answer: resource('health', 'That the process lives', { status: constant('ok') }),
    refuses: [],
  },
  ready: {
    id: 'getReadiness',
    summary: 'Whether the process can serve, with the state of each engine; 503 while one is away',
    answer: READINESS,
    otherAnswers: { 503: READINESS },
    refuses: [],
  },
} as const satisfies OperationTable;
