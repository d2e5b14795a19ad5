// Generated from the OpenAPI document by `npm run client:generate`; changed there, never here.

import type { Requester } from '../requester';
import type { RequestOptions } from '../request-options';

/**
 * The clock of your account in test mode: it ticks as any other, ahead of the real time by what it was
 * advanced
 */
export interface SandboxClock {
  readonly object: 'sandbox_clock';
  readonly mode: 'test';
  /** Time of the clock as this is answered */
  readonly now: string;
  /** How far it is ahead of the real time, in all */
  readonly advanced_ms: number;
  /** The real time of the last advance; null where there was none */
  readonly advanced_at: string | null;
}

export interface AdvanceSandboxClockRequest {
  /** The moment to show from now on */
  readonly now?: string;
  /** In place of `now` */
  readonly advance_ms?: number;
}

export class SandboxClockResource {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Retrieve the clock of your account in test mode */
  retrieve(options?: RequestOptions): Promise<SandboxClock> {
    return this.#requester.send({ method: 'GET', path: '/v1/sandbox/clock' }, options);
  }

  /** Advance the clock of your account in test mode, to a moment or by a span */
  update(body?: AdvanceSandboxClockRequest, options?: RequestOptions): Promise<SandboxClock> {
    return this.#requester.send({ method: 'POST', path: '/v1/sandbox/clock', body }, options);
  }
}
