import { isDeepStrictEqual } from 'node:util';
import { fold, type DecisionContext } from '../../src/kernel/decider';
import type { ErrorCode } from '../../src/kernel/errors';
import { isRefusal } from '../../src/kernel/errors';
import type { DomainEvent } from '../../src/kernel/event';
import { canonicalJson } from '../../src/kernel/json';
import type { Aggregate } from '../../src/kernel/write-path';

type Facts = Pick<DomainEvent, 'type' | 'data'>;

export type Then<Event extends DomainEvent> = {
  /** Exactly these events in this order, deeply and strictly equal; `then([])` says that nothing was to be done. */
  then(expected: readonly Event[]): void;
  thenRefused(code: ErrorCode): void;
};

export type When<Command, Event extends DomainEvent> = {
  when(command: Command, context: DecisionContext): Then<Event>;
};

/**
 * `given(paymentIntents, [created]).when(command, context).then([selected])`. A decision that nobody asserted, by
 * `then` or `thenRefused`, fails the test that took it.
 */
export function given<State, Command, Event extends DomainEvent>(
  aggregate: Pick<Aggregate<State, Command, Event>, 'initial' | 'decide' | 'evolve'>,
  events: readonly NoInfer<Event>[],
): When<Command, Event> {
  const state = fold(aggregate, events);
  return {
    when(command, context) {
      const decision = decide(() => aggregate.decide(command, state, context));
      const asserted = once();
      return {
        then(expected) {
          asserted();
          if ('refused' in decision) throw decision.refused;
          assertSame(decision.events.map(facts), expected.map(facts));
          // What was decided must also be foldable: a fact that the state cannot take would only fail at the next
          // command.
          fold(
            { initial: state, evolve: (current, event: Event) => aggregate.evolve(current, event) },
            decision.events,
          );
        },
        thenRefused(code) {
          asserted();
          if (!('refused' in decision)) {
            throw new Error(`refused with ${code} was expected, yet it decided ${show(decision.events.map(facts))}`);
          }
          if (!isRefusal(decision.refused, code)) throw decision.refused;
        },
      };
    },
  };
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

type Decision<Event> = { readonly events: readonly Event[] } | { readonly refused: Error };

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

function assertSame(actual: readonly Facts[], expected: readonly Facts[]): void {
  // canonicalJson refuses what JSON would lose, which an equality that ignores `undefined` would let pass.
  for (const event of [...actual, ...expected]) canonicalJson(event);
  if (!isDeepStrictEqual(actual, expected)) {
    throw new Error(`the decision differs\nexpected ${show(expected)}\ndecided  ${show(actual)}`);
  }
}

function show(events: readonly Facts[]): string {
  return events.length === 0 ? 'nothing' : `\n${events.map(event => `  ${canonicalJson(event)}`).join('\n')}`;
}
