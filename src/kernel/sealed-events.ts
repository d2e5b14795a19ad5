import { isoTime } from './clock';
import type { CommandContext } from './command-context';
import type { DomainEvent, EventMetadata, RecordedEvent } from './event';
import { GENESIS_HASH, hashOver } from './hash-chain';
import { uuidV8 } from '../vocabulary/ids';
import { canonicalJson } from '../vocabulary/json';
import { START_OF_LOG } from './ports/event-store';
import { newestVersion, type Upcasts } from './upcasting';

type Sealing = {
  readonly stream: string;
  /** The stream's newest event; undefined where there is none. */
  readonly last: RecordedEvent | undefined;
  readonly context: CommandContext;
  readonly recordedAtMs: number;
  readonly upcasts: Upcasts;
};

/** Gives decided facts their ids, metadata and place in the stream's hash chain. */
export function sealedEvents<Event extends DomainEvent>(
  decided: readonly Event[],
  { stream, last, context, recordedAtMs, upcasts }: Sealing,
): readonly RecordedEvent<Event>[] {
  let previousHash = last?.metadata.hash ?? GENESIS_HASH;
  const firstRevision = (last?.revision ?? -1) + 1;
  return decided.map((event, index) => {
    const revision = firstRevision + index;
    const base = baseMetadata(context, recordedAtMs);
    const sealing = { ...base, schema: newestVersion(upcasts, event.type), prev_hash: previousHash };
    const parts = { data: canonicalJson(event.data), metadata: canonicalJson(sealing) };
    // A log takes an event whose id it already has for a repetition. So the id is made of all parts of the event.
    const name = [stream, revision, index, event.type, parts.data, parts.metadata].join('\n');
    const id = uuidV8(recordedAtMs, name);
    previousHash = hashOver(stream, revision, { id, type: event.type }, parts);
    const metadata: EventMetadata = { ...sealing, hash: previousHash };
    // The log alone gives positions; mirrors go by the revision.
    return { ...event, id, stream, revision, position: START_OF_LOG, metadata };
  });
}

function baseMetadata(
  context: CommandContext,
  recordedAtMs: number,
): Omit<EventMetadata, 'schema' | 'prev_hash' | 'hash'> {
  return {
    actor: context.actor,
    merchant_id: context.merchantId,
    mode: context.universe,
    command_id: context.commandId,
    request_id: context.requestId,
    correlation_id: context.correlationId,
    causation_id: context.causationId,
    occurred_at: isoTime(context.now),
    recorded_at: isoTime(recordedAtMs),
    ip: context.ip,
  };
}
