import { BoundedMap } from '../kernel/bounded-map';
import { refuse } from '../vocabulary/errors';
import type { Mode } from '../vocabulary/modes';
import type { BlockHeader, Chain, ObservedTransfer, UnreadBlock } from '../kernel/ports/chain';
import type { Token } from '../vocabulary/tokens';
import { nullWhereUnanswered, requireAgreedBlock, requireNearestAnswered } from './answered-header';

/** Headers that are remembered from one reading to the next. */
const AGREED_LIMIT = 5_000;

type InBlock = { readonly transfer: ObservedTransfer; readonly block: BlockHeader };

/**
 * Gets all transfers of one reading, in the order of their blocks. `isAgreed` where enough providers agree on these,
 * and on all blocks before them.
 */
export type Observe = (token: Token, found: readonly InBlock[], isAgreed: boolean) => Promise<void>;

/**
 * Gets a block before coverage passes it, and before later blocks are observed. For a run, `block` has the first number
 * and the last hash, and a time no later than the first one's.
 */
export type LeaveUnread = (
  unread: UnreadBlock,
  block: Omit<BlockHeader, 'parentHash'>,
  isAgreed: boolean,
) => Promise<void>;

export type RangeScanParts = {
  readonly mode: Mode;
  readonly tokens: readonly Token[];
  readonly chain: Chain;
  readonly observe: Observe;
  readonly leaveUnread: LeaveUnread;
};

/** Reads agreed blocks by range. The facts of such a reading are decided for good. */
export class RangeScan {
  /** The headers by hash: in live mode two providers give these headers alike. */
  private readonly agreedOn = new BoundedMap<string, BlockHeader>(AGREED_LIMIT);

  constructor(
    private readonly parts: RangeScanParts,
    /** A header that was met as the open end was scanned, by its hash. */
    private readonly metOnce: (hash: string) => BlockHeader | undefined,
  ) {}

  /** Both ends included; all of it must be final. A reading that has another end is not observed. */
  async scan(from: number, end: BlockHeader, recipients: readonly string[]): Promise<void> {
    const { chain, tokens, mode, observe, leaveUnread } = this.parts;
    for (const token of recipients.length > 0 ? tokens : []) {
      const reading = await chain.transfersInRange(from, end.number, token.contract[mode], recipients);
      if (reading.endHash !== end.hash) throw changed(end.number);
      const { transfers, unread } = reading;
      const leave = async (each: UnreadBlock): Promise<void> => leaveUnread(each, await this.placeOf(each), true);
      for (const each of runsOf(unread)) await leave(each);
      const found: InBlock[] = [];
      for (const transfer of transfers) {
        const { blockNumber: number, blockHash: hash } = transfer;
        const block = await nullWhereUnanswered(this.readHeader(number, hash));
        if (block) found.push({ transfer, block });
        else await leave({ number, hash, reason: 'disputed', txHash: null });
      }
      await observe(token, found, true);
    }
  }

  /**
   * The place of an unread block, or of a run of them. A run has the time of an earlier block, and so has a block that
   * is not agreed on. So more deadlines wait: all those behind the earlier block.
   */
  private async placeOf({ number, hash, from = number }: UnreadBlock) {
    const agreed = await nullWhereUnanswered(this.parts.chain.agreedBlock(number));
    if (agreed !== null && agreed.hash !== hash) throw changed(number);
    if (agreed !== null && from === number) return agreed;
    const { timeMs } = await requireNearestAnswered(this.parts.chain, from);
    return { number: from, hash, timeMs };
  }

  /** The header of a block that a range's reading named: a decision by its time is for good. */
  private async readHeader(height: number, hash: string): Promise<BlockHeader> {
    const met = this.agreedOn.get(hash) ?? this.metOnce(hash);
    const block = met ?? (await requireAgreedBlock(this.parts.chain, height));
    if (block.hash !== hash) throw changed(block.number);
    this.agreedOn.set(block.hash, block);
    return block;
  }
}

/** Blocks next to each other as one run; among several transactions of one block, the first is named. */
function runsOf(unread: readonly UnreadBlock[]): readonly UnreadBlock[] {
  const runs: UnreadBlock[] = [];
  for (const next of [...unread].sort((a, b) => a.number - b.number)) {
    const last = runs.at(-1);
    const [from, start] = [last?.from ?? last?.number, next.from ?? next.number];
    if (last === undefined || from === undefined || start > last.number + 1) runs.push(next);
    else if (next.number > last.number) runs.splice(-1, 1, { ...next, from, reason: last.reason, txHash: null });
  }
  return runs;
}

export function changed(height: number) {
  return refuse('provider_response_invalid', { message: `block ${height} changed while it was read` });
}
