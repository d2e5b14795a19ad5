/** How a payment of test mode can come out, by the customer that the sandbox plays. */
export const SANDBOX_OUTCOMES = [
  'exact', 'short', 'over', 'late', 'reorged', 'reverted', 'wrong_token',
] as const; // prettier-ignore
export type SandboxOutcome = (typeof SANDBOX_OUTCOMES)[number];
