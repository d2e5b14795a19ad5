import { isoTime, MINUTE_MS, parseIsoTime, type Clock } from '../kernel/clock';
import { systemContext } from '../kernel/command-context';
import type { Entropy } from '../kernel/entropy';
import type { Mode } from '../kernel/event';
import type { BlockHeader } from '../kernel/ports/chain';
import type { Collection, CollectionSpec } from '../kernel/ports/documents';
import type { NetworkId } from '../kernel/tokens';
import type { WritePath } from '../kernel/write-path';
import { coverage, COVERAGE_EPOCH_BLOCKS, coverageStreamId } from '../modules/coverage/coverage.decider';

/** How far a network of a mode is covered: every block up to `number` for good, and up to the head as the chain stands. */
export type CoverageDocument = {
  readonly instance: string;
  readonly number: number;
  readonly hash: string;
  readonly sealed_to: number;
  readonly sealed_at: string;
  readonly head_number: number;
  /** Time of the newest scanned block: deadlines before it have been covered. */
  readonly covered_until: string;
};

export type Cursor = Pick<CoverageDocument, 'number' | 'hash'>;

export const COVERAGE_COLLECTION: CollectionSpec = { name: 'coverage', indexes: {} };

const SEAL_EVERY_BLOCKS = 1_000;
const SEAL_EVERY_MS = 10 * MINUTE_MS;

export function coverageId(mode: Mode, network: NetworkId): string {
  return `${mode}:${network}`;
}

/** The cursor and the sealed ranges of one network: a document while a range grows, an event when it is sealed. */
export class CoverageLedger {
  private current: CoverageDocument | null = null;
  private version = 0;

  constructor(
    private readonly mode: Mode,
    private readonly network: NetworkId,
    /** The chain id, or a sandbox chain's genesis hash: coverage of another chain says nothing of this one. */
    private readonly instance: string,
    private readonly documents: Collection<CoverageDocument>,
    private readonly writes: WritePath,
    private readonly clock: Clock,
    private readonly entropy: Entropy,
  ) {}

  /** Where scanning goes on; `start` gives the block before the first one where the chain was never watched. */
  async cursor(start: () => Promise<BlockHeader>): Promise<Cursor> {
    if (this.current) return this.current;
    const stored = await this.documents.get(coverageId(this.mode, this.network));
    this.version = stored?.version ?? 0;
    if (stored?.body.instance === this.instance) {
      this.current = stored.body;
      return stored.body;
    }
    const first = await start();
    return this.save({
      instance: this.instance,
      number: first.number,
      hash: first.hash,
      sealed_to: first.number,
      sealed_at: isoTime(this.clock.now()),
      head_number: first.number,
      covered_until: isoTime(first.timeMs),
    });
  }

  /** Everything up to `settled` is scanned for good, and everything up to `head` as the chain stands. */
  async advance(settled: BlockHeader, head: BlockHeader): Promise<Cursor> {
    const current = this.loaded();
    const moved = { ...current, number: settled.number, hash: settled.hash, ...headFacts(head) };
    const due =
      settled.number - current.sealed_to >= SEAL_EVERY_BLOCKS ||
      this.clock.now() - parseIsoTime(current.sealed_at) >= SEAL_EVERY_MS;
    if (!due) return this.save(moved);
    await this.seal(current.sealed_to, settled);
    return this.save({ ...moved, sealed_to: settled.number, sealed_at: isoTime(this.clock.now()) });
  }

  async noteHead(head: BlockHeader): Promise<void> {
    const current = this.loaded();
    if (head.number !== current.head_number) await this.save({ ...current, ...headFacts(head) });
  }

  /** One event for each epoch that the range touches. */
  private async seal(sealedTo: number, settled: BlockHeader): Promise<void> {
    for (let from = sealedTo + 1; from <= settled.number;) {
      const epochEnd = (Math.floor(from / COVERAGE_EPOCH_BLOCKS) + 1) * COVERAGE_EPOCH_BLOCKS - 1;
      const to = Math.min(epochEnd, settled.number);
      const range = { from_number: from, to_number: to, to_hash: settled.hash, to_time: isoTime(settled.timeMs) };
      const context = systemContext(this.entropy, {
        actor: 'watcher',
        mode: this.mode,
        merchantId: null,
        now: this.clock.now(),
      });
      await this.writes.execute(
        coverage,
        coverageStreamId(this.network, this.instance, from),
        { type: 'seal', range },
        context,
      );
      from = to + 1;
    }
  }

  private loaded(): CoverageDocument {
    if (!this.current) throw new Error('coverage is advanced before its cursor was read');
    return this.current;
  }

  /** The cursor never runs back; a watcher that lost its lease and wakes up is refused by the version. */
  private async save(body: CoverageDocument): Promise<CoverageDocument> {
    const id = coverageId(this.mode, this.network);
    this.version += 1;
    const written = await this.documents.putNewer({ id, version: this.version, body });
    if (!written) {
      this.current = null;
      throw new Error(`${id}: another watcher has advanced the coverage`);
    }
    this.current = body;
    return body;
  }
}

function headFacts(head: BlockHeader): Pick<CoverageDocument, 'head_number' | 'covered_until'> {
  return { head_number: head.number, covered_until: isoTime(head.timeMs) };
}
