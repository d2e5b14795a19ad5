import { parseIsoTime } from '../../kernel/clock';
import { parseStreamName, type Actor, type RecordedEvent } from '../../kernel/event';
import type { BrokenLink } from '../../kernel/hash-chain-check';
import { jsonChanges, type FieldChange } from '../../kernel/json-changes';
import { refuse } from '../../vocabulary/errors';
import type { JsonObject } from '../../vocabulary/json';
import type { Universe } from '../../vocabulary/modes';
import { withoutSecrets } from '../audit/secret-members';
import { actorWords, eventReason, unitsOf } from './event-reason';

/** The moment that a reader asks for: after an event, or what was recorded until a time of the wall's clock. */
export type StreamMoment = { readonly revision: number } | { readonly timeMs: number };

export type StreamEvent = {
  readonly id: string;
  readonly revision: number;
  readonly type: string;
  /** Recorded later than the moment that was asked for. */
  readonly is_later: boolean;
  readonly occurred_at: string;
  readonly recorded_at: string;
  readonly actor: Actor;
  readonly actor_in_words: string;
  readonly merchant_id: string | null;
  readonly request_id: string | null;
  readonly command_id: string;
  readonly correlation_id: string;
  readonly causation_id: string | null;
  readonly ip: string | null;
  readonly hash: string;
  readonly data: JsonObject;
  /** Why the event came about, in words. */
  readonly reason: string;
  /** The difference that the event made to the state. */
  readonly changes: readonly FieldChange[];
};

export type StreamView = {
  readonly object: 'stream';
  readonly stream: string;
  readonly universe: Universe;
  readonly category: string;
  readonly id: string;
  /** The number of the stream's events. */
  readonly revisions: number;
  /** The moment that is shown: the newest event until then; null where the stream did not exist yet. */
  readonly as_of: { readonly revision: number; readonly occurred_at: string; readonly recorded_at: string } | null;
  readonly is_newest: boolean;
  /** The state as of the moment; null where there was none. */
  readonly state: JsonObject | null;
  /** The verdict over all events, whatever the moment. */
  readonly chain: { readonly is_intact: boolean; readonly broken_at: BrokenLink | null };
  /** Events before and after the shown ones. */
  readonly earlier: number;
  readonly later: number;
  readonly events: readonly StreamEvent[];
};

type StreamHistory = {
  readonly stream: string;
  /** All events from the start, in their newest shapes. */
  readonly events: readonly RecordedEvent[];
  /** The stream's state after each event; null where there is none. */
  readonly states: Iterable<JsonObject | null>;
  readonly broken: BrokenLink | null;
};

/** The greatest number of events that are shown on either side of the moment. */
const EVENTS_BESIDE = 60;

type Shown = { readonly at: number; readonly from: number; readonly to: number };

/**
 * A stream as of a moment, by default the newest one. Pure: the API, the console and the command line show the same.
 * Throws Refusal parameter_invalid for a revision that the stream does not have.
 */
export function streamView(
  { stream, events, states, broken }: StreamHistory,
  moment: StreamMoment | null,
  beside = EVENTS_BESIDE,
): StreamView {
  const { universe, category, id } = parseStreamName(stream);
  const at = placeOf(events, moment);
  const from = Math.max(0, at - beside);
  const to = Math.min(events.length, Math.max(at, 0) + 1 + beside);
  const told = toldEvents({ stream, events, states }, { at, from, to });
  const newest = events[at];
  return {
    object: 'stream',
    ...{ stream, universe, category, id },
    revisions: events.length,
    as_of: newest
      ? {
          revision: newest.revision,
          occurred_at: newest.metadata.occurred_at,
          recorded_at: newest.metadata.recorded_at,
        }
      : null,
    is_newest: at === events.length - 1,
    state: told.state,
    chain: { is_intact: broken === null, broken_at: broken },
    earlier: from,
    later: events.length - to,
    events: told.events,
  };
}

function toldEvents({ stream, events, states }: Omit<StreamHistory, 'broken'>, { at, from, to }: Shown) {
  const units = unitsOf(stream, events);
  const told: StreamEvent[] = [];
  let [before, asOf]: (JsonObject | null)[] = [null, null];
  let place = 0;
  for (const state of states) {
    const event = events[place];
    if (!event || place >= to) break;
    const after = state && withoutSecrets(state);
    if (place >= from)
      told.push(toldEvent(event, eventReason(event, units), jsonChanges(before ?? null, after), place > at));
    if (place === at) asOf = after;
    before = after;
    place += 1;
  }
  return { events: told, state: asOf ?? null };
}

function toldEvent(
  { id, revision, type, data, metadata }: RecordedEvent,
  reason: string,
  changes: readonly FieldChange[],
  isLater: boolean,
): StreamEvent {
  const { occurred_at, recorded_at, actor, merchant_id, request_id, command_id, correlation_id, causation_id } =
    metadata;
  return {
    ...{ id, revision, type, is_later: isLater, occurred_at, recorded_at, actor },
    actor_in_words: actorWords(actor),
    ...{ merchant_id, request_id, command_id, correlation_id, causation_id },
    ip: metadata.ip,
    hash: metadata.hash,
    data: withoutSecrets(data),
    reason,
    changes,
  };
}

/** The place of the moment's event in the history; -1 before the first one. */
function placeOf(events: readonly RecordedEvent[], moment: StreamMoment | null): number {
  const newest = events.length - 1;
  if (moment === null) return newest;
  if ('timeMs' in moment)
    return events.findLastIndex(({ metadata }) => parseIsoTime(metadata.recorded_at) <= moment.timeMs);
  if (Number.isInteger(moment.revision) && moment.revision >= 0 && moment.revision <= newest) return moment.revision;
  const message = `The stream has the revisions 0 to ${newest}.`;
  throw refuse('parameter_invalid', { param: 'revision', message });
}
