import { refuse } from '../../../kernel/errors';
import { isNetworkId } from '../../../kernel/tokens';
import type { BodyCheck } from '../../../platform/http/caller';
import { checkedAddress, type WalletTerms } from '../wallet-registration';
import type { RegisterWalletDto, VerifyWalletDto } from './wallet.dto';

export function walletTerms(body: RegisterWalletDto): WalletTerms {
  const { network_id: networkId, address, label, controls_private_key: controlsPrivateKey } = body;
  return { networkId, address, label, controlsPrivateKey };
}

/** An unknown network is the command's to refuse: it is no mistake in the request, and its answer is kept. */
export const checkWalletTerms: BodyCheck<RegisterWalletDto> = (body, { caller }) => {
  if (isNetworkId(body.network_id)) checkedAddress(walletTerms(body), caller.mode);
};

export const checkProof: BodyCheck<VerifyWalletDto> = ({ method, signature = null }) => {
  if (method === 'signed_message' && signature === null)
    throw refuse('invalid_challenge_field', { param: 'signature' });
};
