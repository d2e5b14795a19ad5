import { BoundedMap } from '../../../kernel/bounded-map';
import { refuse } from '../../../vocabulary/errors';
import { invariant } from '../../../kernel/invariant';
import { isProviderFault } from '../../../kernel/outage';
import { isUnanswered, type BlockHeader, type BlockReading, type RangeReading } from '../../../kernel/ports/chain';
import { joined, NOTHING, unreadableRun, type BlockPlace } from '../readings';
import type { Operation } from './provider-panel';
import type { ProviderPool } from './provider-pool';
import type { NamedProvider } from './provider-state';
import type { ReadingAgreement, ReadingQuestion } from './reading-agreement';

/** The caller cuts longer ranges, so that it can record its progress. */
const MAX_RANGE_BLOCKS = 10_000;
/** The width that the narrowest provider takes, until the width of these providers is known. */
const START_BLOCKS = 10;
/** Remembered ends of runs. The block after such an end is taken for the next block of its run. */
const MOST_RUNS = 64;
/** Readings that ended half-way, by token: those of the scan, and those of blocks that are set aside. */
const MOST_UNFINISHED = 8;

/** `span.blocks` is the number of blocks that the provider takes at once just now. */
export type RangeProvider = NamedProvider & { readonly span: { readonly blocks: number } };
export type ScannedRange = RangeReading;
type RangeScan<P> = (
  provider: P,
  contract: string,
  recipients: readonly string[],
) => { inRange(from: number, to: number): Promise<ScannedRange> };

type Progress = {
  readonly next: number;
  /** The last block that was read; null for none. */
  readonly end: BlockPlace | null;
  readonly found: BlockReading;
};

type Asked = { readonly contract: string; readonly recipients: readonly string[]; readonly to: number };
/** The reading up to `end`. A run of unanswered blocks moves `end` away from its planned place. */
type Piece = { readonly end: BlockPlace; readonly found: BlockReading };

/**
 * Reads ranges of final blocks piece by piece, each agreed on by the pool's providers. A reading that fails half-way
 * continues there when it is asked for again, if its blocks still stand on the chain. With providers that fail now and
 * then, a long range would otherwise never end.
 */
export class RangeReader<P extends RangeProvider> {
  private pieceBlocks = START_BLOCKS;
  /**
   * Unfinished readings, by the first block and the question. The chain's head moves between two tries, so a reading
   * with another end continues there as well. A reading with an earlier end, such as that of the first block alone,
   * leaves the progress as it is.
   */
  private readonly unfinished = new BoundedMap<string, Progress>(MOST_UNFINISHED);
  /** The last blocks of unanswered runs. */
  private readonly runEnds = new BoundedMap<number, true>(MOST_RUNS);
  private lastEnd: number | null = null;
  /** The last piece that was refused and ended a reading. */
  private refused: { readonly from: number; readonly to: number } | null = null;

  constructor(
    private readonly pool: ProviderPool<P>,
    private readonly agreement: ReadingAgreement<P>,
    private readonly scan: RangeScan<P>,
    private readonly headerAt: (provider: P, height: number) => Promise<BlockHeader | null>,
  ) {}

  /** Whether the last block that was read was unanswered. */
  get isInRun(): boolean {
    return this.lastEnd !== null && this.runEnds.has(this.lastEnd);
  }

  async read(from: number, to: number, contract: string, recipients: readonly string[]): Promise<RangeReading> {
    invariant(to - from < MAX_RANGE_BLOCKS, `a range of more than ${MAX_RANGE_BLOCKS} blocks`);
    const key = JSON.stringify([from, contract, recipients]);
    let progress = (await this.standing(key, to)) ?? { next: from, end: null, found: NOTHING };
    while (progress.next <= to) {
      this.keep(key, progress);
      const piece = await this.readPiece(progress.next, { contract, recipients, to });
      if (piece === 'narrower') continue;
      await this.requireStanding(key, progress.end);
      const { end, found } = piece;
      this.lastEnd = end.number;
      progress = { next: end.number + 1, end, found: joined([progress.found, found]) };
    }
    if (this.nextOf(key) <= to + 1) this.unfinished.delete(key);
    invariant(progress.end !== null, 'a range without a block');
    return { ...progress.found, endHash: progress.end.hash };
  }

  /**
   * Throws Refusal provider_response_invalid where the last block of a piece was replaced while the next piece was
   * read. The two pieces would be of two chains.
   */
  private async requireStanding(key: string, end: BlockPlace | null): Promise<void> {
    if (end === null || (await this.provedHash(end.number)) === end.hash) return;
    this.unfinished.delete(key);
    throw refuse('provider_response_invalid', { message: `block ${end.number} changed while its range was read` });
  }

  /** The progress before a failure; null where there is none, or where its blocks have been replaced since. */
  private async standing(key: string, to: number): Promise<Progress | null> {
    const known = this.unfinished.get(key);
    if (known === undefined || known.end === null || known.next > to + 1) return null;
    if ((await this.provedHash(known.end.number)) === known.end.hash) return known;
    this.unfinished.delete(key);
    return null;
  }

  private keep(key: string, progress: Progress): void {
    if (progress.end !== null && progress.next > this.nextOf(key)) this.unfinished.set(key, progress);
  }

