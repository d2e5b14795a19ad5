import type { NetworkId } from '../../kernel/tokens';

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

/** The newest one counts; `challenge` is the very text to sign. */
export type WalletChallengeIssued = {
  readonly type: 'WalletChallengeIssued';
  readonly data: {
    readonly method: VerificationMethod;
    readonly challenge: string;
    readonly nonce: string;
    readonly expires_at: string;
  };
};

export type WalletVerified = {
  readonly type: 'WalletVerified';
  readonly data: { readonly method: VerificationMethod; readonly verified_at: string };
};

export type WalletEvent = WalletRegistered | WalletChallengeIssued | WalletVerified;
