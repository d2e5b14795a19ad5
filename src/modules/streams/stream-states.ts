import { parseStreamName, type RecordedEvent } from '../../kernel/event';
import type { Document } from '../../kernel/ports/documents';
import { applyEvents, mirroredCategory, streamId, type Projection } from '../../kernel/projection';
import type { JsonObject, JsonValue } from '../../vocabulary/json';

/** The rules of the streams of one category, as far as they fold events. */
export type FoldedCategory = {
  readonly category: string;
  readonly initial: unknown;
  readonly evolve: (state: never, event: never) => unknown;
};

/** The states of a stream, one after each of its events. */
export type StreamStates = (stream: string, events: readonly RecordedEvent[]) => Iterable<JsonObject | null>;

/**
 * A stream's document after each event, where a read model mirrors the stream. Otherwise the state that its decider
 * folds, and null for a stream of which no decider is known.
 */
export function streamStates(projections: readonly Projection[], aggregates: readonly FoldedCategory[]): StreamStates {
  return (stream, events) => {
    const { category } = parseStreamName(stream);
    const mirrors = projections.filter(projection => mirroredCategory(projection) === category);
    const [mirror] = mirrors.toSorted((one, other) => typesTaken(other) - typesTaken(one));
    if (mirror) return mirroredStates(mirror, events);
    return foldedStates(aggregates.find(each => each.category === category) ?? null, events);
  };
}

/** Of several mirrors, the one that takes the most types of events tells the most of the stream. */
function typesTaken({ on }: Projection): number {
  return Object.values(on).filter(handler => handler !== null).length;
}

function* mirroredStates(mirror: Projection, events: readonly RecordedEvent[]): Generator<JsonObject | null> {
  const standing = new Map<string, Document>();
  const isOne = mirror.key === streamId;
  for (const event of events) {
    for (const { id, version, body } of applyEvents(mirror, [event], key => standing.get(key) ?? null).values()) {
      if (body === null) standing.delete(id);
      else standing.set(id, { id, version, body });
    }
    const bodies = [...standing].map(([id, { body }]) => [id, body] as const);
    yield isOne ? (bodies[0]?.[1] ?? null) : Object.fromEntries(bodies);
  }
}

function* foldedStates(
  aggregate: FoldedCategory | null,
  events: readonly RecordedEvent[],
): Generator<JsonObject | null> {
  let state = aggregate?.initial;
  for (const event of events) {
    state = aggregate?.evolve(state as never, event as never);
    yield asObject(plainState(state));
  }
}

function asObject(state: JsonValue): JsonObject | null {
  if (state === null) return null;
  return typeof state === 'object' && !Array.isArray(state) ? (state as JsonObject) : { value: state };
}

/** A decider's state as JSON: maps as objects, sets as lists, big integers as digits. */
function plainState(state: unknown): JsonValue {
  if (state === undefined || state === null) return null;
  if (typeof state === 'bigint') return String(state);
  if (state instanceof Map) return plainState(Object.fromEntries(state as Map<string, unknown>));
  if (state instanceof Set) return [...(state as Set<unknown>)].map(plainState);
  if (Array.isArray(state)) return state.map(plainState);
  if (typeof state !== 'object') return state as JsonValue;
  return Object.fromEntries(Object.entries(state).map(([name, value]) => [name, plainState(value)]));
}
