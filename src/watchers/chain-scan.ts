import { BoundedMap } from '../kernel/bounded-map';
import { isoTime, type Clock } from '../kernel/clock';
import { refuse } from '../kernel/errors';
import type { ChainProgress } from '../kernel/finality';
import { isUntold, type BlockHeader } from '../kernel/ports/chain';
import type { Log } from '../kernel/ports/log';
import type { NetworkId } from '../kernel/tokens';
import { BlockTail, TAIL_BLOCKS } from './block-tail';
import type { Replaced } from './chain-view';
import type { CoverageRecord, Cursor, Progress } from './coverage-record';
import { changed, RangeScan, type RangeScanParts } from './range-scan';
import { nearestTold, nullWhereUntold, requireAgreedBlock, requireAgreedHash, untoldReading } from './told-header';

/** Blocks that one backfill step reads before it records how far it came. */
const BACKFILL_SPAN = 1_000;
/**
 * Blocks above the cursor that are read one by one: Base finalizes some 600 behind its head, and a provider may lag as
 * far again.
 */
const OPEN_END_LIMIT = 4_096;
/** Headers that are remembered from one try to the next: those of an open end and of a backfill's step. */
const MET_LIMIT = OPEN_END_LIMIT + BACKFILL_SPAN;

export type ChainScanParts = RangeScanParts & {
  readonly network: NetworkId;
  readonly coverage: CoverageRecord;
  /** Everything up to `settled` has been read for good. */
  readonly read: (progress: Progress, recipients: readonly string[]) => Promise<void>;
  /** What was read above the cursor has been replaced. */
  readonly forgetRead: () => void;
  /** Resolves once every transfer of the blocks up to the height has its place. */
  readonly placeUpTo: (height: number, recipients: readonly string[]) => Promise<void>;
  /** All up to this height has been read. */
  readonly reached: (height: number) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
};

/** The chain was reorganised below the cursor. */
class CursorReplaced extends Error {}

export type ScanRequest = ChainProgress & {
  readonly head: BlockHeader;
  /** Height up to which blocks are scanned for good, by the network's standard rule. */
  readonly agreedHeight: number;
  readonly recipients: readonly string[];
  /** Once aborted, no further range is begun: after a long outage there may be hours of them. */
  readonly signal?: AbortSignal;
};

/**
 * Reads every block after the cursor, once for each hash. Final blocks are read by range. The blocks above are read one
 * by one, by their hash, linked by their parents' hashes up to the head.
 */
export class ChainScan {
  private readonly tail = new BlockTail();
  /**
   * Headers by their hashes, met in a scan that is not through: when it is tried again, it asks for none of them twice.
   */
  private readonly met = new BoundedMap<string, BlockHeader>(MET_LIMIT);
  /** Reads blocks that are agreed on. */
  readonly ranges: RangeScan;
  private leavesOut = false;
  private scannedFor = '';
  private whatIsReplaced: Replaced = { from: null, isUnknown: true };

  constructor(private readonly parts: ChainScanParts) {
    const { mode } = parts;
    this.ranges = new RangeScan(parts, hash => (mode === 'live' ? undefined : this.met.get(hash)));
  }

  /**
   * False where the chain moved meanwhile, the scan was stopped, or too few blocks are agreed on. Then no more is
   * covered, and a later tick sees the chain whole.
   */
  async run(request: ScanRequest, cursor: Cursor, readFrom = cursor): Promise<boolean> {
    // An address that joined since the open end was scanned may have been paid in it.
    const watched = request.recipients.join();
    if (watched !== this.scannedFor) this.reopen();
    this.scannedFor = watched;
    try {
      return await this.scanFrom(readFrom, request);
    } catch (error) {
      if (!(error instanceof CursorReplaced)) throw error;
      // Both together: what the tail holds is not read again.
      this.parts.forgetRead();
      this.forget();
      if (readFrom.hash !== cursor.hash) return this.run(request, cursor);
      return this.scanAnew(cursor, request);
    }
  }

  /** Whether blocks between the cursor and the tail were left out: then nothing above the cursor is covered. */
  get hasLeftOut(): boolean {
    return this.leavesOut;
  }

  get replaced(): Replaced {
    return this.whatIsReplaced;
  }

