/** A merchant's clock after its last advance. */
export type ClockStanding = {
  /** The lead over the wall's clock, in milliseconds. */
  readonly aheadMs: number;
  /** The wall's moment of the advance, ISO-8601 UTC; null for a clock that was never advanced. */
  readonly advancedAt: string | null;
};

export const NEVER_ADVANCED: ClockStanding = { aheadMs: 0, advancedAt: null };
