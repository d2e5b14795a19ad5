import type { Mode } from '../kernel/event';
import type { BlockHeader, Chain } from '../kernel/ports/chain';
import type { ChainScan, ScanRequest } from './chain-scan';
import type { CoverageRecord, Cursor, Progress } from './coverage-record';
import type { UnplacedBacklog } from './unplaced-backlog';
import { nullWhereUntold } from './told-header';

export type CoveringParts = {
  readonly mode: Mode;
  readonly chain: Chain;
  readonly coverage: CoverageRecord;
  readonly backlog: UnplacedBacklog;
};

/**
 * Two frontiers: the scan has read all up to the one, with a place for whatever a payment waits for. Coverage follows
 * as far as every transfer has its place, and a restart reads from there.
 */
export class Covering {
  private progress: Progress | null = null;

  constructor(private readonly parts: CoveringParts) {}

  /** Where reading goes on. */
  readFrom(cursor: Cursor): Cursor {
    const { agreed } = this.progress ?? {};
    return agreed && agreed.number > cursor.number ? agreed : cursor;
  }

  /** Height up to which everything has been read for good. */
  get readTo(): number {
    return this.progress?.agreed.number ?? -1;
  }

  /** What was read above the cursor is to be read again. */
  forget(): void {
    this.progress = null;
    this.parts.backlog.clear();
  }

  /** Everything up to `progress.agreed` has been read for good. */
  async read(progress: Progress): Promise<void> {
    this.progress = progress;
    await this.advance(progress);
  }

  /** To be called once transfers of the backlog have found their places. */
  async follow(): Promise<void> {
    const { progress } = this;
    const position = this.parts.coverage.position?.number ?? null;
    if (progress !== null && position !== null && position < progress.agreed.number) await this.advance(progress);
  }

  /**
   * The cursor moves only to a block that enough providers agree on. In live mode the blocks up to that one are read
   * once more, now that they are agreed on. One provider alone may have answered for them first, and may have left
   * something out. There deadlines wait for that reading too, or a payment that was left out would expire.
   */
  async cover(request: ScanRequest, cursor: Cursor, scan: ChainScan, seenAtMs: number): Promise<void> {
    const { mode, chain, coverage } = this.parts;
    const { head, agreedHeight, recipients } = request;
    const isMoney = mode === 'live';
    // Its time too is nobody's single word: one provider alone may have told of the block as it was scanned.
    const scanned = scan.scannedAt(agreedHeight);
    const agreed = scanned && (await nullWhereUntold(chain.agreedBlock(agreedHeight)));
    if (agreed === null || agreed.hash !== scanned?.hash) {
      this.progress &&= { ...this.progress, ...(!isMoney && { scanned: head }), head, seenAtMs };
      return coverage.note(isMoney ? null : head, head, seenAtMs);
    }
    const { number } = this.readFrom(cursor);
    if (isMoney && agreedHeight > number) await scan.ranges.scan(number + 1, agreed, recipients);
    await this.read({ agreed, scanned: isMoney ? agreed : head, head, headerAt: scan.headerAt, seenAtMs });
  }

  private async advance(progress: Progress): Promise<void> {
    const { coverage } = this.parts;
    const agreed = await this.passable(progress.agreed);
    if (agreed === null) await coverage.note(progress.scanned, progress.head, progress.seenAtMs);
    else await coverage.advance({ ...progress, agreed });
  }

  /** The last block before the backlog's; null where nobody can tell that it is the parent of what was read. */
  private async passable(agreed: BlockHeader): Promise<BlockHeader | null> {
    const { chain, coverage, backlog } = this.parts;
    const { edge } = backlog;
    if (edge === null || edge.number > agreed.number) return agreed;
    if (edge.number - 1 <= (coverage.position?.number ?? 0)) return null;
    const parent = await nullWhereUntold(chain.agreedBlock(edge.number - 1));
    return parent?.hash === edge.parentHash ? parent : null;
  }
}
