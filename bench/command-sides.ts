import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ALL_PROJECTIONS } from '../projections/all';
import { mirrorWriter } from '../projections/runner/read-models';
import type { RecordedEvent } from '../src/kernel/event';
import type { EventStore } from '../src/kernel/ports/event-store';
import { unwritten, WritePath } from '../src/kernel/write-path';
import { paymentIntents } from '../src/modules/payment-intents/payment-intent.decider';
import { SystemClock } from '../src/platform/clock/system-clock';
import { EmbeddedDocuments } from '../src/platform/documents/embedded/embedded-documents';
import { EmbeddedFile } from '../src/platform/embedded-file/embedded-file';
import { EmbeddedEventStore } from '../src/platform/event-store/embedded/embedded-event-store';
import { EventStoreDbStore } from '../src/platform/event-store/eventstoredb/eventstoredb-store';
import { createLogger } from '../src/platform/logging/logger';
import { inFlight } from './measure';
import { contextOf, CREATE, LIFE, newPaymentId, type Step } from './payment-commands';

/** Takes a payment's commands, one after the other. */
export type CommandSide = {
  execute(paymentId: string, step: Step): Promise<unknown>;
  close(): Promise<void>;
};

/** A side of the service's own, with the log under it. */
export type OwnSide = {
  readonly store: EventStore;
  close(): Promise<void>;
  execute(paymentId: string, step: Step): Promise<{ readonly events: readonly RecordedEvent[] }>;
};

export const WORKLOADS = { create: [CREATE], life: LIFE } as const;
export type Workload = keyof typeof WORKLOADS;

/** The command path over the embedded engine, with its read models, in a folder of its own. */
export function embeddedSide(): OwnSide {
  const folder = mkdtempSync(path.join(tmpdir(), 'quittance-bench-'));
  const file = EmbeddedFile.open(folder, { role: 'service' });
  const clock = new SystemClock();
  const store = new EmbeddedEventStore(file, clock);
  const documents = new EmbeddedDocuments(file);
  const mirrors = mirrorWriter(documents, ALL_PROJECTIONS, createLogger({ level: 'warn' }));
  return ownSide(store, new WritePath(store, clock, mirrors), async () => {
    await store.close();
    await documents.close();
    file.close();
    rmSync(folder, { recursive: true, force: true });
  });
}

/** The command path over the real engine, without read models. */
export async function eventStoreDbSide(url: string): Promise<OwnSide> {
  const store = await EventStoreDbStore.connect(url);
  const writes = new WritePath(store, new SystemClock(), () => Promise.resolve());
  return ownSide(store, writes, () => store.close());
}

function ownSide(store: EventStore, writes: WritePath, close: () => Promise<void>): OwnSide {
  return {
    store,
    close,
    // The try reads nothing, as in the service: no other command can have written to a payment that its first try
    // creates.
    execute: (paymentId, step) => {
      const known = step.command.type === 'create' ? unwritten(paymentIntents) : undefined;
      return writes.execute(paymentIntents, paymentId, step.command, contextOf(step), known);
    },
  };
}

/** Commands a second, over so many commands with so many payments under way. */
export async function commandsPerSecond(
  side: CommandSide,
  workload: Workload,
  commands: number,
  concurrency: number,
): Promise<number> {
  const steps = WORKLOADS[workload];
  const payments = Math.ceil(commands / steps.length);
  const startedAt = process.hrtime.bigint();
  await inFlight(payments, concurrency, async () => {
    const paymentId = newPaymentId();
    for (const step of steps) await side.execute(paymentId, step);
  });
  return (payments * steps.length * 1e9) / Number(process.hrtime.bigint() - startedAt);
}
