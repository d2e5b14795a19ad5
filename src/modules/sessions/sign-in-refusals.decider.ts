import { utcDay } from '../../kernel/clock';
import type { Aggregate } from '../../kernel/write-path';
import type { SignInRefusalReason, SignInRefused } from './sign-in-refusals.events';

/** Strangers can cause these events, so a day of a user holds no more of them. */
export const MAX_REFUSALS_A_DAY = 100;

type Refusals = { readonly count: number };
type RefusalsCommand = { readonly type: 'refuse'; readonly reason: SignInRefusalReason };

function decide({ reason }: RefusalsCommand, { count }: Refusals): readonly SignInRefused[] {
  return count < MAX_REFUSALS_A_DAY ? [{ type: 'SignInRefused', data: { reason } }] : [];
}

/** The refused tries to sign in as one user on one day of UTC. */
export const signInRefusals: Aggregate<Refusals, RefusalsCommand, SignInRefused> = {
  category: 'sign_in_refusals',
  // The stream's id is the user's own with a day, and no request names it.
  notFound: null,
  initial: { count: 0 },
  decide,
  evolve: ({ count }) => ({ count: count + 1 }),
};

/** `usr_…:2026-11-01` */
export function refusalsId(userId: string, at: string): string {
  return `${userId}:${utcDay(at)}`;
}
