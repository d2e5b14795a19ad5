import { refuse } from '../../vocabulary/errors';
import type { BlockReading, ObservedTransfer } from '../../kernel/ports/chain';
import type { BlockPlace } from './readings';

/** First four bytes of keccak256("balanceOf(address)"). */
const BALANCE_SELECTOR = '0x70a08231';
/** Blocks whose transfers are read in order to come from a newer balance to an older one. */
const MOST_BLOCKS_BACK = 10_000;

/** The node does not keep the state of so old a block. The error is the cause of a refusal. */
export class StateGone extends Error {}

export function stateGone(provider: string, { number }: BlockPlace) {
  const message = `${provider} does not keep the state of block ${number}.`;
  return refuse('provider_unavailable', { message, cause: new StateGone(message) });
}

/** The call data of `balanceOf`; the address is 0x and 40 hex digits. */
export function balanceCall(evmAddress: string): string {
  return BALANCE_SELECTOR + evmAddress.slice(2).toLowerCase().padStart(64, '0');
}

/** The balance after a newer block, as one provider tells it. */
export type NewerBalance = { readonly at: BlockPlace; readonly baseUnits: bigint };

type Derivation = {
  /** The provider's name. */
  readonly provider: string;
  readonly owner: string;
  /** The block after which the balance is asked for. */
  readonly block: BlockPlace;
  /** The hash that the provider gives a height; null above its head. */
  readonly hashAt: (height: number) => Promise<string | null>;
  /** The owner's transfers in both directions, with the hash of the last block as it was read. */
  readonly scan: (from: number, to: number) => Promise<BlockReading & { readonly endHash: string }>;
};

/**
 * The balance after an older block: a newer one, less all transfers in between. All answers are of one provider. Throws
 * Refusal with StateGone as its cause where there are too many blocks in between.
 */
export async function derivedBalance({ at, baseUnits }: NewerBalance, asked: Derivation): Promise<bigint> {
  const { provider, owner, block, hashAt, scan } = asked;
  if (at.number < block.number || (at.number === block.number && at.hash !== block.hash))
    throw refuse('provider_unavailable', { message: `${provider} has not got block ${block.hash}.` });
  if (at.number === block.number) return baseUnits;
  if (at.number - block.number > MOST_BLOCKS_BACK) throw stateGone(provider, block);
  const { transfers, unread, endHash } = await scan(block.number + 1, at.number);
  // The transfers must be of the very blocks between the two: the chain may have moved between the questions.
  const isStanding = endHash === at.hash && (await hashAt(block.number)) === block.hash;
  if (!isStanding || unread.length > 0 || (await hashAt(at.number)) !== at.hash)
    throw refuse('provider_unavailable', { message: `${provider} does not tell all transfers after ${block.number}.` });
  return baseUnits - netOf(transfers, owner);
}

function netOf(transfers: readonly ObservedTransfer[], owner: string): bigint {
  let net = 0n;
  for (const { from, to, valueBaseUnits } of transfers) {
    if (to === owner) net += valueBaseUnits;
    if (from === owner) net -= valueBaseUnits;
  }
  return net;
}
