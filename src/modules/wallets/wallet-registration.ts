import { refuse } from '../../vocabulary/errors';
import type { Mode } from '../../vocabulary/modes';
import { derivedId } from '../../vocabulary/ids';
import { TOKENS } from '../../vocabulary/tokens';
import { keepsRule, type TextRule } from '../../vocabulary/text-rules';
import { isNetworkId, type NetworkId } from '../../vocabulary/networks';
import { canonicalAddress } from './address';
import type { ExchangeHostedAddresses } from './exchange-hosted';
import type { WalletRegistered } from './wallet.events';

export const WALLET_LABEL = { isWritten: true, isOneLine: true, max: 100 } as const satisfies TextRule;

export type WalletTerms = {
  readonly networkId: string;
  readonly address: string;
  readonly label: string;
  readonly controlsPrivateKey: boolean;
};

type WalletRegistration = { readonly walletId: string; readonly registration: WalletRegistered['data'] };

/** Throws Refusal parameter_invalid. */
export function checkLabel(label: string): void {
  if (!keepsRule(label, WALLET_LABEL)) throw refuse('parameter_invalid', { param: 'label' });
}

/**
 * The address in its stored form. Throws a Refusal for terms that are wrong by themselves. In this order:
 * parameter_invalid for the label, unsupported_network, invalid_address, exchange_hosted_wallet.
 */
export function checkedAddress(
  { networkId, address, label, controlsPrivateKey }: WalletTerms,
  mode: Mode,
): { readonly networkId: NetworkId; readonly canonical: string } {
  checkLabel(label);
  if (!isNetworkId(networkId)) throw refuse('unsupported_network', { param: 'network_id' });
  const canonical = canonicalAddress(networkId, address);
  const isContract = Object.values(TOKENS).some(
    token => token.network === networkId && token.contract[mode].toLowerCase() === canonical.toLowerCase(),
  );
  if (isContract) {
    throw refuse('invalid_address', { param: 'address', message: "This is a token's contract, not a wallet." });
  }
  if (!controlsPrivateKey) throw refuse('exchange_hosted_wallet', { param: 'controls_private_key' });
  return { networkId, canonical };
}

/**
 * The terms as they are stored, and the id that follows from them: one address once per merchant, network and mode.
 * Throws what `checkedAddress` throws, and Refusal wallet_exchange_hosted.
 */
export function walletRegistration(
  terms: WalletTerms,
  merchantId: string,
  mode: Mode,
  exchangeHosted: ExchangeHostedAddresses,
): WalletRegistration {
  const { networkId, canonical } = checkedAddress(terms, mode);
  if (exchangeHosted.has(mode, networkId, canonical)) throw refuse('wallet_exchange_hosted', { param: 'address' });
  return {
    walletId: derivedId('wal', [mode, merchantId, networkId, canonical]),
    registration: { network_id: networkId, address: canonical, label: terms.label, controls_private_key: true },
  };
}
