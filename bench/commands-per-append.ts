import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mirrorWriter } from '../projections/runner/read-models';
import { ALL_PROJECTIONS } from '../projections/all';
import type { CommandContext } from '../src/kernel/command-context';
import type { NewEvent, RecordedEvent } from '../src/kernel/event';
import { commandId, uuidV5 } from '../src/kernel/ids';
import { WritePath } from '../src/kernel/write-path';
import { paymentIntents } from '../src/modules/payment-intents/payment-intent.decider';
import { SystemClock } from '../src/platform/clock/system-clock';
import { EmbeddedDocuments } from '../src/platform/documents/embedded/embedded-documents';
import { EmbeddedFile } from '../src/platform/embedded-file/embedded-file';
import { EmbeddedEventStore } from '../src/platform/event-store/embedded/embedded-event-store';
import { createLogger } from '../src/platform/logging/logger';
import { inFlight, median } from './measure';

const CONCURRENCY = 32;
const ROUND = 2_000;
const ROUNDS = 9;
const KEY = new Uint8Array(32);
const terms = {
  amount_minor_units: '2500',
  currency: 'EUR',
  currency_decimals: 2,
  metadata: { order: '42' },
  description: null,
  success_url: null,
};

function context(command: string): CommandContext {
  return {
    commandId: command,
    actor: { role: 'api', type: 'api_key', id: 'key_00000000000000000000000000' },
    universe: 'test',
    merchantId: 'mch_00000000000000000000000000',
    startedAt: Date.now(),
    now: Date.now(),
    requestId: 'req_00000000000000000000000000',
    correlationId: 'req_00000000000000000000000000',
    causationId: null,
    ip: '127.0.0.1',
  };
}

/**
 * R2: commands a second, with decision, hash chain and read model, over raw single-event appends a second of the same
 * bytes.
 */
export async function commandsPerAppend(): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'quittance-bench-'));
  const file = EmbeddedFile.open(folder, { role: 'service' });
  const clock = new SystemClock();
  const store = new EmbeddedEventStore(file, clock);
  const documents = new EmbeddedDocuments(file);
  const writes = new WritePath(store, clock, mirrorWriter(documents, ALL_PROJECTIONS, createLogger({ level: 'warn' })));
  let counter = 0;
  const create = (): Promise<{ events: readonly RecordedEvent[] }> => {
    const command = uuidV5(String(counter++));
    const id = commandId('pi', Date.now(), KEY, command);
    return writes.execute(paymentIntents, id, { type: 'create', terms }, context(command));
  };
  const template = (await create()).events[0] as NewEvent;
  const append = (): Promise<unknown> => {
    const id = uuidV5(`raw ${counter++}`);
    const { type, data, metadata } = template;
    return store.append(`test.raw-${id}`, 'no_stream', [{ id, type, data, metadata }]);
  };
  const perSecond = async (act: () => Promise<unknown>): Promise<number> => {
    const startedAt = process.hrtime.bigint();
    await inFlight(ROUND, CONCURRENCY, act);
    return (ROUND * 1e9) / Number(process.hrtime.bigint() - startedAt);
  };
  await perSecond(append);
  await perSecond(create);
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) ratios.push((await perSecond(create)) / (await perSecond(append)));
  await store.close();
  await documents.close();
  file.close();
  rmSync(folder, { recursive: true, force: true });
  return median(ratios);
}
