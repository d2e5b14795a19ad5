import type { NetworkId, TokenId } from '../../kernel/tokens';

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

/** In a block; again, with the new block, when a reorganisation moved it. */
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

/** Final, and borne out by its receipt. */
export type MicroDepositCredited = {
  readonly type: 'MicroDepositCredited';
  readonly data: { readonly tx_hash: string; readonly ordinal: number; readonly block_hash: string };
};

/** The amount was never shown to anybody. */
export type MicroDepositReleased = {
  readonly type: 'MicroDepositReleased';
  readonly data: { readonly wallet_id: string };
};

export type MicroDepositEvent =
  MicroDepositReserved | MicroDepositSeen | MicroDepositDropped | MicroDepositCredited | MicroDepositReleased;
