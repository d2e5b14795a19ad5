import type { Core } from './core';
import { ContractSignatures } from '../modules/wallets/contract-signatures';
import { RecoveredSignatures, type MessageSignatures } from '../modules/wallets/message-signatures';
import { verificationAddresses, type VerificationAddresses } from '../modules/wallets/verification-method';
import type { WatchedNetwork } from './ports';
import { recoverSigner } from '../platform/chains/evm/signed-message';
import { recoverTronSigner } from '../platform/chains/tron/signed-message';

/** The proofs by which merchants show that a wallet is theirs. */
export type WalletProofs = { readonly signatures: MessageSignatures; readonly addresses: VerificationAddresses };

/** Contract wallets and micro-deposits can be checked on the watched networks only. */
export function composeWalletProofs(
  { config }: Pick<Core, 'config'>,
  networks: readonly WatchedNetwork[],
): WalletProofs {
  const keys = new RecoveredSignatures({ bnb: recoverSigner, base: recoverSigner, tron: recoverTronSigner });
  const signatures = new ContractSignatures(keys, (mode, network) => {
    const watched = networks.find(each => each.mode === mode && each.network === network);
    return watched?.contracts ?? null;
  });
  return { signatures, addresses: verificationAddresses(networks, config.verificationAddresses) };
}
