import { ACTOR_ROLES, ACTOR_TYPES } from '../../../kernel/event';
import type { OperationTable } from '../../../platform/http/openapi-operation';
import {
  anyObject,
  arrayOf,
  constant,
  flag,
  nullable,
  oneOfTexts,
  record,
  resource,
  text,
  timestamp,
  whole,
} from '../../../platform/http/openapi-schema';
import { UNIVERSES } from '../../../vocabulary/modes';

const CHANGE = record({ field: text(), before: nullable(text()), after: nullable(text()) });

const EVENT = record({
  id: text('The id of the event'),
  revision: whole('The place in the stream', 3),
  type: text('The type of the event', 'PaymentConfirmed'),
  is_later: flag('Recorded later than the moment that was asked for'),
  occurred_at: timestamp(),
  recorded_at: timestamp(),
  actor: record({ role: oneOfTexts(ACTOR_ROLES), type: oneOfTexts(ACTOR_TYPES), id: text() }),
  actor_in_words: text(),
  merchant_id: nullable(text()),
  request_id: nullable(text()),
  command_id: text(),
  correlation_id: text(),
  causation_id: nullable(text()),
  ip: nullable(text()),
  hash: text('SHA-256, as hex'),
  data: anyObject('The facts of the event, without secrets'),
  reason: text('Why the event came about, in words'),
  changes: arrayOf(CHANGE),
});

const STREAM = resource('stream', 'A stream as of a moment', {
  object: constant('stream'),
  stream: text('The name of the stream', 'live.payment_intent-pi_01kb3x5q0g7h2m9c4r8v6t1zny'),
  universe: oneOfTexts(UNIVERSES),
  category: text('The kind of the stream', 'payment_intent'),
  id: text('The rest of the name'),
  revisions: whole('The number of events', 9),
  as_of: nullable(record({ revision: whole('The event', 8), occurred_at: timestamp(), recorded_at: timestamp() })),
  is_newest: flag(),
  state: nullable(anyObject('The state as of the moment')),
  chain: record({
    is_intact: flag('The verdict over the hashes of all events'),
    broken_at: nullable(
      record({
        revision: whole('The first event that does not hold', 4),
        fault: oneOfTexts(['revision_gap', 'previous_hash_differs', 'content_differs']),
      }),
    ),
  }),
  earlier: whole('Events before the shown ones', 0),
  later: whole('Events after the shown ones', 0),
  events: arrayOf(EVENT),
});

export const STREAM_OPERATIONS = {
  get: {
    id: 'getStream',
    summary: 'Retrieve a stream as of a revision or a time',
    answer: STREAM,
    query: { revision: text('A revision, from 0', '3'), as_of: timestamp('Or a time') },
    refuses: ['invalid_filter', 'parameter_invalid', 'invalid_timestamp', 'resource_missing'],
  },
} as const satisfies OperationTable;
