import { guarded } from './page-parts';
import { offerWallet, throwRejection, type Label, type Payment } from './wallets';

/**
 * TronLink and wallets alike, by `window.tron` (TIP-1193) or `window.tronLink`. The box may have `data-fee-limit` in
 * SUN.
 *
 * The wallet's node tells its network: the first block's id ends with `data-chain-id`, before the transfer and after
 * it. On another network the wallet is asked to switch where it can, and otherwise nothing is sent.
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
    sign(transaction: unknown): Promise<{ txID?: string }>;
    sendRawTransaction(signed: unknown): Promise<{ result?: boolean; txid?: string }>;
  };
}
interface Provider {
  readonly tronWeb?: TronWeb | false;
  request?(call: { method: string; params?: unknown[] }): Promise<unknown>;
}
type Injected = { tron?: Provider; tronLink?: Provider; tronWeb?: TronWeb | false };

/** A token's transfer costs 13 to 30 TRX without energy. */
const FEE_LIMIT_SUN = 100_000_000;
const HASH = /^[\da-f]{64}$/i;
const SHOWN_BY_MS = 300;
const CHAIN_ID_DIGITS = 8;

function injected(): Injected {
  return globalThis as Injected;
}

function tronWeb(): TronWeb | false | undefined {
  const { tron, tronLink, tronWeb: plain } = injected();
  return tron?.tronWeb || tronLink?.tronWeb || plain;
}

async function isRight(chainId: string | undefined): Promise<boolean> {
  const web = tronWeb();
  if (!web) return false;
  const { blockID } = await web.trx.getBlock(0);
  return Number(`0x${String(blockID).slice(-CHAIN_ID_DIGITS)}`) === Number(chainId);
}

async function connect(): Promise<TronWeb> {
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

async function pay(wanted: DOMStringMap, tell: (label: Label) => void): Promise<Payment> {
  const { contract = '', address = '', amount = '', chainId, feeLimit } = wanted;
  let web = await connect();
  if (!(await isRight(chainId))) {
    tell('WrongChain');
    const { tron } = injected();
    if (!tron?.request) return null;
    await tron.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] }).catch(throwRejection);
    if (!(await isRight(chainId))) return null;
    tell('Confirm');
    web = await connect();
  }
  const { transaction } = await web.transactionBuilder.triggerSmartContract(
    contract,
    'transfer(address,uint256)',
    { feeLimit: Number(feeLimit) || FEE_LIMIT_SUN, callValue: 0 },
    [
      { type: 'address', value: address },
      { type: 'uint256', value: amount },
    ],
    String(web.defaultAddress?.base58),
  );
  const signed = await web.trx.sign(transaction);
  const { result, txid = signed.txID } = await web.trx.sendRawTransaction(signed).catch(error => {
    throwRejection(error);
    // The answer may be lost after the broadcast: a signed transfer must not pass for one that failed, and is filed.
    return { result: true, txid: signed.txID };
  });
  if (!result || !txid || !HASH.test(txid)) throw new Error();
  return { hash: txid, inDoubt: !(await isRight(chainId).catch(() => false)) };
}

export function startTronWallets(): void {
  const offer = (): void => {
    const { tron, tronLink } = injected();
    if (tron || tronLink) offerWallet('tron', { kind: 'tron', name: 'TronLink', icon: '', pay });
  };
  guarded(offer);
  // An extension may come after the page's own script.
  setTimeout(() => guarded(offer), SHOWN_BY_MS);
}
