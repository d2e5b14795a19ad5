import { guarded } from './page-parts';
import { offerWallet, throwRejection, type Tell, type Use } from './wallets';

/**
 * TronLink and wallets alike, by `window.tron` (TIP-1193) or `window.tronLink`. The wallet's node tells its network:
 * the first block's id ends with `data-chain-id`.
 */
interface TronWeb {
  readonly defaultAddress?: { readonly base58?: unknown };
  readonly transactionBuilder: {
    triggerSmartContract(
      contract: string,
      call: string,
      options: { feeLimit: number; callValue: number },
      args: readonly { type: string; value: string }[],
      owner: string,
    ): Promise<{ transaction: unknown }>;
  };
  readonly trx: {
    getBlock(height: number): Promise<{ blockID?: unknown }>;
    signMessageV2(message: string): Promise<unknown>;
    sign(transaction: unknown): Promise<{ txID?: string }>;
    sendRawTransaction(signed: unknown): Promise<{ result?: boolean; txid?: string }>;
  };
}
interface Provider {
  readonly tronWeb?: TronWeb | false;
  request?(call: { method: string; params?: unknown[] }): Promise<unknown>;
}
type Injected = { tron?: Provider; tronLink?: Provider; tronWeb?: TronWeb | false };

const SHOWN_BY_MS = 300;
const CHAIN_ID_DIGITS = 8;

function injected(): Injected {
  return globalThis as Injected;
}

function tronWeb(): TronWeb | false | undefined {
  const { tron, tronLink, tronWeb: plain } = injected();
  return tron?.tronWeb || tronLink?.tronWeb || plain;
}

export async function isOnTronChain(chainId: string | undefined): Promise<boolean> {
  const web = tronWeb();
  if (!web) return false;
  const { blockID } = await web.trx.getBlock(0);
  return Number(`0x${String(blockID).slice(-CHAIN_ID_DIGITS)}`) === Number(chainId);
}

/** Asks for the account, until which a wallet shows none. */
export async function connectTron(): Promise<TronWeb> {
  const { tron, tronLink } = injected();
  // Each of the two names the same question in its own way.
  const answer = tron?.request
    ? await tron.request({ method: 'eth_requestAccounts' })
    : await tronLink?.request?.({ method: 'tron_requestAccounts' });
  throwRejection(answer);
  const web = tronWeb();
  if (!web) throw new Error();
  return web;
}

/** Has a wallet on another network switch where it can. Null: it stays there. */
export async function reachTronChain(web: TronWeb, chainId: string | undefined, tell: Tell): Promise<TronWeb | null> {
  if (await isOnTronChain(chainId)) return web;
  tell('WrongChain');
  const { tron } = injected();
  if (!tron?.request) return null;
  await tron.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] }).catch(throwRejection);
  if (!(await isOnTronChain(chainId))) return null;
  tell('Confirm');
  return connectTron();
}

export function startTronWallets(use: Use): void {
  const offer = (): void => {
    const { tron, tronLink } = injected();
    if (tron || tronLink) offerWallet('tron', { kind: 'tron', name: 'TronLink', icon: '', use });
  };
  guarded(offer);
  // An extension may come after the page's own script.
  setTimeout(() => guarded(offer), SHOWN_BY_MS);
}
