import type { RecordedEvent } from '../../kernel/event';
import type { ReadModel, ReadModels } from '../../kernel/ports/read-models';
import { canonicalJson, type JsonObject } from '../../vocabulary/json';

/**
 * The state that rows of a stream show: members of the stream's document. Where each event tells the whole state, the
 * facts of the event before are enough.
 */
export type ShownState =
  | { readonly kind: 'document'; readonly readModel: ReadModel; readonly members: readonly string[] }
  | { readonly kind: 'restated' };

export const RESTATED: ShownState = { kind: 'restated' };

/** Names each member that is shown, so that a document's secret is shown by no oversight. */
export function shown<Body extends JsonObject>(
  readModel: ReadModel<Body>,
  members: readonly Extract<keyof Body, string>[],
): ShownState {
  return { kind: 'document', readModel: readModel as ReadModel, members };
}

/** Whether the event and the one before it are enough. */
export function needsOneBefore(state: ShownState): boolean {
  return state.kind === 'restated' || state.readModel.restates === true;
}

export type StateChange = { readonly before: JsonObject | null; readonly after: JsonObject };

/** The state around the last event of the history: the members that the event changed. Pure. */
export function stateChange(
  state: ShownState,
  history: readonly RecordedEvent[],
  fold: ReadModels['fold'],
): StateChange {
  const [earlier, event] = [history.slice(0, -1), history.at(-1)];
  if (state.kind === 'restated') return changed(earlier.at(-1)?.data ?? null, event?.data ?? {});
  const { readModel, members } = state;
  const after = fold(readModel, history).find(({ version }) => version === event?.revision);
  const before = after && fold(readModel, earlier).find(({ id }) => id === after.id);
  return changed(before ? picked(before.body, members) : null, after ? picked(after.body, members) : {});
}

function picked(body: JsonObject, members: readonly string[]): JsonObject {
  return Object.fromEntries(members.flatMap(name => (Object.hasOwn(body, name) ? [[name, body[name] ?? null]] : [])));
}

function changed(before: JsonObject | null, after: JsonObject): StateChange {
  if (before === null) return { before, after };
  const names = Object.keys({ ...before, ...after }).filter(
    name => canonicalJson(before[name] ?? null) !== canonicalJson(after[name] ?? null),
  );
  return { before: names.length === 0 ? null : picked(before, names), after: picked(after, names) };
}
