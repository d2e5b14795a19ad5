import { BoundedMap } from '../../kernel/bounded-map';
import { parseIsoTime } from '../../kernel/clock';
import { randomUuid, type Entropy } from '../../kernel/entropy';
import { refuse } from '../../vocabulary/errors';
import { unreachable } from '../../kernel/invariant';
import { outageOf } from '../../kernel/outage';
import type { CollectionSpec, Document, Documents } from '../../kernel/ports/documents';
import type { SecretOwner } from '../../kernel/ports/secret-box';
import { KeyLease, keyInUse, type Answer, type LeasePorts } from './key-lease';
import { sweepExpired } from './expired-records';
import { RecentlySealed } from './recently-sealed';
import {
  freshRecord,
  isExpired,
  parseRecord,
  sealId,
  takenOver,
  type AnsweredRecord,
  type IdempotencyRecord,
  type WorkingRecord,
} from './idempotency-record';

export const IDEMPOTENCY_RECORDS: CollectionSpec = {
  name: 'idempotency_records',
  indexes: { by_insert: ['inserted_at'] },
};

/** Each lost round means that another request with the key has just succeeded. */
const LEASE_TRIES = 8;
const VERSION_BYTES = 6;
const MET_LIMIT = 10_000;

type IdempotencyPorts = Omit<LeasePorts, 'records'> & {
  readonly documents: Documents;
  readonly entropy: Entropy;
  /** True when no other process writes to these documents: the work of a former process is then free at once. */
  readonly alone: boolean;
};

export type LeaseRequest = {
  readonly id: string;
  readonly fingerprint: string;
  /** The owner of the answer, whose data key seals it. */
  readonly owner: SecretOwner;
  /** Milliseconds by the mode's clock. */
  readonly nowMs: number;
};

/** The leases of Idempotency-Keys, and the answers under them. */
export class IdempotencyRecords {
  private readonly holder: string;
  /** Records that this process has met, most of which are asked for again. */
  private readonly met = new BoundedMap<string, true>(MET_LIMIT);

  private constructor(
    private readonly ports: LeasePorts,
    private readonly entropy: Entropy,
    private readonly alone: boolean,
  ) {
    this.holder = randomUuid(entropy);
  }

  static async open({ documents, entropy, alone, ...ports }: IdempotencyPorts): Promise<IdempotencyRecords> {
    const records = await documents.open<IdempotencyRecord>(IDEMPOTENCY_RECORDS);
    const secretBox = new RecentlySealed(ports.secretBox);
    return new IdempotencyRecords({ ...ports, secretBox, records }, entropy, alone);
  }

  /**
   * The first request with a key gets the lease. The next request gets the lease too, if the owner stopped or was lost.
   * Other requests get the owner's answer. Throws Refusal idempotency_key_reuse, idempotency_key_in_use,
   * idempotency_response_unavailable, idempotency_response_unreadable or idempotency_record_corrupt. Throws Refusal
   * idempotency_record_orphaned when the record changes hands faster than it can be read.
   */
  async lease(request: LeaseRequest): Promise<KeyLease | Answer> {
    const { records, clock } = this.ports;
    // Most keys are new, so the insert itself asks whether a record stands.
    let standing = this.met.has(request.id) ? await records.get(request.id) : null;
    this.met.set(request.id, true);
    for (let attempt = 1; attempt <= LEASE_TRIES; attempt++) {
      const record = standing && parseRecord(standing);
      const nowMs = clock.now();
      const isLive = record !== null && !isExpired(record, nowMs);
      const answer = isLive ? await this.standingAnswer(request, record, nowMs) : null;
      if (answer) return answer;
      const next = isLive
        ? takenOver(record, this.holder, nowMs)
        : freshRecord(request, randomUuid(this.entropy), this.holder, nowMs);
      const lease = await this.take(request, standing, next);
      if (lease) return lease;
      standing = await records.get(request.id);
    }
    throw refuse('idempotency_record_orphaned');
  }

  /** Deletes records that have ended, until `signal` aborts. */
  sweep(signal: AbortSignal): Promise<void> {
    return sweepExpired(this.ports, signal);
  }

  /** Null when the work can be taken over. */
  private async standingAnswer(
    { id, fingerprint }: LeaseRequest,
    record: IdempotencyRecord,
    nowMs: number,
  ): Promise<Answer | null> {
    if (record.fingerprint !== fingerprint) throw refuse('idempotency_key_reuse');
    switch (record.state) {
      case 'working':
        if (this.isLeased(record, nowMs)) throw keyInUse();
        return null;
      case 'stopped':
        return null;
      case 'answered':
        return await this.opened(id, record);
      case 'withheld':
        throw refuse('idempotency_response_unavailable');
      default:
        return unreachable(record);
    }
  }

  private isLeased({ holder, leased_until }: WorkingRecord, nowMs: number): boolean {
    if (this.alone && holder !== this.holder) return false;
    return nowMs < parseIsoTime(leased_until);
  }

  private async opened(id: string, record: AnsweredRecord): Promise<Answer> {
    try {
      const body = await this.ports.secretBox.open(record.sealed_body, sealId(id, record.command_id));
      return { status: record.http_status, body };
    } catch (cause) {
      // The answer is unharmed: its data key could not be asked for.
      if (outageOf(cause) !== null) throw cause;
      throw refuse('idempotency_response_unreadable', { cause });
    }
  }

  /** Null when another request was faster. */
  private async take(
    { id, owner }: LeaseRequest,
    standing: Document | null,
    next: WorkingRecord,
  ): Promise<KeyLease | null> {
    const { records } = this.ports;
    const version = standing ? standing.version + 1 : this.firstVersion();
    const document = { id, version, body: next };
    const taken = standing ? await records.replace(document, standing.version) : await records.insert(document);
    return taken ? new KeyLease(this.ports, id, owner, next, version) : null;
  }

  /** Random, so that the holder of a deleted record's version cannot write over the record in its place. */
  private firstVersion(): number {
    return Buffer.from(this.entropy.bytes(VERSION_BYTES)).readUIntBE(0, VERSION_BYTES);
  }
}
