import { isUntold, type BlockHeader } from '../kernel/ports/chain';

/** Blocks next to each other that are untold; with more of them the providers themselves are at fault. */
const MOST_UNTOLD_BLOCKS = 64;

/** Of the highest block at `height` or below that is told. Throws the refusal where too many are not. */
export async function nearestTold(
  height: number,
  headerAt: (height: number) => Promise<BlockHeader>,
): Promise<BlockHeader> {
  for (let below = 0; ; below++) {
    try {
      return await headerAt(height - below);
    } catch (error) {
      if (!isUntold(error) || below === MOST_UNTOLD_BLOCKS) throw error;
    }
  }
}

/** What is asked for; null where it is of a block that is untold. */
export async function nullWhereUntold<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (!isUntold(error)) throw error;
    return null;
  }
}
