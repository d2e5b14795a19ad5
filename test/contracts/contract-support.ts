import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '../../src/kernel/clock';
import { streamName, type EventMetadata, type NewEvent } from '../../src/kernel/event';
import type { Universe } from '../../src/vocabulary/modes';
import type { JsonObject } from '../../src/vocabulary/json';
import type { LogPosition } from '../../src/kernel/log-position';
import type { EventStore, ExpectedRevision, LogFilter } from '../../src/kernel/ports/event-store';
import type { RecordedEvent } from '../../src/kernel/event';

export const CONTRACT_TIMEOUT_MS = 60_000;

/** Lower-case letters that no other test uses, since a suite may run against a server that others share. */
export function uniqueName(prefix: string): string {
  const letters = Array.from(randomBytes(12), byte => String.fromCharCode(97 + (byte % 26)));
  return `${prefix}_${letters.join('')}`;
}

export function uniqueStream(category = uniqueName('contract'), universe: Universe = 'test'): string {
  return streamName(universe, category, randomUUID());
}

export function metadata(changes: Partial<EventMetadata> = {}): EventMetadata {
  return {
    actor: { role: 'api', type: 'api_key', id: 'key_01hq3k8zj5x2v7m4t9c6w1p0ra' },
    merchant_id: 'mch_01hq3k8zj5x2v7m4t9c6w1p0ra',
    mode: 'test',
    command_id: 'req_01hq3k8zj5x2v7m4t9c6w1p0ra/contract',
    request_id: 'req_01hq3k8zj5x2v7m4t9c6w1p0ra',
    correlation_id: 'req_01hq3k8zj5x2v7m4t9c6w1p0ra',
    causation_id: null,
    occurred_at: '2026-11-01T12:00:00.000Z',
    recorded_at: '2026-11-01T12:00:00.123Z',
    ip: '203.0.113.7',
    schema: 1,
    prev_hash: '0'.repeat(64),
    hash: randomBytes(32).toString('hex'),
    ...changes,
  };
}

export function newEvent(type = 'ContractKept', data: JsonObject = { note: 'kept' }): NewEvent {
  return { id: randomUUID(), type, data, metadata: metadata() };
}

export function newEvents(count: number, type?: string): NewEvent[] {
  return Array.from({ length: count }, (_, index) => newEvent(type, { index }));
}

export function ids(events: readonly { readonly id: string }[]): string[] {
  return events.map(event => event.id);
}

/** Matching events from `after` on, once `count` of them have come. */
export async function collect(
  store: EventStore,
  filter: LogFilter,
  after: LogPosition,
  count: number,
): Promise<RecordedEvent[]> {
  const collected: RecordedEvent[] = [];
  const stop = new AbortController();
  for await (const batch of store.subscribe(filter, after, stop.signal)) {
    collected.push(...batch.events);
    if (collected.length >= count) stop.abort();
  }
  return collected;
}

/** The promise's rejection; fails when the promise was fulfilled. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it was not refused');
}

/**
 * Reads, appends at the revision just read, and starts over when another writer was first. Answers the revision that it
 * won.
 */
export async function appendNext(store: EventStore, stream: string, event: NewEvent): Promise<number> {
  for (;;) {
    const [last] = await store.readStream(stream, { direction: 'backwards', limit: 1 });
    const expected: ExpectedRevision = last ? last.revision : 'no_stream';
    try {
      return (await store.append(stream, expected, [event])).revision;
    } catch (error) {
      if ((error as Error).name !== 'WrongExpectedRevision') throw error;
    }
  }
}

/** A promise to be settled by hand. */
export class Gate {
  readonly opened: Promise<void>;
  open: () => void = () => undefined;

  constructor() {
    this.opened = new Promise(resolve => (this.open = resolve));
  }
}

/** Resolves once `holds` does; the test's own time-out ends it otherwise. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(resolve => setTimeout(resolve, 5));
}

/** A wait counts at most so much of the elapsed time at once, since the machine may have stood still for longer. */
const STEP_MS = 50;

/**
 * The wall's time, with every wait cut to a fraction, so that ten deliveries do not take ten deliveries' time. A wait
 * is made of steps: a second in which a busy machine did nothing must not pass for a deadline of ten.
 */
export class HurriedClock implements Clock {
  constructor(private readonly haste = 50) {}

  now(): number {
    return Date.now();
  }

  wait(delayMs: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise(resolve => {
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      let timer: NodeJS.Timeout;
      const step = (leftMs: number): void => {
        timer = leftMs > STEP_MS ? setTimeout(step, STEP_MS, leftMs - STEP_MS) : setTimeout(end, leftMs);
      };
      step(delayMs / this.haste);
      signal?.addEventListener('abort', end, { once: true });
    });
  }
}
