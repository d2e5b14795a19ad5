import type { Universe } from '../vocabulary/modes';
import type { JsonObject } from '../vocabulary/json';
import type { LogPosition } from './log-position';

export const ACTOR_ROLES = [
  'api', 'checkout', 'matcher', 'watcher', 'sweeper', 'merchant', 'admin', 'compliance',
] as const; // prettier-ignore
export type ActorRole = (typeof ACTOR_ROLES)[number];

export const ACTOR_TYPES = ['user', 'admin', 'api_key', 'system'] as const;

export type Actor = {
  readonly role: ActorRole;
  readonly type: (typeof ACTOR_TYPES)[number];
  readonly id: string;
};

/** The yield of a decider: past tense, one fact, plain JSON. Amounts are digit strings with their unit in the name. */
export type DomainEvent = { readonly type: string; readonly data: JsonObject };

export type EventMetadata = {
  readonly actor: Actor;
  readonly merchant_id: string | null;
  readonly mode: Universe;
  readonly command_id: string;
  readonly request_id: string | null;
  readonly correlation_id: string;
  readonly causation_id: string | null;
  /** The time by the mode's clock; `recorded_at` is by the wall's clock. */
  readonly occurred_at: string;
  readonly recorded_at: string;
  readonly ip: string | null;
  /** Version of the event's shape; older shapes are upcast on read. */
  readonly schema: number;
  readonly prev_hash: string;
  readonly hash: string;
};

export type NewEvent = DomainEvent & { readonly id: string; readonly metadata: EventMetadata };

/** `position` orders the whole log, `revision` the stream (from 0). Both are exact integers below 2^53. */
export type RecordedEvent<E extends DomainEvent = DomainEvent> = E & {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: LogPosition;
  readonly metadata: EventMetadata;
};

/** `live.payment_intent-pi_…` */
export function streamName(universe: Universe, category: string, id: string): string {
  return `${universe}.${category}-${id}`;
}

type StreamParts = { readonly universe: Universe; readonly category: string; readonly id: string };

const STREAM_PATTERN = /^(?:test|live|platform)\.[a-z_]+-.+$/;

/** Every reader of an event asks for these parts, so the pattern is only tested: a match would be a list of texts. */
export function parseStreamName(stream: string): StreamParts {
  if (!STREAM_PATTERN.test(stream)) throw new RangeError(`not a stream name: ${stream}`);
  const [dot, hyphen] = [stream.indexOf('.'), stream.indexOf('-')];
  return {
    universe: stream.slice(0, dot) as Universe,
    category: stream.slice(dot + 1, hyphen),
    id: stream.slice(hyphen + 1),
  };
}
