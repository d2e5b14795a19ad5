import { refuse } from '../vocabulary/errors';
import { isProviderFault } from '../kernel/outage';
import { isUntold, type BlockHeader, type BlockReading, type Chain } from '../kernel/ports/chain';

/** Blocks next to each other that are untold; with more of them the providers themselves are at fault. */
const MOST_UNTOLD_BLOCKS = 20_000;

/** Throws Refusal provider_unavailable where too few providers agree on the block. */
export async function requireAgreedHash(chain: Chain, height: number): Promise<string> {
  return (await chain.agreedHash(height)) ?? refuseDisputed(height);
}

/** Throws the same refusal, where too few providers agree on all facts of the block. */
export async function requireAgreedBlock(chain: Chain, height: number): Promise<BlockHeader> {
  return (await chain.agreedBlock(height)) ?? refuseDisputed(height);
}

/**
 * The header of the highest told block from `lowest` to `height`, where the untold ones lie next to each other; null
 * where none is. The search goes ever further below, and then by halves, so that a run of any length costs few
 * questions.
 */
export async function nearestTold(chain: Chain, height: number, lowest: number): Promise<BlockHeader | null> {
  let told: BlockHeader | null = null;
  let untold = height + 1;
  for (let below = 0; told === null && untold > lowest; below = below * 2 + 1) {
    const at = Math.max(lowest, height - below);
    told = await toldAt(chain, at);
    if (told === null) untold = at;
  }
  while (told !== null && untold - told.number > 1) {
    const middle = Math.floor((untold + told.number) / 2);
    const found = await toldAt(chain, middle);
    if (found === null) untold = middle;
    else told = found;
  }
  return told;
}

/** Finds the same header. Throws Refusal provider_unavailable where too many blocks are untold. */
export async function requireNearestTold(chain: Chain, height: number): Promise<BlockHeader> {
  const lowest = Math.max(0, height - MOST_UNTOLD_BLOCKS);
  return (await nearestTold(chain, height, lowest)) ?? refuseDisputed(height);
}

async function toldAt(chain: Chain, height: number): Promise<BlockHeader | null> {
  try {
    return await chain.agreedBlock(height);
  } catch (error) {
    if (!isProviderFault(error)) throw error;
    return null;
  }
}

/** The reading of a block that is untold as a whole. */
export function untoldReading({ number, hash }: Pick<BlockHeader, 'number' | 'hash'>): BlockReading {
  return { transfers: [], unread: [{ number, hash, reason: 'unreadable', txHash: null }] };
}

/** The answer to the question; null where the question is about an untold block. */
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
