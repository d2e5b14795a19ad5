import type { ShownState } from './audit-states';
import type { TypesByCategory } from './events-by-category';

export type Category = keyof TypesByCategory;
export type Action = `${string}.${string}`;

/** The rows of one category's events. Every type has its action, in the words noun and verb. */
export type Rules<Type extends string> = {
  readonly actions: Readonly<Record<Type, Action>>;
  /** The kind of the target; the category's own name where it is left out. */
  readonly target?: string;
  /** The id of the target; the stream's id where it is left out. */
  readonly targetId?: (id: string, data: Readonly<Record<string, unknown>>) => string;
  /** The state around the event, for which the stream is read. */
  readonly state?: ShownState;
  /** The events that show the state; all of them where it is left out. */
  readonly statesOf?: readonly Type[];
};

export type RulesByCategory = {
  readonly [C in Category]: Rules<Extract<keyof TypesByCategory[C], string>>;
};
