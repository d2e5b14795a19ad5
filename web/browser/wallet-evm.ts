import { guarded } from './page-parts';
import { offerWallet, throwRejection, withdrawWallet, type Tell, type Use } from './wallets';

/**
 * Wallets that announce themselves by EIP-6963, or else `window.ethereum`. The box also has `data-chain-id` (`0x2105`),
 * and `data-fallback-name` for a wallet without a name. No wallet is asked for an approval, or to add a network.
 */
interface Provider {
  request(call: { method: string; params: unknown[] }): Promise<unknown>;
}
/** Asks a wallet by the name of a method. */
export type Ask = (method: string, ...params: unknown[]) => Promise<unknown>;

const FALLBACK = 'ethereum';
/** Wallets announce themselves at once where they can. */
const ANNOUNCED_BY_MS = 300;

export async function isOnChain(ask: Ask, chainId: string): Promise<boolean> {
  return Number(await ask('eth_chainId')) === Number(chainId);
}

/** Has a wallet on another network switch. False: it stays there. */
export async function reachChain(ask: Ask, chainId: string, tell: Tell): Promise<boolean> {
  if (await isOnChain(ask, chainId)) return true;
  tell('WrongChain');
  await ask('wallet_switchEthereumChain', { chainId }).catch(throwRejection);
  if (!(await isOnChain(ask, chainId))) return false;
  tell('Confirm');
  return true;
}

/** `uses` makes the use of one wallet. */
export function startEvmWallets(uses: (ask: Ask) => Use): void {
  const offer = (id: string, provider: Provider, name: string, icon: string): void => {
    if (typeof provider.request !== 'function') return;
    const ask: Ask = (method, ...params) => provider.request({ method, params });
    offerWallet(id, { kind: 'evm', name, icon, use: uses(ask) });
  };
  let announced = false;
  addEventListener('eip6963:announceProvider', event =>
    guarded(() => {
      const { info, provider } = (event as CustomEvent).detail as {
        info: Record<'uuid' | 'name' | 'icon', unknown>;
        provider: Provider;
      };
      offer(String(info.uuid), provider, String(info.name), String(info.icon));
      announced = true;
      withdrawWallet(FALLBACK);
    }),
  );
  dispatchEvent(new Event('eip6963:requestProvider'));
  setTimeout(
    () =>
      guarded(() => {
        const { ethereum } = globalThis as { ethereum?: Provider };
        const name = document.querySelector<HTMLElement>('[data-fallback-name]')?.dataset['fallbackName'];
        if (!announced && ethereum) offer(FALLBACK, ethereum, name ?? 'Ethereum', '');
      }),
    ANNOUNCED_BY_MS,
  );
}
