import { refuse } from '../../vocabulary/errors';

/** A time of a person as an active owner. */
export type OwnerTerm = { readonly userId: string; readonly term: number };

/** The newest term of each owner that may end, by person. */
export type ReleasedTerms = Readonly<Record<string, number>>;

export function isReleased(released: ReleasedTerms, { userId, term }: OwnerTerm): boolean {
  return term <= (released[userId] ?? 0);
}

export function lastOwner(message: string): Error {
  return refuse('invalid_state_transition', { message });
}
