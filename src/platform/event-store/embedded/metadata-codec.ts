import { isoTime, parseIsoTime } from '../../../kernel/clock';
import type { EventMetadata, Universe } from '../../../kernel/event';
import type { JsonObject } from '../../../kernel/json';
import { WRITTEN_OUT, type Vocabulary } from './vocabulary';

const SHA256_PATTERN = /^[0-9a-f]{64}$/;
const SHA256_HEX_LENGTH = 64;
const SAME_AS_REQUEST = 0;

/** Times in milliseconds, the second as its distance from the first; what is left out is told by the stream's name or the context. */
type Stored = Omit<Partial<EventMetadata>, 'recorded_at' | 'occurred_at' | 'correlation_id'> & {
  readonly recorded_at: string | number;
  readonly occurred_at: string | number;
  readonly correlation_id: string | typeof SAME_AS_REQUEST;
};

export type EncodedMetadata = {
  /** WRITTEN_OUT when the rest holds it. */
  readonly context: number;
  readonly rest: JsonObject;
  /** `prev_hash` and `hash`, 32 bytes each; null when the rest holds them. */
  readonly hashes: Uint8Array | null;
};

/** Metadata is most of an event, and most of it repeats: only what an event says anew is kept with it. Null: the vocabulary must learn. */
export function encodeMetadata(
  vocabulary: Vocabulary,
  universe: Universe,
  metadata: EventMetadata,
): EncodedMetadata | null {
  const { actor, merchant_id, mode, prev_hash, hash, ...others } = metadata;
  const context = vocabulary.contextId({ actor, merchant_id });
  if (context === null) return null;
  const areHashes = SHA256_PATTERN.test(prev_hash) && SHA256_PATTERN.test(hash);
  const rest: Stored = {
    ...others,
    ...encodeTimes(metadata),
    correlation_id: metadata.correlation_id === metadata.request_id ? SAME_AS_REQUEST : metadata.correlation_id,
    ...(context === WRITTEN_OUT && { actor, merchant_id }),
    ...(mode !== universe && { mode }),
    ...(!areHashes && { prev_hash, hash }),
  };
  return { context, rest, hashes: areHashes ? Buffer.from(prev_hash + hash, 'hex') : null };
}

export function decodeMetadata(vocabulary: Vocabulary, universe: Universe, encoded: EncodedMetadata): EventMetadata {
  const { recorded_at, occurred_at, correlation_id, ...rest } = encoded.rest as unknown as Stored;
  return {
    mode: universe,
    ...rest,
    ...(encoded.context !== WRITTEN_OUT && vocabulary.contextOf(encoded.context)),
    ...decodeTimes(recorded_at, occurred_at),
    correlation_id: correlation_id === SAME_AS_REQUEST ? rest.request_id : correlation_id,
    ...(encoded.hashes && decodeHashes(encoded.hashes)),
  } as EventMetadata;
}

function encodeTimes({ recorded_at, occurred_at }: EventMetadata): Pick<Stored, 'recorded_at' | 'occurred_at'> {
  const [recordedMs, occurredMs] = [readTime(recorded_at), readTime(occurred_at)];
  if (recordedMs === null || occurredMs === null) return { recorded_at, occurred_at };
  return { recorded_at: recordedMs, occurred_at: recordedMs - occurredMs };
}

function decodeTimes(
  recorded: string | number,
  occurred: string | number,
): Pick<Stored, 'recorded_at' | 'occurred_at'> {
  if (typeof recorded === 'string' || typeof occurred === 'string')
    return { recorded_at: recorded, occurred_at: occurred };
  return { recorded_at: isoTime(recorded), occurred_at: isoTime(recorded - occurred) };
}

/** Null for a text that could not be made again, to the letter, from its time. */
function readTime(text: string): number | null {
  try {
    const timeMs = parseIsoTime(text);
    return isoTime(timeMs) === text ? timeMs : null;
  } catch {
    return null;
  }
}

function decodeHashes(hashes: Uint8Array): Pick<EventMetadata, 'prev_hash' | 'hash'> {
  const hex = Buffer.from(hashes.buffer, hashes.byteOffset, hashes.byteLength).toString('hex');
  return { prev_hash: hex.slice(0, SHA256_HEX_LENGTH), hash: hex.slice(SHA256_HEX_LENGTH) };
}
