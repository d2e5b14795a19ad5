import { SECOND_MS } from '../../../kernel/clock';
import type { WebhookOutcome } from '../../../kernel/ports/webhook-sender';

/** Attempts to one endpoint that are under way at once. */
export const ENDPOINT_LIMIT = 4;
/** While an endpoint times out, one attempt at a time finds out whether it answers again. */
const PROBES = 1;
/** An answer that took longer leaves the endpoint in doubt. */
export const SLOW_ANSWER_MS = 2 * SECOND_MS;

/**
 * How an endpoint has answered lately. One in doubt has timed out, was slow, or has not answered yet: it holds a place for long, so those in
 * doubt share a part of the places.
 */
export type Circuit = {
  /** In a row. */
  readonly timeouts: number;
  readonly isDoubted: boolean;
};

export const UNTRIED: Circuit = { timeouts: 0, isDoubted: true };

export function afterOutcome({ timeouts }: Circuit, { error, latencyMs }: WebhookOutcome): Circuit {
  if (error === 'timeout') return { timeouts: timeouts + 1, isDoubted: true };
  return { timeouts: 0, isDoubted: latencyMs > SLOW_ANSWER_MS };
}

export function limitOf({ timeouts }: Circuit): number {
  return timeouts > 0 ? PROBES : ENDPOINT_LIMIT;
}
