import type { TokenId } from '../../vocabulary/tokens';
import type { NetworkId } from '../../vocabulary/networks';

export const VERIFICATION_METHODS = ['signed_message', 'micro_deposit'] as const;
export type VerificationMethod = (typeof VERIFICATION_METHODS)[number];

export type WalletRegistered = {
  readonly type: 'WalletRegistered';
  readonly data: {
    readonly network_id: NetworkId;
    /** EIP-55 on bnb and base, base58check on tron. */
    readonly address: string;
    readonly label: string;
    readonly controls_private_key: boolean;
  };
};

/** The newest challenge counts; `challenge` is the very text to sign. */
export type WalletChallengeIssued = {
  readonly type: 'WalletChallengeIssued';
  readonly data: {
    readonly method: 'signed_message';
    readonly challenge: string;
    readonly nonce: string;
    readonly expires_at: string;
  };
};

/** The wallet's address is to send this very amount; `deposit_id` names the stream that waits for it. */
export type WalletDepositAsked = {
  readonly type: 'WalletDepositAsked';
  readonly data: {
    readonly method: 'micro_deposit';
    readonly deposit_id: string;
    readonly address: string;
    readonly token_id: TokenId;
    readonly amount_base_units: string;
    readonly expires_at: string;
  };
};

type WalletVerified = {
  readonly type: 'WalletVerified';
  readonly data: { readonly method: VerificationMethod; readonly verified_at: string };
};

/** The merchant has given the wallet another name, or has declared whether the wallet is dedicated. */
export type WalletChanged = {
  readonly type: 'WalletChanged';
  readonly data: {
    readonly label: string;
    /** The wallet receives nothing but payments of this service. */
    readonly dedicated: boolean;
  };
};

export type WalletEvent =
  WalletRegistered | WalletChallengeIssued | WalletDepositAsked | WalletVerified | WalletChanged;
