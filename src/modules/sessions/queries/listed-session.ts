import type { SignInMethod } from '../signed-in';

/** A device of the user. All times are ISO-8601 UTC. */
export type ListedSession = {
  readonly id: string;
  readonly method: SignInMethod;
  readonly ip: string | null;
  readonly user_agent: string;
  readonly current: boolean;
  readonly created: string;
  /** Written once a minute at most. */
  readonly last_used_at: string;
  readonly expires_at: string;
};
