import type { NetworkId, TokenId } from '../tokens';

export type LocalPayment = {
  readonly tokenId: TokenId;
  /** In the network's form. */
  readonly to: string;
  readonly baseUnits: bigint;
  /** In the token of this name and symbol that is not the approved one. */
  readonly lookalike?: boolean;
  /** A name has one payment, however often that is asked for. Absent where nobody asks again. */
  readonly name?: string;
};

/** `funding` is the transaction that the payer had its tokens from: where that one is taken back, the payment fails. */
export type LocalTransfer = { readonly txHash: string; readonly funding: string };

export type PaidTransfer = LocalTransfer & { readonly baseUnits: bigint };

/**
 * A chain of play money that the service itself runs in test mode, as whoever plays the payer steers it. Every method
 * throws Refusal provider_unavailable where the chain does not do it.
 */
export interface LocalChain {
  /** Makes blocks at once. */
  mine(blocks: number): Promise<void>;
  /** What was paid under a name; null while nothing was. */
  paid(name: string): Promise<PaidTransfer | null>;
  /** A transfer from an account that never paid before; it is in a block when this resolves. */
  pay(payment: LocalPayment): Promise<LocalTransfer>;
  /**
   * Reorganises the chain so that these recent transactions never were in it. The blocks from the first of these
   * transactions on are replaced by others, with everything else that was in them.
   */
  takeBack(txHashes: readonly string[]): Promise<void>;
}

/** The local chains of this deployment; a network with providers of its own has none. */
export type LocalChains = ReadonlyMap<NetworkId, LocalChain>;
