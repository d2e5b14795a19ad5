import { refuse } from '../../../kernel/errors';
import { invariant } from '../../../kernel/invariant';
import { isUntold, type BlockHeader, type BlockReading, type RangeReading } from '../../../kernel/ports/chain';
import { joined, NOTHING, unreadable } from '../readings';
import type { Operation } from './provider-panel';
import type { ProviderPool } from './provider-pool';
import type { NamedProvider } from './provider-state';
import type { ReadingAgreement, ReadingQuestion } from './reading-agreement';

/** A longer range is the caller's to cut, so that it can record how far it came. */
const MAX_RANGE_BLOCKS = 10_000;
/** As the narrowest provider takes them, until it is known what these do. */
const START_BLOCKS = 10;

/** `span.blocks` is how many blocks the provider takes at once just now. */
export type RangeProvider = NamedProvider & { readonly span: { readonly blocks: number } };
export type ScannedRange = RangeReading;
export type RangeScan<P> = (
  provider: P,
  contract: string,
  recipients: readonly string[],
) => { inRange(from: number, to: number): Promise<ScannedRange> };

type End = { readonly height: number; readonly hash: string };

type Progress = {
  readonly key: string;
  readonly next: number;
  /** The last block that was read; null for none. */
  readonly end: End | null;
  readonly found: BlockReading;
};

/**
 * Reads ranges of final blocks piece by piece, each agreed on by the pool's providers. What fails half-way is taken up there when it is
 * asked for again, if it stands on the chain still: with providers that fail now and then, a long range would else never end.
 */
export class RangeReader<P extends RangeProvider> {
  private pieceBlocks = START_BLOCKS;
  private unfinished: Progress | null = null;

  constructor(
    private readonly pool: ProviderPool<P>,
    private readonly agreement: ReadingAgreement<P>,
    private readonly scan: RangeScan<P>,
    private readonly headerAt: (provider: P, height: number) => Promise<BlockHeader | null>,
  ) {}

  async read(from: number, to: number, contract: string, recipients: readonly string[]): Promise<RangeReading> {
    invariant(to - from < MAX_RANGE_BLOCKS, `a range of more than ${MAX_RANGE_BLOCKS} blocks`);
    const key = JSON.stringify([from, contract, recipients]);
    let progress = (await this.standing(key, to)) ?? { key, next: from, end: null, found: NOTHING };
    while (progress.next <= to) {
      this.unfinished = progress;
      const end = Math.min(progress.next + this.pieceBlocks - 1, to);
      const piece = await this.readPiece(progress.next, end, contract, recipients);
      // Half as much is asked for next, down to the one block that cannot be read.
      if (piece.unread.length > 0 && end > progress.next) continue;
      await this.requireStanding(progress.end);
      const read = { height: end, hash: piece.endHash };
      progress = { key, next: end + 1, end: read, found: joined([progress.found, piece]) };
    }
    this.unfinished = null;
    invariant(progress.end !== null, 'a range without a block');
    return { ...progress.found, endHash: progress.end.hash };
  }

  /** Pieces are read one after the other: each must stand while the next one is read, or both are of two chains. */
  private async requireStanding(end: End | null): Promise<void> {
    if (end === null || (await this.provedHash(end.height)) === end.hash) return;
    this.unfinished = null;
    throw refuse('provider_response_invalid', { message: `block ${end.height} changed while its range was read` });
  }

  /** What was read before it failed; null where there is nothing such, or where its blocks have been replaced since. */
  private async standing(key: string, to: number): Promise<Progress | null> {
    const known = this.unfinished;
    if (known?.key !== key || known.next > to + 1) return null;
    const { end } = known;
    return end && (await this.provedHash(end.height)) === end.hash ? known : null;
  }

  private async readPiece(from: number, to: number, contract: string, recipients: readonly string[]) {
    const spans: number[] = [];
    // A shorter piece is likelier to come through whole; the next one is again as long as the providers take them.
    this.pieceBlocks = Math.max(1, Math.floor((to - from + 1) / 2));
    const question = { subject: `the transfers in blocks ${from} to ${to}`, contract, recipients };
    const scan: Operation<P, ScannedRange> = async provider => {
      const answered = await this.scan(provider, contract, recipients).inRange(from, to);
      spans.push(provider.span.blocks);
      return answered;
    };
    const scanned = await (from === to ? this.readOne(from, question, scan) : this.agreement.read(question, scan));
    if (scanned.unread.length === 0 || from === to)
      this.pieceBlocks = spans.length > 0 ? Math.min(...spans) : START_BLOCKS;
    return scanned;
  }

  /** Unread where providers that answer all else do not tell of it. */
  private async readOne(height: number, question: ReadingQuestion, scan: Operation<P, ScannedRange>) {
    try {
      return await this.pool.ownFaults.watched(question.subject, () => this.agreement.readSurely(question, scan));
    } catch (error) {
      if (!isUntold(error)) throw error;
      // Where its hash cannot be proved, a wider piece may still be read over it.
      this.pieceBlocks = START_BLOCKS;
      const hash = await this.provedHash(height);
      this.pool.tellDispute(height, `${question.subject} cannot be told.`);
      return { endHash: hash, ...unreadable({ number: height, hash }, null) };
    }
  }

  /** By the block itself, or by the one that follows. Throws Refusal while the quorum agrees on neither. */
  private async provedHash(height: number): Promise<string> {
    const agreed = await this.pool.agreedHash(height);
    if (agreed !== null) return agreed;
    const next = await this.pool.votes.agreeInFull(`block ${height + 1}`, provider =>
      this.headerAt(provider, height + 1),
    );
    if (next) return next.parentHash;
    throw refuse('provider_unavailable', { message: `no block follows ${height} yet` });
  }
}
