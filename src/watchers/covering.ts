import type { BlockHeader, Chain } from '../kernel/ports/chain';
import type { ChainScan } from './chain-scan';
import type { CoverageRecord, Cursor, Progress } from './coverage-record';
import type { UnplacedBacklog } from './unplaced-backlog';
import { nullWhereUnanswered } from './answered-header';
import type { WatchPolicy } from '../vocabulary/watch-policy';

type CoveringParts = {
  readonly chain: Chain;
  readonly coverage: CoverageRecord;
  readonly backlog: UnplacedBacklog;
};

/**
 * Two frontiers. The scan has read all up to the first one, with a place for each transfer that a payment waits for.
 * Coverage follows up to the block where every transfer has its place, and a restart reads from there.
 */
export class Covering {
  private progress: Progress | null = null;

  constructor(private readonly parts: CoveringParts) {}

  /** The block at which reading goes on. */
  readFrom(cursor: Cursor): Cursor {
    const { agreed } = this.progress ?? {};
    return agreed && agreed.number > cursor.number ? agreed : cursor;
  }

  /** Height up to which everything has been read for good. */
  get readTo(): number {
    return this.progress?.agreed.number ?? -1;
  }

  /** The blocks above the cursor are to be read again. */
  forget(): void {
    this.progress = null;
    this.parts.backlog.clear();
  }

  /** The blocks up to `progress.agreed` have been read for good. */
  async read(progress: Progress): Promise<void> {
    this.progress = progress;
    await this.advance(progress);
  }

  /** The caller calls this once transfers of the backlog have found their places. */
  async follow(): Promise<void> {
    const { progress } = this;
    const position = this.parts.coverage.position?.number ?? null;
    if (progress !== null && position !== null && position < progress.agreed.number) await this.advance(progress);
  }

  /**
   * The block at the height, where enough providers agree that it is the scanned one. Its time is agreed as well: one
   * provider alone may have told of the block as it was scanned.
   */
  async agree(agreedHeight: number, scan: Pick<ChainScan, 'scannedAt'>): Promise<BlockHeader | null> {
    const { chain } = this.parts;
    const scanned = scan.scannedAt(agreedHeight);
    const agreed = scanned && (await nullWhereUnanswered(chain.agreedBlock(agreedHeight)));
    return agreed?.hash === scanned?.hash ? agreed : null;
  }

  /**
   * Deadlines wait for the agreed block where they follow it: a payment whose transfer was left out before it would
   * expire.
   */
  async cover(progress: Omit<Progress, 'scanned'>, deadlines: WatchPolicy['deadlinesFollow']): Promise<void> {
    const { head, agreed } = progress;
    await this.read({ ...progress, scanned: deadlines === 'head' ? head : agreed });
  }

  /** The head was scanned, and the cursor stays. */
  async note(head: BlockHeader, seenAtMs: number, deadlines: WatchPolicy['deadlinesFollow']): Promise<void> {
    const scanned = deadlines === 'head' ? head : null;
    this.progress &&= { ...this.progress, ...(scanned && { scanned }), head, seenAtMs };
    await this.parts.coverage.note(scanned, head, seenAtMs);
  }

  private async advance(progress: Progress): Promise<void> {
    const { coverage } = this.parts;
    const agreed = await this.passable(progress.agreed);
    if (agreed === null) await coverage.note(progress.scanned, progress.head, progress.seenAtMs);
    else await coverage.advance({ ...progress, agreed });
  }

  /** The last block before the backlog's; null where no provider can tell that it is the parent of the block read. */
  private async passable(agreed: BlockHeader): Promise<BlockHeader | null> {
    const { chain, coverage, backlog } = this.parts;
    const { edge } = backlog;
    if (edge === null || edge.number > agreed.number) return agreed;
    if (edge.number - 1 <= (coverage.position?.number ?? 0)) return null;
    const parent = await nullWhereUnanswered(chain.agreedBlock(edge.number - 1));
    return parent?.hash === edge.parentHash ? parent : null;
  }
}
