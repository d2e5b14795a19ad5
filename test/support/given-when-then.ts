import { isDeepStrictEqual } from 'node:util';
import { fold, type DecisionContext } from '../../src/kernel/decider';
import type { ErrorCode, Refusal } from '../../src/vocabulary/errors';
import { isRefusal } from '../../src/vocabulary/errors';
import type { DomainEvent } from '../../src/kernel/event';
import { canonicalJson } from '../../src/vocabulary/json';
import type { Aggregate } from '../../src/kernel/write-path';

type Facts = Pick<DomainEvent, 'type' | 'data'>;
type Rules<State, Command, Event extends DomainEvent> = Pick<
  Aggregate<State, Command, Event>,
  'initial' | 'decide' | 'evolve' | 'evolveAll'
>;

/** No decision depends on the steps up of a session, so its state keeps none. */
const KEPT_BY_HISTORY_ALONE = 'SteppedUp';

export type Then<State, Event extends DomainEvent> = {
  /** Exactly these events in this order, deeply and strictly equal; `then([])` says that nothing was to be done. */
  then(expected: readonly Event[]): State;
  /** Exactly these types in this order, for a table of many decisions. Answers the state that they lead to. */
  thenTypes(expected: readonly string[]): State;
  /**
   * `param`, where it is given, names the field at fault; null for none. Answers the refusal, for the few tests of what
   * it says besides its code.
   */
  thenRefused(code: ErrorCode, param?: string | null): Refusal;
  /** The types that were decided, or the refusal's code, for a rule that holds over many states. */
  outcome(): readonly string[] | ErrorCode;
};

export type Given<State, Command, Event extends DomainEvent> = {
  /** The state that the history folds to. */
  readonly state: State;
  when(command: Command, context: DecisionContext): Then<State, Event>;
};

/**
 * `given(paymentIntents, [created]).when(command, context).then([selected])`. A history that could not have happened
 * fails: each fact must change the state. A decision that nobody asserted fails the test that took it.
 */
export function given<State, Command, Event extends DomainEvent>(
  aggregate: Rules<State, Command, Event>,
  events: readonly NoInfer<Event>[],
): Given<State, Command, Event> {
  const state = taken(aggregate, aggregate.initial, events, 'given');
  // The write path folds at once the facts that are folded here one by one.
  if (!isDeepStrictEqual(fold(aggregate, events), state))
    throw new Error('evolveAll comes to another state than evolve');
  return {
    state,
    when(command, context) {
      const decision = decide(() => aggregate.decide(command, state, context));
      const asserted = once();
      const decided = (): readonly Event[] => {
        asserted();
        if ('refused' in decision) throw decision.refused;
        return decision.events;
      };
      return {
        then(expected) {
          const events = decided();
          assertSame(events.map(facts), expected.map(facts));
          return taken(aggregate, state, events, 'decided');
        },
        thenTypes(expected) {
          const events = decided();
          assertSame(events.map(typeOf), expected.map(typeOf));
          return taken(aggregate, state, events, 'decided');
        },
        thenRefused(code, param) {
          asserted();
          if (!('refused' in decision)) {
            throw new Error(`refused with ${code} was expected, yet it decided ${show(decision.events.map(facts))}`);
          }
          const { refused } = decision;
          if (refused.code !== code) throw refused;
          if (param !== undefined && refused.param !== param) {
            throw new Error(`refused with ${code} at ${param} was expected, yet it is at ${refused.param}`);
          }
          return refused;
        },
        outcome() {
          asserted();
          return 'refused' in decision ? decision.refused.code : decision.events.map(({ type }) => type);
        },
      };
    },
  };
}

/**
 * The state after the events. A state cannot take a fact that leaves it as it was: the aggregate ignores the fact,
 * since no stream has it there.
 */
function taken<State, Event extends DomainEvent>(
  { evolve }: Pick<Rules<State, never, Event>, 'evolve'>,
  from: State,
  events: readonly Event[],
  by: 'given' | 'decided',
): State {
  return events.reduce((state, event, index) => {
    const next = evolve(state, event);
    if (event.type !== KEPT_BY_HISTORY_ALONE && isDeepStrictEqual(next, state)) {
      throw new Error(`the state cannot take fact ${index + 1} of those ${by}: ${canonicalJson(facts(event))}`);
    }
    return next;
  }, from);
}

let unasserted = 0;

afterEach(() => {
  const left = unasserted;
  unasserted = 0;
  if (left > 0) throw new Error(`${left} decisions were taken and not asserted: end each with then() or thenRefused()`);
});

/** Counts one decision as asserted, however often it is asked. */
function once(): () => void {
  unasserted++;
  let isOpen = true;
  return () => {
    if (isOpen) unasserted--;
    isOpen = false;
  };
}

type Decision<Event> = { readonly events: readonly Event[] } | { readonly refused: Refusal };

function decide<Event>(decision: () => readonly Event[]): Decision<Event> {
  try {
    return { events: decision() };
  } catch (error) {
    if (isRefusal(error)) return { refused: error };
    throw error;
  }
}

function facts({ type, data }: DomainEvent): Facts {
  return { type, data };
}

function typeOf(event: DomainEvent | string): Facts {
  return { type: typeof event === 'string' ? event : event.type, data: {} };
}

function assertSame(actual: readonly Facts[], expected: readonly Facts[]): void {
  // canonicalJson refuses values that JSON would lose, which an equality that ignores `undefined` would let pass.
  for (const event of [...actual, ...expected]) canonicalJson(event);
  if (!isDeepStrictEqual(actual, expected)) {
    throw new Error(`the decision differs\nexpected ${show(expected)}\ndecided  ${show(actual)}`);
  }
}

function show(events: readonly Facts[]): string {
  return events.length === 0 ? 'nothing' : `\n${events.map(event => `  ${canonicalJson(event)}`).join('\n')}`;
}
