import type { Cursor } from './coverage-record';

/** A place that is set aside: a block, a run of blocks, or a transfer of a block. */
export type SetAsidePlace = {
  /** The chain that was watched. */
  readonly instance: string;
  readonly block_number: number;
  /** The last block of a run; the same block where there is no run. */
  readonly to_number: number;
  readonly block_hash: string;
};

/** Hashes on which enough providers agree; null where too few tell, undefined before the question. */
export type RetryAnswers = {
  readonly block?: string | null;
  readonly cursor?: string | null;
  readonly blockAgain?: string | null;
};

/**
 * `ask_…`: the next question. `leave`: nothing can be told yet. `drop`: the block is not on the chain any more.
 * `read_pieces`: the blocks are read as the chain stands now. `read`: the block stands.
 */
export type RetryStep = 'ask_block' | 'ask_cursor' | 'ask_block_again' | 'leave' | 'drop' | 'read_pieces' | 'read';

/** The next step for a place. `cursor` is the end of coverage; null before it was read. */
export function planRetry(
  place: SetAsidePlace,
  instance: string,
  cursor: Cursor | null,
  { block, cursor: cursorHash, blockAgain }: RetryAnswers,
): RetryStep {
  if (place.instance !== instance) return 'drop';
  // Below the cursor, blocks are agreed on. A run that grows still reaches beyond it.
  if (place.to_number > place.block_number)
    return cursor !== null && cursor.number >= place.to_number ? 'read_pieces' : 'leave';
  if (block === undefined) return 'ask_block';
  if (block === place.block_hash) return 'read';
  if (block === null || cursor === null || cursor.number < place.block_number) return 'leave';
  if (cursorHash === undefined) return 'ask_cursor';
  if (cursorHash !== cursor.hash) return 'leave';
  // The covered block stands, and its hash names every block below it. The block is asked for before and after that.
  if (blockAgain === undefined) return 'ask_block_again';
  return blockAgain === null || blockAgain === place.block_hash ? 'leave' : 'drop';
}
