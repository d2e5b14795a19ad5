import { isRefusal } from '../errors';

export type BlockHeader = {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  /** Milliseconds since 1970, by the chain. */
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
 * A block that a reading could not bear out, or a run of them. `disputed`: providers that answer differ on it.
 * `unreadable`: too few of them give it in a form that can be used. `txHash` names the transaction in question; null
 * where it may be any.
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
 * `transfers` also holds those of unread blocks that could be read. An outage of the providers makes no block unread:
 * it refuses the whole reading.
 */
export type BlockReading = {
  readonly transfers: readonly ObservedTransfer[];
  readonly unread: readonly UnreadBlock[];
};

/** Of a range: `endHash` is that of the range's last block as it was read, which names every block before it. */
export type RangeReading = BlockReading & { readonly endHash: string };

/**
 * Providers that answer other questions have failed one about a block for long: this is no outage. Found as the cause
 * of a refusal.
 */
export class BlockUntold extends Error {}

export function isUntold(error: unknown): boolean {
  return isRefusal(error) && error.cause instanceof BlockUntold;
}

/**
 * `unknown`: in no block of the canonical chain, or in one that moves just now. `too_large`: the receipt is longer than
 * is read for somebody who only names its transaction.
 */
export type LookedUp =
  | { readonly kind: 'found'; readonly receipt: Receipt; readonly block: BlockHeader }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'too_large' };

/**
 * What a watcher asks of a network. Addresses are in the network's stored form (EIP-55 on EVM). Every method throws
 * Refusal provider_unavailable, provider_response_invalid or provider_network_mismatch, never answers by a guess.
 */
export interface Chain {
  /** The hosts whose word all this is, in order of preference. */
  readonly providers: readonly string[];
  /** Proves that the provider serves the expected chain and that each token has the declared decimals. */
  check(): Promise<void>;
  /**
   * The newest block that enough providers have. The head goes back where the chain itself does. Else the head goes
   * back only after half a minute in which no provider was found that stands as high. During that half minute the
   * question is refused as provider_unavailable.
   */
  head(): Promise<BlockHeader>;
  /**
   * Height up to which the network calls its blocks final; it stands still while too few providers answer to agree on
   * it.
   */
  finalizedHeight(): Promise<number>;
  /** Null for a height above the head. A refusal may be the block's own, see BlockUntold. */
  blockAt(height: number): Promise<BlockHeader | null>;
  /**
   * Transfers of `contract` to any of `recipients` in the block with this very hash; fails on a block the provider has
   * not got. A refusal may be the block's own, see BlockUntold.
   */
  transfersInBlock(hash: string, contract: string, recipients: readonly string[]): Promise<BlockReading>;
  /**
   * The same over a range of blocks that are final, both ends included; fails on a range that goes beyond the
   * provider's head. Asked again after a failure, it goes on where it failed.
   */
  transfersInRange(from: number, to: number, contract: string, recipients: readonly string[]): Promise<RangeReading>;
  /**
   * Null when the transaction is in no block of the canonical chain: in live mode, by the word of two where two are
   * configured.
   */
  receipt(txHash: string): Promise<Receipt | null>;
  /**
   * The hash that the required number of providers give the block at `height`: in live mode two, where two are
   * configured. Null while they disagree or too few of them have the block. Nothing is confirmed on such a height.
   */
  agreedHash(height: number): Promise<string | null>;
  /**
   * The block at `height` as that number of providers give it alike, its time and parent too; null as above. A refusal
   * may be the block's own.
   */
  agreedBlock(height: number): Promise<BlockHeader | null>;
  /**
   * The same as `receipt`, asked of another provider than the preferred one; of the only one where there is no other.
   */
  secondReceipt(txHash: string): Promise<Receipt | null>;
  /**
   * The transaction with its block, for somebody who names it. The watcher comes first: providers that rest are not
   * asked. An answer or a fault here counts neither for nor against a provider where the watcher asks. With `whole` the
   * receipt is read however long it is.
   */
  lookUp(txHash: string, length?: 'whole'): Promise<LookedUp>;
  /** The same as `agreedHash`, with the standing of `lookUp`. Throws the refusal of an outage. */
  lookUpHash(height: number): Promise<string | null>;
}
