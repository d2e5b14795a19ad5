import type { TokenId } from '../../vocabulary/tokens';
import type { NetworkId } from '../../vocabulary/networks';

/** From now on a transfer of this very amount, from the address under proof to `to`, is the proof of one wallet. */
export type MicroDepositReserved = {
  readonly type: 'MicroDepositReserved';
  readonly data: {
    readonly wallet_id: string;
    readonly network_id: NetworkId;
    readonly token_id: TokenId;
    /** The address under proof, which has to send. */
    readonly from: string;
    readonly to: string;
    readonly amount_base_units: string;
    readonly reserved_at: string;
    readonly expires_at: string;
  };
};

/** The transfer is in a block. The event comes again, with the new block, when a reorganisation moved the transfer. */
export type MicroDepositSeen = {
  readonly type: 'MicroDepositSeen';
  readonly data: {
    readonly tx_hash: string;
    readonly ordinal: number;
    readonly block_number: number;
    readonly block_hash: string;
    readonly block_time: string;
  };
};

export type MicroDepositDropped = {
  readonly type: 'MicroDepositDropped';
  readonly data: {
    readonly block_hash: string;
    readonly reason: 'reorged_out' | 'reverted' | 'verification_failed';
  };
};

/** The deposit is final, and its receipt proves it. */
type MicroDepositCredited = {
  readonly type: 'MicroDepositCredited';
  readonly data: { readonly tx_hash: string; readonly ordinal: number; readonly block_hash: string };
};

/** The amount was never shown to anybody. */
type MicroDepositReleased = {
  readonly type: 'MicroDepositReleased';
  readonly data: { readonly wallet_id: string };
};

export type MicroDepositEvent =
  MicroDepositReserved | MicroDepositSeen | MicroDepositDropped | MicroDepositCredited | MicroDepositReleased;
