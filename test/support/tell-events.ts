import { UPCASTS } from '../../src/composition/aggregates';
import type { CommandContext } from '../../src/kernel/command-context';
import { parseStreamName, type Actor, type DomainEvent } from '../../src/kernel/event';
import type { EventStore } from '../../src/kernel/ports/event-store';
import { sealedEvents } from '../../src/kernel/sealed-events';

export type TellFacts = {
  readonly merchant: string;
  /** Milliseconds of the first event; each further one comes a second later. */
  readonly atMs: number;
  readonly actor?: Actor;
};

const WATCHER: Actor = { role: 'watcher', type: 'system', id: 'chain_watch' };

/** Appends a history as a test tells it, in the newest shapes: no decider is asked. */
export async function tellEvents(
  store: Pick<EventStore, 'readStream' | 'append'>,
  stream: string,
  events: readonly DomainEvent[],
  { merchant: merchantId, atMs, actor = WATCHER }: TellFacts,
): Promise<void> {
  const { universe, category } = parseStreamName(stream);
  const upcasts = UPCASTS[category] ?? {};
  let last = (await store.readStream(stream)).at(-1);
  for (const [index, event] of events.entries()) {
    const now = atMs + index * 1_000;
    const context: CommandContext = {
      ...{ commandId: `${stream}/${now}`, actor, startedAt: now, now, universe, merchantId },
      ...{ requestId: null, correlationId: 'test', causationId: null, ip: null },
    };
    const sealed = sealedEvents([event], { stream, last, context, recordedAtMs: now, upcasts });
    await store.append(stream, last?.revision ?? 'no_stream', sealed);
    last = sealed[0];
  }
}
