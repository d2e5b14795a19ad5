import { BoundedMap } from '../kernel/bounded-map';
import { isoTime, type Clock } from '../kernel/clock';
import { refuse } from '../vocabulary/errors';
import { unreachable } from '../kernel/invariant';
import { isUnanswered, type BlockHeader } from '../kernel/ports/chain';
import type { Log } from '../kernel/ports/log';
import type { NetworkId } from '../vocabulary/networks';
import { BlockTail } from './block-tail';
import type { Replaced } from './chain-view';
import type { CoverageRecord, Cursor, Progress } from './coverage-record';
import { linkOf, OPEN_END_LIMIT } from './open-end';
import { changed, RangeScan, type RangeScanParts } from './range-scan';
import type { Finding } from './tick-plan';
import {
  nearestAnswered,
  nullWhereUnanswered,
  requireAgreedBlock,
  requireAgreedHash,
  unansweredReading,
} from './answered-header';
import type { WatchPolicy } from '../vocabulary/watch-policy';

/** Blocks that one step of a range reads before it records its progress. */
const BACKFILL_SPAN = 1_000;
/** Headers that are remembered from one try to the next: those of an open end and of a backfill's step. */
const MET_LIMIT = OPEN_END_LIMIT + BACKFILL_SPAN;

type ChainScanParts = RangeScanParts & {
  readonly network: NetworkId;
  readonly policy: Pick<WatchPolicy, 'headersBy'>;
  readonly coverage: CoverageRecord;
  /** The blocks up to `agreed` have been read for good. */
  readonly read: (progress: Progress, recipients: readonly string[]) => Promise<void>;
  /** Resolves once every transfer of the blocks up to the height has its place. */
  readonly placeUpTo: (height: number, recipients: readonly string[]) => Promise<void>;
  /** The blocks up to this height have been read. */
  readonly reached: (height: number) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
};

export type ScanRequest = {
  readonly head: BlockHeader;
  readonly recipients: readonly string[];
  /** Once the signal is aborted, no further range is begun: after a long outage there may be hours of them. */
  readonly signal?: AbortSignal | undefined;
};

/** The block that reading has reached, or the finding that stopped it. */
type Reached = Cursor | Finding;

