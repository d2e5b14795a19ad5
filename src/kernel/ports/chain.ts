import { isRefusal } from '../../vocabulary/errors';

export type BlockHeader = {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  /** Milliseconds since 1970, by the chain's clock. */
  readonly timeMs: number;
};

export type BlockMoment = Pick<BlockHeader, 'number' | 'timeMs'>;

/**
 * One ERC-20 `Transfer` log, identified by its ordinal within its receipt: the block-wide log index moves in a reorg.
 */
export type ObservedTransfer = {
  readonly txHash: string;
  readonly ordinal: number;
  readonly contract: string;
  readonly from: string;
  readonly to: string;
  readonly valueBaseUnits: bigint;
  readonly blockNumber: number;
  readonly blockHash: string;
};

export type Receipt = {
  readonly succeeded: boolean;
  readonly blockNumber: number;
  readonly blockHash: string;
  readonly transfers: readonly ObservedTransfer[];
};

/**
 * A block, or a run of blocks, that a reading could not prove. `disputed`: the providers' answers differ. `unreadable`:
 * too few providers give the block in a usable form. `txHash` names the transaction in question; null where any may be
 * meant.
 */
export type UnreadBlock = {
  /** The first block of a run; a single block has none. */
  readonly from?: number;
  readonly number: number;
  /** A run has the hash of its last block, which names every block before it. */
  readonly hash: string;
  readonly reason: 'disputed' | 'unreadable';
  readonly txHash: string | null;
};

/**
 * `transfers` also holds the readable transfers of unread blocks. An outage of the providers makes no block unread; the
 * whole reading is refused.
 */
export type BlockReading = {
  readonly transfers: readonly ObservedTransfer[];
  readonly unread: readonly UnreadBlock[];
};

/**
 * The reading of a range: `endHash` is the hash of its last block as it was read, and so names every block before it.
 */
export type RangeReading = BlockReading & { readonly endHash: string };

/**
 * Providers that answer other questions have long failed one about a block, so this is no outage. The error is the
 * cause of a refusal.
 */
export class BlockUnanswered extends Error {}

export function isUnanswered(error: unknown): boolean {
  return isRefusal(error) && error.cause instanceof BlockUnanswered;
}

/**
 * `unknown`: the transaction is in no block of the canonical chain, or its block is just being replaced. `too_large`:
 * the receipt is longer than the limit for somebody who only names its transaction.
 */
export type LookedUp =
  | { readonly kind: 'found'; readonly receipt: Receipt; readonly block: BlockHeader }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'too_large' };

/**
 * The questions of a watcher to a network. Addresses are in the network's stored form (EIP-55 on EVM). Every method
 * throws Refusal provider_unavailable, provider_response_invalid or provider_network_mismatch, and never guesses an
 * answer.
 */
export interface Chain {
  /** The hosts of the providers that give these answers, in order of preference. */
  readonly providers: readonly string[];
  /** Proves that the provider serves the expected chain and that each token has the declared decimals. */
  check(): Promise<void>;
  /**
   * The newest block that enough providers have. The head goes back where the chain itself does. Otherwise the head
   * goes back only after half a minute in which no provider stood that high. During that half minute the question is
   * refused as provider_unavailable.
   */
  head(): Promise<BlockHeader>;
  /**
   * The height up to which the network calls its blocks final. The height stands still while too few providers answer
   * to agree on it.
   */
  finalizedHeight(): Promise<number>;
  /** Null for a height above the head. A refusal may be the block's own, see BlockUnanswered. */
  blockAt(height: number): Promise<BlockHeader | null>;
  /**
   * Transfers of `contract` to any of `recipients` in the block with this very hash. Fails where the provider does not
   * have the block. A refusal may be the block's own, see BlockUnanswered.
   */
  transfersInBlock(hash: string, contract: string, recipients: readonly string[]): Promise<BlockReading>;
  /**
   * The same over a range of final blocks, both ends included. Fails on a range beyond the provider's head. A question
   * that is asked again after a failure continues at the failed block.
   */
  transfersInRange(from: number, to: number, contract: string, recipients: readonly string[]): Promise<RangeReading>;
  /**
   * Null when the transaction is in no block of the canonical chain. In live mode two providers must say so, where two
   * are configured.
   */
  receipt(txHash: string): Promise<Receipt | null>;
  /**
   * The hash that the required number of providers give the block at `height`: in live mode two, where two are
   * configured. Null while they disagree or too few of them have the block. No transfer is confirmed on such a height.
   */
  agreedHash(height: number): Promise<string | null>;
  /**
   * The block at `height` as that number of providers give it alike, its time and parent too; null as above. A refusal
   * may be the block's own.
   */
  agreedBlock(height: number): Promise<BlockHeader | null>;
  /**
   * The same as `receipt`, asked of another provider than the preferred one; the preferred one is asked where there is
   * no other.
   */
  secondReceipt(txHash: string): Promise<Receipt | null>;
  /**
   * The transaction with its block, for somebody who names the transaction. The watcher comes first: paused providers
   * are not asked. An answer or a fault here does not change a provider's standing with the watcher. With `whole` the
   * receipt is read at any length.
   */
  lookUp(txHash: string, length?: 'whole'): Promise<LookedUp>;
  /** The same as `agreedHash`, with the standing of `lookUp`. Throws the refusal of an outage. */
  lookUpHash(height: number): Promise<string | null>;
}
