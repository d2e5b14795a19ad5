import { NETWORKS, type NetworkId } from '../../../src/vocabulary/networks';
import { TOKENS } from '../../../src/vocabulary/tokens';
import type { VerificationMethod } from '../../../src/modules/wallets/wallet.events';
import { Badge } from '../../parts/status-badge';
import type { Option } from '../../parts/fields';

export const NETWORK_OPTIONS: readonly Option[] = Object.values(NETWORKS).map(({ id, name }) => ({
  value: id,
  text: `${name}, for ${assetsOn(id).join(' and ')}`,
}));

function assetsOn(network: NetworkId): readonly string[] {
  return Object.values(TOKENS)
    .filter(token => token.network === network)
    .map(({ asset }) => asset);
}

export const METHOD_NAMES: Readonly<Record<VerificationMethod, string>> = {
  signed_message: 'a signed message',
  micro_deposit: 'a micro-deposit',
};

export function WalletBadge({ status }: { readonly status: 'pending' | 'verified' }) {
  return status === 'verified' ? <Badge tone="ok" text="Verified" /> : <Badge tone="warn" text="Not verified" />;
}
