import { SECOND_MS } from '../../../kernel/clock';
import type { WebhookOutcome } from '../../../kernel/ports/webhook-sender';

/** Attempts to one endpoint that are under way at once. */
export const ENDPOINT_LIMIT = 4;
/** While an endpoint times out, one attempt at a time finds out whether the endpoint answers again. */
const PROBES = 1;
/** An answer that took longer makes an endpoint slow. */
const SLOW_ANSWER_MS = 2 * SECOND_MS;

/**
 * The endpoint's last answer. An endpoint that is `slow`, or timed out, holds its places for long. An `untried`
 * endpoint has given no answer yet.
 */
export type Standing = 'prompt' | 'untried' | 'slow';

export const STANDINGS: readonly Standing[] = ['prompt', 'untried', 'slow'];

/** `timeouts`: the number in a row. */
export type Circuit = { readonly standing: Standing; readonly timeouts: number };

export const UNTRIED: Circuit = { standing: 'untried', timeouts: 0 };

export function afterOutcome({ timeouts }: Circuit, { error, latencyMs }: WebhookOutcome): Circuit {
  if (error === 'timeout') return { standing: 'slow', timeouts: timeouts + 1 };
  return { standing: latencyMs > SLOW_ANSWER_MS ? 'slow' : 'prompt', timeouts: 0 };
}

export function limitOf({ timeouts }: Circuit): number {
  return timeouts > 0 ? PROBES : ENDPOINT_LIMIT;
}
