import { BoundedMap } from '../kernel/bounded-map';
import { isoTime, parseIsoTime, SECOND_MS, type Clock } from '../kernel/clock';
import type { Mode } from '../vocabulary/modes';
import { outageOf } from '../kernel/outage';
import type { BlockHeader, Chain } from '../kernel/ports/chain';
import type { Log } from '../kernel/ports/log';
import type { Token } from '../vocabulary/tokens';
import type { SetAside } from './set-aside';
import { HOLES_LIMIT, type Hole } from './set-aside-lists';
import { nearestAnswered, nullWhereUnanswered } from './answered-header';
import type { TransferSightings } from './transfer-sightings';

/** Blocks of a hole that are read before the log says so: a restart reads no more than these once again. */
const PIECE_BLOCKS = 250;
/** The time of a round for one hole. One piece is read all the same, and a piece that was begun is read to its end. */
const SHARE_MS = 30 * SECOND_MS;

type LongHolesParts = {
  readonly mode: Mode;
  readonly tokens: readonly Token[];
  readonly chain: Chain;
  readonly setAside: SetAside;
  readonly sightings: TransferSightings;
  readonly recipients: () => Promise<readonly string[]>;
  readonly clock: Clock;
  readonly log: Log;
};

/** `end` is null where some of the piece is unread; `last` is the piece's last block in both cases. */
type Piece = { readonly last: number; readonly end: BlockHeader | null };
type HeaderAt = (height: number) => Promise<BlockHeader | null>;

/**
 * Reads holes of several blocks, in pieces. A piece goes by the numbers of its blocks, as the chain stands now: nothing
 * is unread there then, whatever the hole's cause was. The transfers of a piece have their places before the hole is
 * shortened by it. So providers that are slow, or fail now and then, read a hole of any length in the end.
 */
export class LongHoles {
  /**
   * The block, by hole, at which reading goes on behind a piece that stays unread. A restart looks there once again.
   */
  private readonly lookedTo = new BoundedMap<string, number>(HOLES_LIMIT);

  constructor(private readonly parts: LongHolesParts) {}

  /**
   * Whether less of a hole below the cursor is unread than before. Throws an outage where nothing was read before it.
   */
  async retry(hole: Hole): Promise<boolean> {
    const start = hole.body.block_number;
    const unread = { from: start };
    try {
      await this.read(hole, unread);
    } catch (error) {
      // A provider that answered for a piece is not away: the next round goes on from there.
      if (unread.from === start || outageOf(error) !== 'provider') throw error;
      this.parts.log.warn({ mode: this.parts.mode, hole: hole.id, err: error }, 'a hole was read in part');
    }
    return unread.from > start;
  }

  /** The hole may begin at another block meanwhile: then the log takes none of these readings. */
  private async read({ id, body }: Hole, unread: { from: number }): Promise<void> {
    const { clock, setAside } = this.parts;
    const { to_number: to, block_hash } = body;
    const untilMs = clock.now() + SHARE_MS;
    let recordedFrom = unread.from;
    let piece = await this.readPiece(body, unread.from);
    while (piece.end !== null) {
      const { number, hash, timeMs } = piece.end;
      if (number === to) {
        await setAside.endHole(id, hash === block_hash ? 'read' : 'drop', recordedFrom, to);
        unread.from = to + 1;
        return;
      }
      // The last two blocks are read together.
      const next = Math.min(number + 1, to - 1);
      if (next === unread.from) break;
      const start = { block_number: next, block_time: isoTime(timeMs) };
      if (await setAside.shortenHole(id, recordedFrom, start)) recordedFrom = next;
      unread.from = next;
      if (clock.now() >= untilMs) return;
      piece = await this.readPiece(body, next);
    }
    await this.lookBehind(id, body, piece.last, untilMs);
  }

  /**
   * One block may stay unread for long, and payments behind it must not wait for it. No event records the blocks that
   * were read here. The same blocks are read again once the hole's first ones are.
   */
  private async lookBehind(id: string, body: Hole['body'], unreadTo: number, untilMs: number): Promise<void> {
    const { clock } = this.parts;
    for (let isRead = true; isRead && clock.now() < untilMs;) {
      const next = Math.max(unreadTo, this.lookedTo.get(id) ?? 0) + 1;
      if (next > body.to_number) return;
      const { last, end } = await this.readPiece(body, next);
      this.lookedTo.set(id, last);
      isRead = end !== null;
    }
  }

  private async readPiece(body: Hole['body'], from: number): Promise<Piece> {
    const { chain, tokens } = this.parts;
    const last = Math.min(from + PIECE_BLOCKS - 1, body.to_number);
    if ((await chain.agreedHash(from)) === null) return { last, end: null };
    const end = (await nullWhereUnanswered(chain.agreedBlock(last))) ?? (await nearestAnswered(chain, last - 1, from));
    if (end === null) return { last, end: null };
    const headerAt = eachOnce(height => nullWhereUnanswered(chain.agreedBlock(height)), end);
    let isWhole = true;
    for (const token of tokens) if (!(await this.isRead(body, token, from, end, headerAt))) isWhole = false;
    return isWhole ? { last: end.number, end } : { last, end: null };
  }

  /** False while a block is unread. The transfers of the read ones have their places all the same. */
  private async isRead(
    { seen_at }: Hole['body'],
    token: Token,
    from: number,
    end: BlockHeader,
    headerAt: HeaderAt,
  ): Promise<boolean> {
    const { mode, chain, sightings, recipients } = this.parts;
    const [contract, watched] = [token.contract[mode], await recipients()];
    // The first block tells for the others: while it cannot be read, all of the piece is not asked for.
    const first = from < end.number ? await chain.transfersInRange(from, from, contract, watched) : null;
    if (first !== null && first.unread.length > 0) return false;
    const { endHash, transfers, unread } = await chain.transfersInRange(from, end.number, contract, watched);
    if (endHash !== end.hash) return false;
    let isWhole = unread.length === 0;
    for (const transfer of transfers) {
      const block = await headerAt(transfer.blockNumber);
      if (block?.hash === transfer.blockHash)
        await sightings.observe({ token, transfer, block, seenAtMs: parseIsoTime(seen_at), isProvisional: false });
      else isWhole = false;
    }
    return isWhole;
  }
}

/** Asks for the header of each block once, and not at all for the known one. */
function eachOnce(ask: HeaderAt, known: BlockHeader): HeaderAt {
  const headers = new Map<number, BlockHeader | null>([[known.number, known]]);
  return async height => {
    const met = headers.get(height);
    if (met !== undefined) return met;
    const header = await ask(height);
    headers.set(height, header);
    return header;
  };
}