  /** To be called once what follows from replaced blocks is done. */
  forgetReplaced(): void {
    this.whatIsReplaced = { from: null, isUnknown: false };
  }

  scannedAt(height: number): BlockHeader | null {
    return this.tail.at(height);
  }

  readonly headerAt = async (height: number): Promise<BlockHeader> => {
    // In live mode one provider alone may have told the time of what the tail holds.
    const scanned = this.parts.mode === 'live' ? null : this.tail.at(height);
    return scanned ?? requireAgreedBlock(this.parts.chain, height);
  };

  private async scanFrom(cursor: Cursor, request: ScanRequest): Promise<boolean> {
    const { head, finalizedHeight, agreedHeight } = request;
    // Deeper than the tail reaches, blocks are as good as final even where the network has stopped finalizing.
    const rangeEnd = Math.max(
      Math.min(finalizedHeight, agreedHeight),
      Math.min(agreedHeight, head.number - TAIL_BLOCKS),
    );
    const newest = this.tail.at(cursor.number + 1) && this.tail.at(this.tail.height);
    if (rangeEnd <= (newest ?? cursor).number) return this.scanOpenEnd(cursor, request);
    if ((await this.parts.chain.agreedHash(cursor.number)) === null) {
      // Too few providers agree on anything. What is new is seen all the same; once they do, all above the
      // cursor is read again.
      await this.scanOpenEnd(cursor, request);
      return false;
    }
    // In test mode, blocks that were scanned by hash and still stand are not read again. In live mode all blocks are
    // looked at once more before they are covered.
    const mayStand = this.parts.mode === 'test' ? newest : null;
    const isStanding = mayStand && (await this.parts.chain.agreedHash(mayStand.number)) === mayStand.hash;
    const start = isStanding ? mayStand : cursor;
    const reached = await this.backfill(start, rangeEnd, request);
    if (reached.number >= rangeEnd) return this.scanOpenEnd(reached, request);
    // What is new is seen all the same.
    if (!request.signal?.aborted) await this.scanOpenEnd(reached, request);
    return false;
  }

  /**
   * Goes back to the newest recorded block that still stands, once enough providers agree that the cursor's block is
   * gone.
   */
  private async scanAnew(cursor: Cursor, request: ScanRequest): Promise<boolean> {
    const { chain, coverage, log, mode, network } = this.parts;
    const agreed = await chain.agreedHash(cursor.number);
    if (agreed === null || agreed === cursor.hash)
      throw refuse('provider_response_invalid', {
        message: `block ${cursor.number} is agreed on, yet one provider has another`,
      });
    for (const mark of await coverage.marks()) {
      if ((await chain.agreedHash(mark.number)) !== mark.hash) continue;
      log.error(
        { mode, network, cursor: cursor.number, stands: mark.number },
        'agreed blocks were replaced: they are scanned again',
      );
      const ends: BlockHeader[] = [];
      for (let from = mark.number + 1; from <= cursor.number; from += BACKFILL_SPAN) {
        const end = await requireAgreedBlock(chain, Math.min(from + BACKFILL_SPAN - 1, cursor.number));
        await this.ranges.scan(from, end, request.recipients);
        ends.push(end);
      }
      await this.parts.placeUpTo(cursor.number, request.recipients);
      for (const end of ends) if ((await chain.agreedHash(end.number)) !== end.hash) return false;
      this.forget();
      this.noteReplaced(mark.number + 1);
      return this.scanFrom(await coverage.replaced(mark.number, this.headerAt), request);
    }
    throw refuse('provider_response_invalid', {
      message: `no recorded block below ${cursor.number} stands on the chain`,
    });
  }

  private async scanOpenEnd(cursor: Cursor, { head, recipients }: ScanRequest): Promise<boolean> {
    const fresh = await this.unscanned(cursor, head);
    if (fresh === null) return false;
    for (const block of fresh) {
      await this.scanBlock(block, recipients);
      if (this.tail.add(block)) this.noteReplaced(block.number);
      if (!this.hasLeftOut) await this.parts.reached(block.number);
    }
    this.met.clear();
    return !this.leavesOut;
  }

