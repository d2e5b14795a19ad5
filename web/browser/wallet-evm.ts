import { guarded } from './page-parts';
import { offerWallet, throwRejection, withdrawWallet, type Label, type Payment } from './wallets';

/**
 * Wallets that announce themselves by EIP-6963, or else `window.ethereum`. The box also has `data-chain-id` (`0x2105`),
 * and `data-fallback-name` for a wallet without a name. A wallet is asked for its accounts, its chain and one
 * transfer: never for an approval, and never to add a network.
 */
interface Provider {
  request(call: { method: string; params: unknown[] }): Promise<unknown>;
}

const FALLBACK = 'ethereum';
/** Wallets announce themselves at once where they can. */
const ANNOUNCED_BY_MS = 300;
const TRANSFER = '0xa9059cbb';
const HASH = /^0x[\da-f]{64}$/i;

function word(hex: string): string {
  return hex.padStart(64, '0');
}

function transferData(address: string, amount: string): string {
  return TRANSFER + word(address.slice(2).toLowerCase()) + word(BigInt(amount).toString(16));
}

async function pay(provider: Provider, wanted: DOMStringMap, tell: (label: Label) => void): Promise<Payment> {
  const { chainId = '', contract = '', address = '', amount = '' } = wanted;
  const ask = (method: string, ...params: unknown[]): Promise<unknown> => provider.request({ method, params });
  const isRight = async (): Promise<boolean> => Number(await ask('eth_chainId')) === Number(chainId);
  const [from] = (await ask('eth_requestAccounts')) as string[];
  if (!(await isRight())) {
    tell('WrongChain');
    await ask('wallet_switchEthereumChain', { chainId }).catch(throwRejection);
    if (!(await isRight())) return null;
    tell('Confirm');
  }
  const data = transferData(address, amount);
  const hash = await ask('eth_sendTransaction', { from, to: contract, value: '0x0', data, chainId });
  if (typeof hash !== 'string' || !HASH.test(hash)) throw new Error();
  return { hash, inDoubt: !(await isRight().catch(() => false)) };
}

function offer(id: string, provider: Provider, name: string, icon: string): void {
  if (typeof provider.request !== 'function') return;
  const kind = 'evm';
  offerWallet(id, { kind, name, icon, pay: (wanted, tell) => pay(provider, wanted, tell) });
}

export function startEvmWallets(): void {
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
