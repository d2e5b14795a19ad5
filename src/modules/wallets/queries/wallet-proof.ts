import type { TokenId } from '../../../vocabulary/tokens';
import type { MicroDepositDropped } from '../micro-deposit.events';
import type { VerificationMethod } from '../wallet.events';

/** The micro-deposit that a pending wallet was asked for. */
export type AskedDeposit = {
  /** The address to send to. */
  readonly address: string;
  readonly token_id: TokenId;
  readonly amount_base_units: string;
  readonly expires_at: string;
  /** `lapsed`: nothing was seen in time. A transfer that was sent in time and is seen later still counts. */
  readonly status: 'open' | 'lapsed' | 'seen';
  /** The transfer that was seen; null until then, and once it was dropped. */
  readonly transfer: { readonly tx_hash: string; readonly block_number: number } | null;
  /** The reason why the transfer that was seen last does not count; null where none was dropped since. */
  readonly dropped: MicroDepositDropped['data']['reason'] | null;
};

/** The text that a pending wallet was asked to sign. */
type AskedSignature = {
  readonly challenge: string;
  readonly expires_at: string;
  readonly lapsed: boolean;
};

/** The proof that a pending wallet still owes. */
export type WalletProof = {
  /** The methods that this deployment can check on the wallet's network. */
  readonly methods: readonly VerificationMethod[];
  /** The method that was asked for last. */
  readonly asked: VerificationMethod | null;
  readonly signature: AskedSignature | null;
  readonly deposit: AskedDeposit | null;
};
