import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../../src/kernel/clock';
import type { Documents } from '../../../src/kernel/ports/documents';
import type { Log } from '../../../src/kernel/ports/log';
import { fingerprint, recordId } from '../../../src/platform/idempotency/fingerprint';
import type { LeaseRequest } from '../../../src/platform/idempotency/idempotency-records';
import { IdempotencyRecords } from '../../../src/platform/idempotency/idempotency-records';
import { fixedBox } from '../../support/fixed-data-keys';

export const NOON = Date.UTC(2026, 10, 1, 12);

/** Time that moves when the test says so, and then ends the waits that are due in their order. */
export class ManualClock implements Clock {
  private waiting: { readonly atMs: number; readonly end: () => void }[] = [];

  constructor(private nowMs = NOON) {}

  now(): number {
    return this.nowMs;
  }

  wait(delayMs: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise(resolve => {
      const end = (): void => {
        this.waiting = this.waiting.filter(other => other.end !== end);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      this.waiting.push({ atMs: this.nowMs + delayMs, end });
      signal?.addEventListener('abort', end);
    });
  }

  async advance(byMs: number): Promise<void> {
    const untilMs = this.nowMs + byMs;
    for (;;) {
      // A caller that is about to wait gets to its wait first.
      await nextTurn();
      const [next] = this.waiting.filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs);
      if (!next) break;
      this.nowMs = next.atMs;
      next.end();
    }
    this.nowMs = untilMs;
  }
}

export const entropy = { bytes: (count: number): Uint8Array => randomBytes(count) };
export const masterKey = new Uint8Array(32).fill(1);

/** Collects the warnings. */
export class Warnings implements Log {
  readonly messages: string[] = [];
  info(): void {}
  warn(_: object, message: string): void {
    this.messages.push(message);
  }
  error(_: object, message: string): void {
    this.messages.push(message);
  }
}

export type ProcessOptions = {
  readonly documents: Documents;
  readonly clock: Clock;
  readonly alone?: boolean;
  readonly key?: Uint8Array;
  readonly log?: Log;
};

/** The records as one process sees them. */
export function openRecords({
  documents,
  clock,
  alone = false,
  key = masterKey,
  log = new Warnings(),
}: ProcessOptions) {
  return IdempotencyRecords.open({ documents, clock, entropy, alone, secretBox: fixedBox(key, entropy), log });
}

export function order(key = 'order-42', body = '{"amount":1}', nowMs = NOON): LeaseRequest {
  return {
    id: recordId('key_1', key),
    fingerprint: fingerprint('POST', '/v1/orders', Buffer.from(body)),
    owner: { universe: 'test', merchantId: 'mch_1' },
    nowMs,
  };
}
