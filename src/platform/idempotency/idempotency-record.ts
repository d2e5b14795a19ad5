import { z } from 'zod';
import { DAY_MS, isoTime, parseIsoTime, SECOND_MS } from '../../kernel/clock';
import { refuse } from '../../vocabulary/errors';
import type { Document } from '../../kernel/ports/documents';

/** The time for which a record holds its key, from its insert, by the wall's clock. */
export const RECORD_LIFE_MS = DAY_MS;
/** The time for which a silent owner keeps others out. A working owner renews the lease long before. */
const LEASE_MS = 30 * SECOND_MS;

export const FIRST_OWNER = 1;

const taken = {
  fingerprint: z.string().length(64),
  command_id: z.string().min(1),
  /** Milliseconds by the mode's clock, from which the ids of created objects are made. */
  commanded_at_ms: z.int().nonnegative(),
  inserted_at: z.iso.datetime(),
  /** FIRST_OWNER for the owner that inserted the record, one more for each take-over. */
  owner: z.int().positive(),
};

const recordSchema = z.discriminatedUnion('state', [
  z.strictObject({
    ...taken,
    state: z.literal('working'),
    /** The process that does the work. */
    holder: z.string(),
    leased_until: z.iso.datetime(),
  }),
  /** The owner answered with a fault and stored nothing: the next request with the key continues. */
  z.strictObject({ ...taken, state: z.literal('stopped') }),
  /** `sealed_body` opens under `sealId`. */
  z.strictObject({
    ...taken,
    state: z.literal('answered'),
    http_status: z.int().min(200).max(499),
    sealed_body: z.string(),
  }),
  /** The answer held a one-time secret and was not kept. */
  z.strictObject({ ...taken, state: z.literal('withheld') }),
]);

export type IdempotencyRecord = z.output<typeof recordSchema>;
export type WorkingRecord = Extract<IdempotencyRecord, { readonly state: 'working' }>;
export type AnsweredRecord = Extract<IdempotencyRecord, { readonly state: 'answered' }>;

/** The record under a key. Throws Refusal idempotency_record_corrupt, with the fault as the cause. */
export function parseRecord({ id, body }: Document): IdempotencyRecord {
  const parsed = recordSchema.safeParse(body);
  if (parsed.success) return parsed.data;
  const cause = new Error(`the idempotency record ${id} is damaged: ${z.prettifyError(parsed.error)}`);
  throw refuse('idempotency_record_corrupt', { cause });
}

export function isExpired({ inserted_at }: IdempotencyRecord, nowMs: number): boolean {
  return nowMs >= parseIsoTime(inserted_at) + RECORD_LIFE_MS;
}

type Command = { readonly fingerprint: string; readonly nowMs: number };

export function freshRecord(
  { fingerprint, nowMs: commandedAtMs }: Command,
  commandId: string,
  holder: string,
  nowMs: number,
): WorkingRecord {
  return {
    fingerprint,
    command_id: commandId,
    commanded_at_ms: commandedAtMs,
    inserted_at: isoTime(nowMs),
    owner: FIRST_OWNER,
    state: 'working',
    holder,
    leased_until: isoTime(nowMs + LEASE_MS),
  };
}

/** The same command, under the next owner. */
export function takenOver(record: IdempotencyRecord, holder: string, nowMs: number): WorkingRecord {
  const leasedUntil = isoTime(nowMs + LEASE_MS);
  return { ...commandOf(record), owner: record.owner + 1, state: 'working', holder, leased_until: leasedUntil };
}

export function renewed(record: WorkingRecord, nowMs: number): WorkingRecord {
  return { ...record, leased_until: isoTime(nowMs + LEASE_MS) };
}

export function stopped(record: IdempotencyRecord): IdempotencyRecord {
  return { ...commandOf(record), state: 'stopped' };
}

export function answered(record: IdempotencyRecord, status: number, sealedBody: string): IdempotencyRecord {
  return { ...commandOf(record), state: 'answered', http_status: status, sealed_body: sealedBody };
}

export function withheld(record: IdempotencyRecord): IdempotencyRecord {
  return { ...commandOf(record), state: 'withheld' };
}

/**
 * The id under which a stored answer is sealed. The answer opens for this command's record only, not for a later one
 * under the same key.
 */
export function sealId(id: string, commandId: string): string {
  return `${id}/${commandId}`;
}

function commandOf({ fingerprint, command_id, commanded_at_ms, inserted_at, owner }: IdempotencyRecord) {
  return { fingerprint, command_id, commanded_at_ms, inserted_at, owner };
}
