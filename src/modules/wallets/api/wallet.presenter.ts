import type { Document } from '../../../kernel/ports/documents';
import type { WalletDocument } from '../../../../projections/wallets/wallets.projection';

export type WalletResource = Omit<WalletDocument, 'merchant_id'> & { readonly id: string; readonly object: 'wallet' };

export function presentWallet({ id, body }: Document<WalletDocument>): WalletResource {
  const { mode, network_id, address, label, controls_private_key, status, verification, created } = body;
  return {
    id,
    object: 'wallet',
    mode,
    network_id,
    address,
    label,
    controls_private_key,
    status,
    verification,
    created,
  };
}