  /**
   * The blocks from what is scanned to the head, or the newest of them where they are too many; null where the chain
   * moved meanwhile.
   */
  private async unscanned(cursor: Cursor, head: BlockHeader): Promise<readonly BlockHeader[] | null> {
    const fresh: BlockHeader[] = [];
    for (let block = head; block.number > cursor.number && !this.tail.has(block);) {
      fresh.push(block);
      const parent = this.met.get(block.parentHash) ?? (await this.headerBefore(block));
      if (parent === 'untold') {
        this.forget();
        this.leaveOut(cursor.number + 1, block.number - 1);
        break;
      }
      if (parent?.hash !== block.parentHash) return null;
      this.met.set(parent.hash, parent);
      if (parent.number === cursor.number && parent.hash !== cursor.hash) throw new CursorReplaced();
      const isCut = fresh.length === OPEN_END_LIMIT && parent.number > cursor.number && !this.tail.has(parent);
      // What the tail holds from above the blocks left out must not pass for joined to these.
      if (isCut || (this.leavesOut && parent.number === cursor.number)) this.forget();
      if (isCut) {
        this.leaveOut(cursor.number + 1, parent.number);
        break;
      }
      block = parent;
    }
    return fresh.reverse();
  }

  private async headerBefore({ number }: BlockHeader): Promise<BlockHeader | null | 'untold'> {
    try {
      return await this.parts.chain.blockAt(number - 1);
    } catch (error) {
      if (!isUntold(error)) throw error;
      return 'untold';
    }
  }

  private leaveOut(from: number, to: number): void {
    const { log, mode, network } = this.parts;
    this.leavesOut = true;
    log.error({ mode, network, from, to }, 'too many blocks cannot be agreed on: they wait, only newer ones are seen');
  }

  private async scanBlock(block: BlockHeader, recipients: readonly string[]): Promise<void> {
    if (recipients.length === 0) return;
    const { chain, tokens, mode, observe, leaveUnread } = this.parts;
    for (const token of tokens) {
      const asked = chain.transfersInBlock(block.hash, token.contract[mode], recipients);
      const { transfers, unread } = (await nullWhereUntold(asked)) ?? untoldReading(block);
      for (const each of unread) await leaveUnread(each, block, false);
      const found = transfers.map(transfer => ({ transfer, block }));
      await observe(token, found, false);
    }
  }

  /** Reads in ranges, each recorded before the next; answers where it came to. */
  private async backfill(cursor: Cursor, rangeEnd: number, request: ScanRequest): Promise<Cursor> {
    const { head, recipients, signal } = request;
    const { chain, read, log, mode, network } = this.parts;
    let from = cursor;
    while (from.number < rangeEnd && !signal?.aborted) {
      // The cursor's block is checked before the reading, since the reading may end a quote that was paid in a replaced
      // block. The block is checked again after the reading, when both ends of the range must stand. One provider alone
      // may be on a fork that nobody follows.
      await this.requireStanding(from);
      const end = await nearestTold(chain, Math.min(from.number + BACKFILL_SPAN, rangeEnd), from.number + 1);
      if (end === null) break;
      await this.ranges.scan(from.number + 1, end, recipients);
      await this.requireStanding(from);
      if ((await requireAgreedHash(chain, end.number)) !== end.hash) throw changed(end.number);
      await read({ agreed: end, scanned: end, head, headerAt: this.headerAt }, recipients);
      from = end;
      await this.parts.reached(end.number);
      log.info({ mode, network, to: end.number, covered_to: isoTime(end.timeMs) }, 'backfilled');
    }
    if (from === cursor) return from;
    this.reopen();
    if (!this.tail.stoodAs(from)) this.forget();
    return from;
  }

  private async requireStanding({ number, hash }: Cursor): Promise<void> {
    if ((await requireAgreedHash(this.parts.chain, number)) !== hash) throw new CursorReplaced();
  }

  private noteReplaced(height: number): void {
    const { from, isUnknown } = this.whatIsReplaced;
    this.whatIsReplaced = { from: Math.min(from ?? height, height), isUnknown };
  }

  private reopen(): void {
    this.tail.reopen();
    this.leavesOut = false;
  }

  /** Without a memory of what stood where, anything may have been replaced. */
  forget(): void {
    this.tail.clear();
    this.leavesOut = false;
    this.whatIsReplaced = { ...this.whatIsReplaced, isUnknown: true };
  }
}
