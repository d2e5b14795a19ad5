import type { Core } from './core';
import { ContractSignatures } from './modules/wallets/contract-signatures';
import { RecoveredSignatures, type MessageSignatures } from './modules/wallets/message-signatures';
import type { VerificationAddresses } from './modules/wallets/verification-method';
import type { NetworkId } from './kernel/tokens';
import type { WatchedNetwork } from './networks';
import { recoverSigner } from './platform/chains/evm/signed-message';
import { recoverTronSigner } from './platform/chains/tron/signed-message';

/** Where micro-deposits of the local chains go: nobody has its key, and what is sent there is worth nothing. */
const SANDBOX_ADDRESS = '0x00000000000000000000000000000000ce717171';
const SANDBOX_ADDRESSES: Readonly<Record<NetworkId, string>> = {
  bnb: SANDBOX_ADDRESS,
  base: SANDBOX_ADDRESS,
  tron: 'T9yD14Nj9j7xAB4dbGeiX9hjSYeyJpGWXo',
};

/** How merchants prove that a wallet is theirs. */
export type WalletProofs = { readonly signatures: MessageSignatures; readonly addresses: VerificationAddresses };

/** Contract wallets and micro-deposits can be checked on the watched networks only. */
export function composeWalletProofs(
  { config }: Pick<Core, 'config'>,
  networks: readonly WatchedNetwork[],
): WalletProofs {
  const find = (mode: string, network: string): WatchedNetwork | undefined =>
    networks.find(watched => watched.mode === mode && watched.network === network);
  const keys = new RecoveredSignatures({ bnb: recoverSigner, base: recoverSigner, tron: recoverTronSigner });
  // TRON has no standard by which a contract vouches for a signature.
  const signatures = new ContractSignatures(keys, (mode, network) =>
    network === 'tron' ? null : (find(mode, network)?.contracts ?? null),
  );
  const addresses: VerificationAddresses = {
    addressOf: (mode, network) => {
      const watched = find(mode, network);
      if (!watched) return null;
      return config.verificationAddresses[network][mode] ?? (watched.sandbox ? SANDBOX_ADDRESSES[network] : null);
    },
  };
  return { signatures, addresses };
}
