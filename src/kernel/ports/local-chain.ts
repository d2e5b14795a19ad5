import type { TokenId } from '../../vocabulary/tokens';
import type { NetworkId } from '../../vocabulary/networks';

export type LocalPayment = {
  readonly tokenId: TokenId;
  /** The address in the network's form. */
  readonly to: string;
  readonly baseUnits: bigint;
  /** Pays in an unapproved token that has the approved token's name and symbol. */
  readonly lookalike?: boolean;
  /** A name has one payment, however often the payment is asked for. Absent where nobody asks again. */
  readonly name?: string;
  /** Gets the hash or id of the payment's transaction, and is done with it, before the transaction is sent. */
  readonly onSigned?: (txHash: string) => Promise<void>;
};

/**
 * `funding` is the transaction that gave the payer its tokens: where that transaction is taken back, the payment fails.
 */
export type LocalTransfer = { readonly txHash: string; readonly funding: string };

export type PaidTransfer = LocalTransfer & { readonly baseUnits: bigint };

/**
 * A chain of play money that the service itself runs in test mode, as its player steers it. Every method throws Refusal
 * provider_unavailable where the chain cannot do it.
 */
export interface LocalChain {
  /** Makes blocks at once. */
  mine(blocks: number): Promise<void>;
  /** The transfer that was paid under a name; null while there is none. */
  paid(name: string): Promise<PaidTransfer | null>;
  /** A transfer from an account that never paid before; the transfer is in a block when this resolves. */
  pay(payment: LocalPayment): Promise<LocalTransfer>;
  /**
   * Reorganises the chain so that these recent transactions were never in it. The blocks from the first of these
   * transactions on are replaced by others, with everything else in them.
   */
  takeBack(txHashes: readonly string[]): Promise<void>;
}

/** The local chains of this deployment; a network with providers of its own has none. */
export type LocalChains = ReadonlyMap<NetworkId, LocalChain>;
