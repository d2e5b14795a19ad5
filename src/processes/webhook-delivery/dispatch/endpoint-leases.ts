import { isoTime, parseIsoTime, SECOND_MS, type Clock } from '../../../kernel/clock';
import { randomUuid, type Entropy } from '../../../kernel/entropy';
import type { Collection, Document, Documents } from '../../../kernel/ports/documents';
import { UNTRIED, type Circuit, type Standing } from './circuit';

/**
 * A lease lasts longer than an attempt takes: 10 s to connect and 10 s for the answer. An endpoint waits at most so
 * long when another process has died.
 */
export const LEASE_MS = 25 * SECOND_MS;
/** A lease with less time left is prolonged before it is relied on. */
const RELIED_ON_MS = LEASE_MS / 2;

const LEASES_COLLECTION = { name: 'webhook_endpoint_leases', indexes: {} } as const;

/** Times by the wall's clock. */
type LeaseDocument = {
  readonly owner: string;
  readonly until: string;
  readonly standing: Standing;
  readonly timeouts: number;
};

export type Lease = { readonly version: number; readonly untilMs: number };

/** `heldUntilMs`: when the other process's lease ends. */
export type Holding = { readonly lease: Lease; readonly circuit: Circuit } | { readonly heldUntilMs: number };

/**
 * The lease of the one process that sends to an endpoint. The lease is an economy. A process that was paused and lost
 * its lease may send twice, and the delivery's stream takes the record of one. Knowledge of the endpoint goes from
 * owner to owner with it.
 */
export class EndpointLeases {
  private readonly owner: string;
  private opened: Collection<LeaseDocument> | null = null;

  /** `alone`: no other process reaches these documents, so a lease that stands is one of a process that has ended. */
  constructor(
    private readonly documents: Documents,
    private readonly clock: Clock,
    entropy: Entropy,
    private readonly alone = false,
  ) {
    this.owner = randomUuid(entropy);
  }

  isReliable(lease: Lease | null): lease is Lease {
    return lease !== null && lease.untilMs - this.clock.now() > RELIED_ON_MS;
  }

  isValid(lease: Lease | null): boolean {
    return lease !== null && lease.untilMs > this.clock.now();
  }

  /** Prolongs a lease that this process holds, or takes it: then `circuit` is the last owner's knowledge. */
  async hold(endpointId: string, known: Lease | null, circuit: Circuit): Promise<Holding> {
    const collection = await this.open();
    const prolonged = known && (await this.write(collection, endpointId, known.version, circuit, LEASE_MS));
    if (prolonged) return { lease: prolonged, circuit };
    const standing = await collection.get(endpointId);
    const now = this.clock.now();
    const isAnothers = standing !== null && standing.body.owner !== this.owner && !this.alone;
    if (isAnothers && parseIsoTime(standing.body.until) > now) {
      return { heldUntilMs: parseIsoTime(standing.body.until) };
    }
    const learned = circuitOf(standing);
    const taken = await this.write(collection, endpointId, standing?.version ?? null, learned, LEASE_MS);
    return taken ? { lease: taken, circuit: learned } : { heldUntilMs: now + LEASE_MS };
  }

  /** After this, another process may take the lease at once. */
  async release(endpointId: string, { version }: Lease, circuit: Circuit): Promise<void> {
    await this.write(await this.open(), endpointId, version, circuit, 0);
  }

  private async open(): Promise<Collection<LeaseDocument>> {
    this.opened ??= await this.documents.open<LeaseDocument>(LEASES_COLLECTION);
    return this.opened;
  }

  private async write(
    collection: Collection<LeaseDocument>,
    id: string,
    expected: number | null,
    circuit: Circuit,
    durationMs: number,
  ): Promise<Lease | null> {
    const untilMs = this.clock.now() + durationMs;
    const { standing, timeouts } = circuit;
    const body = { owner: this.owner, until: isoTime(untilMs), standing, timeouts };
    const document = { id, version: (expected ?? 0) + 1, body };
    const isWritten =
      expected === null ? await collection.insert(document) : await collection.replace(document, expected);
    return isWritten ? { version: document.version, untilMs } : null;
  }
}

function circuitOf(document: Document<LeaseDocument> | null): Circuit {
  return document ? { standing: document.body.standing, timeouts: document.body.timeouts } : UNTRIED;
}
