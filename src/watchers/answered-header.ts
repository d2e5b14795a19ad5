import { refuse } from '../vocabulary/errors';
import { isProviderFault } from '../kernel/outage';
import { isUnanswered, type BlockHeader, type BlockReading, type Chain } from '../kernel/ports/chain';

/** Blocks next to each other that are unanswered; with more of them the providers themselves are at fault. */
const MOST_UNANSWERED_BLOCKS = 20_000;

/** Throws Refusal provider_unavailable where too few providers agree on the block. */
export async function requireAgreedHash(chain: Chain, height: number): Promise<string> {
  return (await chain.agreedHash(height)) ?? refuseDisputed(height);
}

/** Throws the same refusal, where too few providers agree on all facts of the block. */
export async function requireAgreedBlock(chain: Chain, height: number): Promise<BlockHeader> {
  return (await chain.agreedBlock(height)) ?? refuseDisputed(height);
}

/**
 * The header of the highest answered block from `lowest` to `height`, where the unanswered ones lie side by side; null
 * where none is. The search goes ever further below, and then by halves, so that a run of any length costs few
 * questions.
 */
export async function nearestAnswered(chain: Chain, height: number, lowest: number): Promise<BlockHeader | null> {
  let answered: BlockHeader | null = null;
  let unanswered = height + 1;
  for (let below = 0; answered === null && unanswered > lowest; below = below * 2 + 1) {
    const at = Math.max(lowest, height - below);
    answered = await answeredAt(chain, at);
    if (answered === null) unanswered = at;
  }
  while (answered !== null && unanswered - answered.number > 1) {
    const middle = Math.floor((unanswered + answered.number) / 2);
    const found = await answeredAt(chain, middle);
    if (found === null) unanswered = middle;
    else answered = found;
  }
  return answered;
}

/** Finds the same header. Throws Refusal provider_unavailable where too many blocks are unanswered. */
export async function requireNearestAnswered(chain: Chain, height: number): Promise<BlockHeader> {
  const lowest = Math.max(0, height - MOST_UNANSWERED_BLOCKS);
  return (await nearestAnswered(chain, height, lowest)) ?? refuseDisputed(height);
}

async function answeredAt(chain: Chain, height: number): Promise<BlockHeader | null> {
  try {
    return await chain.agreedBlock(height);
  } catch (error) {
    if (!isProviderFault(error)) throw error;
    return null;
  }
}

/** The reading of a block that is unanswered as a whole. */
export function unansweredReading({ number, hash }: Pick<BlockHeader, 'number' | 'hash'>): BlockReading {
  return { transfers: [], unread: [{ number, hash, reason: 'unreadable', txHash: null }] };
}

/** The answer to the question; null where the question is about an unanswered block. */
export async function nullWhereUnanswered<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    return null;
  }
}

function refuseDisputed(height: number): never {
  throw refuse('provider_unavailable', { message: `no two providers agree on block ${height}` });
}
