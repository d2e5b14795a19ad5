import type { OperationTable } from './openapi-operation';
import { constant, oneOfTexts, resource } from './openapi-schema';

const STATE = oneOfTexts(['ok', 'unavailable']);

/** With `degraded` the process still serves, and somebody should look. */
const CHECK = oneOfTexts(['ok', 'degraded', 'unavailable']);

const READINESS = resource<Record<'status' | 'checks', unknown>>(
  'readiness',
  'Whether the process can serve, and why not',
  {
    status: STATE,
    checks: { type: 'object', additionalProperties: CHECK, examples: [{ event_store: 'ok', document_store: 'ok' }] },
  },
);

export const HEALTH_OPERATIONS = {
  live: {
    id: 'getHealth',
    summary: 'Whether the process lives',
    answer: resource<Record<'status', unknown>>('health', 'That the process lives', { status: constant('ok') }),
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
