import { createHash } from 'node:crypto';
import type { RecordedEvent } from '../../src/kernel/event';
import { START_OF_LOG, type EventStore } from '../../src/kernel/ports/event-store';

/** The categories of the streams about payments, transfers, deliveries, ledgers, wallets, links and invoices. */
export const CATEGORIES: readonly string[] = [
  'payment_intent', 'transfer', 'naming', 'amount_slot', 'coverage', 'coverage_hole', 'deferred_transfer', 'webhook_delivery',
  'webhook_endpoint', 'deferred_webhook', 'unheard_webhook', 'fee_accrual', 'fee_account', 'fee_invoice', 'wallet', 'balance',
  'payment_link', 'invoice_series', 'invoice',
]; // prettier-ignore

/** Every event of the log, in its order. */
export async function wholeLog(store: EventStore): Promise<readonly RecordedEvent[]> {
  const stop = new AbortController();
  const events: RecordedEvent[] = [];
  for await (const batch of store.subscribe({ categories: CATEGORIES }, START_OF_LOG, stop.signal)) {
    events.push(...batch.events);
    if (batch.live) break;
  }
  stop.abort();
  return events;
}

/** One hash over the whole history: two runs of one seed must agree in it. */
export function traceHash(events: readonly RecordedEvent[]): string {
  const hash = createHash('sha256');
  for (const event of events) hash.update(`${event.stream} ${event.revision} ${event.metadata.hash}\n`);
  return hash.digest('hex');
}

/** The streams of a category, each by its name without the mode. */
export function byStream(
  events: readonly RecordedEvent[],
  category: string,
): ReadonlyMap<string, readonly RecordedEvent[]> {
  const streams = new Map<string, RecordedEvent[]>();
  for (const event of events) {
    const name = event.stream.slice(event.stream.indexOf('.') + 1);
    if (!name.startsWith(`${category}-`)) continue;
    const known = streams.get(name);
    if (known) known.push(event);
    else streams.set(name, [event]);
  }
  return streams;
}

/** Streams whose newest event is one of `openings`. */
export function openStreams(
  events: readonly RecordedEvent[],
  category: string,
  ...openings: readonly string[]
): readonly string[] {
  return [...byStream(events, category)].flatMap(([stream, history]) => {
    return openings.includes(history.at(-1)?.type ?? '') ? [stream] : [];
  });
}