/**
 * Carries out the reading steps of a plan. Final blocks are read by range. The blocks above are read one by one, by
 * their hash, linked by their parents' hashes up to the head.
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
    const { policy } = parts;
    this.ranges = new RangeScan(parts, hash => (policy.headersBy === 'enough' ? undefined : this.met.get(hash)));
  }

  /**
   * An address that joined since the open end was scanned may have been paid there: then all of the open end is scanned
   * anew.
   */
  watchFor(recipients: readonly string[]): void {
    const watched = recipients.join();
    if (watched !== this.scannedFor) this.reopen();
    this.scannedFor = watched;
  }

  /** The newest block of the tail, where the tail begins right above the cursor; null elsewhere. */
  newestAbove({ number }: Cursor): BlockHeader | null {
    return this.tail.at(number + 1) && this.tail.at(this.tail.height);
  }

  /** Whether blocks between the cursor and the tail were left out: then nothing above the cursor is covered. */
  get hasLeftOut(): boolean {
    return this.leavesOut;
  }

  get replaced(): Replaced {
    return this.whatIsReplaced;
  }

  /** The caller calls this once the consequences of replaced blocks are done. */
  forgetReplaced(): void {
    this.whatIsReplaced = { from: null, isUnknown: false };
  }

  scannedAt(height: number): BlockHeader | null {
    return this.tail.at(height);
  }

  readonly headerAt = async (height: number): Promise<BlockHeader> => {
    // One provider alone may have told the time of the tail's blocks.
    const scanned = this.parts.policy.headersBy === 'enough' ? null : this.tail.at(height);
    return scanned ?? requireAgreedBlock(this.parts.chain, height);
  };

  /** Reads in ranges, each recorded before the next. */
  async readRanges(after: Cursor, to: number, { head, recipients, signal }: ScanRequest): Promise<Reached> {
    const { chain, read, log, mode, network } = this.parts;
    let from = after;
    while (from.number < to && !signal?.aborted) {
      // The block is checked before the reading, since the reading may end a quote that was paid in a replaced block.
      // The block is checked again after the reading, when both ends of the range must stand. One provider alone may be
      // on a fork that no other follows.
      if (!(await this.stands(from))) return this.replacedAt(from);
      const end = await nearestAnswered(chain, Math.min(from.number + BACKFILL_SPAN, to), from.number + 1);
      if (end === null) break;
      await this.ranges.scan(from.number + 1, end, recipients);
      if (!(await this.stands(from))) return this.replacedAt(from);
      if ((await requireAgreedHash(chain, end.number)) !== end.hash) throw changed(end.number);
      await read({ agreed: end, scanned: end, head, headerAt: this.headerAt }, recipients);
      from = end;
      await this.parts.reached(end.number);
      log.info({ mode, network, to: end.number, covered_to: isoTime(end.timeMs) }, 'backfilled');
    }
    if (from !== after) this.keepTailOf(from);
    if (from.number >= to) return from;
    return signal?.aborted ? { kind: 'stopped' } : { kind: 'stuck', reached: from };
  }

  /** Null where all up to the head is read. */
  async readOpenEnd(read: Cursor, { head, recipients }: ScanRequest): Promise<Finding | null> {
    const fresh = await this.unscanned(read, head);
    if ('kind' in fresh) return fresh;
    for (const block of fresh) {
      await this.scanBlock(block, recipients);
      if (this.tail.add(block)) this.noteReplaced(block.number);
      if (!this.hasLeftOut) await this.parts.reached(block.number);
    }
    this.met.clear();
    return this.leavesOut ? { kind: 'not_linked' } : null;
  }

  /** The caller asks once enough providers agree that the cursor's block is gone. */
  async seekMark(cursor: Cursor): Promise<Finding> {
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
      return { kind: 'mark', mark };
    }
    throw refuse('provider_response_invalid', {
      message: `no recorded block below ${cursor.number} stands on the chain`,
    });
  }

  /**
   * Reads all blocks that replaced those after the mark, up to the cursor's height, and then moves the cursor there.
   */
  async goBack(mark: Cursor, cursor: Cursor, { recipients }: ScanRequest): Promise<Finding> {
    const { chain, coverage } = this.parts;
    const ends: BlockHeader[] = [];
    for (let from = mark.number + 1; from <= cursor.number; from += BACKFILL_SPAN) {
      const end = await requireAgreedBlock(chain, Math.min(from + BACKFILL_SPAN - 1, cursor.number));
      await this.ranges.scan(from, end, recipients);
      ends.push(end);
    }
    await this.parts.placeUpTo(cursor.number, recipients);
    for (const end of ends) if ((await chain.agreedHash(end.number)) !== end.hash) return { kind: 'not_linked' };
    this.forget();
    this.noteReplaced(mark.number + 1);
    return { kind: 'went_back', cursor: await coverage.replaced(mark.number, this.headerAt) };
  }

  /**
   * The blocks from the cursor to the head, or the newest of them where they are too many. A finding where they cannot
   * be linked.
   */
  private async unscanned(read: Cursor, head: BlockHeader): Promise<readonly BlockHeader[] | Finding> {
    const fresh: BlockHeader[] = [];
    for (let block = head; block.number > read.number && !this.tail.has(block);) {
      fresh.push(block);
      const parent = this.met.get(block.parentHash) ?? (await this.headerBefore(block));
      const isRemembered = parent !== null && parent !== 'unanswered' && this.tail.has(parent);
      const { leavesOut } = this;
      const link = linkOf({ block, parent, read, isRemembered, length: fresh.length, leavesOut });
      switch (link.kind) {
        case 'moved':
          return { kind: 'not_linked' };
        case 'replaced':
          return this.replacedAt(read);
        case 'unanswered':
        case 'cut':
          this.leaveOut(read.number + 1, block.number - 1);
          return fresh.reverse();
        case 'on':
          // The tail's blocks from above a gap must not pass for linked to these.
          if (link.endsGap) this.forget();
          this.met.set(link.parent.hash, link.parent);
          block = link.parent;
          break;
        default:
          return unreachable(link);
      }
    }
    return fresh.reverse();
  }

  private async headerBefore({ number }: BlockHeader): Promise<BlockHeader | null | 'unanswered'> {
    try {
      return await this.parts.chain.blockAt(number - 1);
    } catch (error) {
      if (!isUnanswered(error)) throw error;
      return 'unanswered';
    }
  }

  private leaveOut(from: number, to: number): void {
    const { log, mode, network } = this.parts;
    this.forget();
    this.leavesOut = true;
    log.error({ mode, network, from, to }, 'too many blocks cannot be agreed on: they wait, only newer ones are seen');
  }

  private async scanBlock(block: BlockHeader, recipients: readonly string[]): Promise<void> {
    if (recipients.length === 0) return;
    const { chain, tokens, mode, observe, leaveUnread } = this.parts;
    for (const token of tokens) {
      const asked = chain.transfersInBlock(block.hash, token.contract[mode], recipients);
      const { transfers, unread } = (await nullWhereUnanswered(asked)) ?? unansweredReading(block);
      for (const each of unread) await leaveUnread(each, block, false);
      const found = transfers.map(transfer => ({ transfer, block }));
      await observe(token, found, false);
    }
  }

  private async stands({ number, hash }: Cursor): Promise<boolean> {
    return (await requireAgreedHash(this.parts.chain, number)) === hash;
  }

  private replacedAt(block: Cursor): Finding {
    return { kind: 'replaced', block, cursor: this.parts.coverage.position ?? block };
  }

  /** The tail is read once more from the block on, and still tells which blocks have been replaced. */
  private keepTailOf(block: Cursor): void {
    this.reopen();
    if (!this.tail.stoodAs(block)) this.forget();
  }

  private noteReplaced(height: number): void {
    const { from, isUnknown } = this.whatIsReplaced;
    this.whatIsReplaced = { from: Math.min(from ?? height, height), isUnknown };
  }

  private reopen(): void {
    this.tail.reopen();
    this.leavesOut = false;
  }

  /** Without a memory of the blocks' places, any block may have been replaced. */
  forget(): void {
    this.tail.clear();
    this.leavesOut = false;
    this.whatIsReplaced = { ...this.whatIsReplaced, isUnknown: true };
  }
}
