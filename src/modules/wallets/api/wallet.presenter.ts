import type { Document } from '../../../kernel/ports/documents';
import { formatUnits } from '../../../vocabulary/money';
import { TOKENS } from '../../../vocabulary/tokens';
import type { DepositChallenge, SigningChallenge } from '../wallet.decider';
import type { WalletDocument } from '../wallets.read-model';
import type { ChallengeResource, WalletResource } from './wallets.contract';

export function presentWallet({ id, body }: Document<WalletDocument>): WalletResource {
  const { mode, network_id, address, label, controls_private_key, dedicated, status, verification, created } = body;
  return {
    id,
    object: 'wallet',
    mode,
    network_id,
    address,
    label,
    controls_private_key,
    dedicated,
    status,
    verification,
    created,
  };
}

export function presentChallenge(asked: SigningChallenge | DepositChallenge): ChallengeResource {
  if (asked.method === 'signed_message') return { challenge: asked.challenge, expires_at: asked.expires_at };
  const { address, token_id, amount_base_units, expires_at } = asked;
  const token_amount = formatUnits(BigInt(amount_base_units), TOKENS[token_id].decimals);
  return { address, token_id, token_amount, expires_at };
}
