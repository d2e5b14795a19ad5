import type { Actor, DomainEvent } from './event';

/**
 * The facts that a decision may know beside its command: the actor, and the time of the mode's clock in milliseconds.
 */
export type DecisionContext = { readonly actor: Actor; readonly now: number };

/**
 * One aggregate's rules, pure: `decide` turns a command into facts or refuses, `evolve` moves the state by a recorded
 * fact and never throws. A decision without events means that the command's wish is already fulfilled.
 */
export interface Decider<State, Command, Event extends DomainEvent> {
  readonly category: string;
  readonly initial: State;
  decide(command: Command, state: State, context: DecisionContext): readonly Event[];
  evolve(state: State, event: Event): State;
  /** The same as `evolve` over all events, for a state that would otherwise be copied for every event. */
  evolveAll?(events: readonly Event[]): State;
}

export function fold<State, Event extends DomainEvent>(
  decider: Pick<Decider<State, never, Event>, 'initial' | 'evolve' | 'evolveAll'>,
  events: readonly Event[],
): State {
  if (decider.evolveAll) return decider.evolveAll(events);
  return events.reduce<State>((state, event) => decider.evolve(state, event), decider.initial);
}