  /** The block at which the reading continues; below all blocks where there is no progress. */
  private nextOf(key: string): number {
    return this.unfinished.get(key)?.next ?? -1;
  }

  /** Reads one piece from a block on, as wide as one question; `narrower` where a narrower piece is to be asked for. */
  private async readPiece(from: number, asked: Asked): Promise<Piece | 'narrower'> {
    // Behind an unanswered run, the next block alone shows first whether the run goes on.
    const most = this.runEnds.has(from - 1) ? 1 : this.pieceBlocks;
    const last = Math.min(from + most - 1, asked.to);
    const spans: number[] = [];
    // A shorter piece is likelier to be read whole; the next piece is again as long as the providers take.
    this.pieceBlocks = Math.max(1, Math.floor((last - from + 1) / 2));
    const [question, scan] = this.questionOf(from, last, asked, spans);
    const piece = await (from === last
      ? this.readOne(from, asked, question, scan)
      : this.readSome(from, last, question, scan));
    if (piece !== 'narrower') this.pieceBlocks = spans.length > 0 ? Math.min(...spans) : START_BLOCKS;
    return piece;
  }

  /** Asks for half as much next where a part is unread, or refused again while all other questions are answered. */
  private async readSome(from: number, last: number, question: ReadingQuestion, scan: Operation<P, ScannedRange>) {
    try {
      const { endHash, ...found } = await this.agreement.read(question, scan);
      return found.unread.length > 0 ? 'narrower' : { end: { number: last, hash: endHash }, found };
    } catch (error) {
      const { refused } = this;
      const isAgain = refused !== null && refused.from <= from && from <= refused.to;
      if (isAgain && isProviderFault(error) && (await this.pool.ownFaults.areAnswering())) return 'narrower';
      this.refused = { from, to: last };
      throw error;
    }
  }

  /**
   * A block is unread, with all unanswered blocks after it, where providers that answer all else do not tell it.
   */
  private async readOne(
    height: number,
    asked: Asked,
    question: ReadingQuestion,
    scan: Operation<P, ScannedRange>,
  ): Promise<Piece> {
    const { runEnds } = this;
    const ask = () => this.agreement.readSurely(question, scan);
    try {
      const { endHash, ...found } = await this.pool.ownFaults.watched(question.subject, ask, runEnds.has(height - 1));
      runEnds.delete(height - 1);
      return { end: { number: height, hash: endHash }, found };
    } catch (error) {
      if (!isUnanswered(error)) throw error;
      const end = await this.endOfRun(height, asked);
      runEnds.delete(height - 1);
      runEnds.set(end.number, true);
      this.pool.tellDispute(height, `the transfers in blocks ${height} to ${end.number} cannot be told.`);
      return { end, found: unreadableRun(height, end) };
    }
  }

  /**
   * The last one of the unanswered blocks from `height` on. The search goes further ahead in growing steps. Then it
   * halves the distance between the furthest unanswered block and the nearest answered one. So a run of any length
   * costs few questions, and answered blocks within a run are read together with it.
   */
  private async endOfRun(height: number, asked: Asked): Promise<BlockPlace> {
    const isAnswered = async (at: number): Promise<boolean> => {
      const [question, scan] = this.questionOf(at, at, asked, []);
      try {
        await this.agreement.read(question, scan);
        return true;
      } catch (error) {
        if (!isProviderFault(error)) throw error;
        return false;
      }
    };
    let unanswered = height;
    let answered = Infinity;
    for (let ahead = 1; unanswered < asked.to && answered === Infinity; ahead *= 2) {
      const at = Math.min(height + ahead, asked.to);
      if (await isAnswered(at)) answered = at;
      else unanswered = at;
    }
    while (answered !== Infinity && answered - unanswered > 1) {
      const middle = Math.floor((answered + unanswered) / 2);
      if (await isAnswered(middle)) answered = middle;
      else unanswered = middle;
    }
    // Refused where the providers have gone away meanwhile.
    return { number: unanswered, hash: await this.provedHash(unanswered) };
  }

  private questionOf(
    from: number,
    to: number,
    { contract, recipients }: Asked,
    spans: number[],
  ): [ReadingQuestion, Operation<P, ScannedRange>] {
    const scan: Operation<P, ScannedRange> = async provider => {
      const answered = await this.scan(provider, contract, recipients).inRange(from, to);
      spans.push(provider.span.blocks);
      return answered;
    };
    const subject = `the transfers in blocks ${from} to ${to}`;
    return [{ subject, quorum: 'full', contract, recipients }, scan];
  }

  /** The hash by the block itself, or by the block that follows. Throws Refusal while the quorum agrees on neither. */
  private async provedHash(height: number): Promise<string> {
    const agreed = await this.pool.agreedHash(height);
    if (agreed !== null) return agreed;
    const subject = `the parent of block ${height + 1}`;
    const named = await this.pool.votes.agreeInFull(subject, async provider => {
      return (await this.headerAt(provider, height + 1))?.parentHash ?? null;
    });
    if (named !== null) return named;
    throw refuse('provider_unavailable', { message: `no block follows ${height} yet` });
  }
}
