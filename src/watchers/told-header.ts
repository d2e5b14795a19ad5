import { refuse } from '../kernel/errors';
import { isUntold, type BlockHeader, type Chain } from '../kernel/ports/chain';

/** Blocks next to each other that are untold; with more of them the providers themselves are at fault. */
const MOST_UNTOLD_BLOCKS = 64;

/** Throws Refusal provider_unavailable where too few providers agree on the block. */
export async function requireAgreedHash(chain: Chain, height: number): Promise<string> {
  return (await chain.agreedHash(height)) ?? refuseDisputed(height);
}

/** The same of all that is said of the block. */
export async function requireAgreedBlock(chain: Chain, height: number): Promise<BlockHeader> {
  return (await chain.agreedBlock(height)) ?? refuseDisputed(height);
}

/** Of the highest block at `height` or below that is told. Throws the refusal where too many are not. */
export async function nearestTold(chain: Chain, height: number): Promise<BlockHeader> {
  for (let below = 0; ; below++) {
    try {
      return await requireAgreedBlock(chain, height - below);
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

function refuseDisputed(height: number): never {
  throw refuse('provider_unavailable', { message: `no two providers agree on block ${height}` });
}
