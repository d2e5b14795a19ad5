import { guarded } from './page-parts';
import { offerWallet, throwRejection, type Label, type Payment } from './wallets';

/**
 * TronLink and wallets alike, by `window.tron` (TIP-1193) or `window.tronLink`. The box also has `data-fee-limit` in
 * SUN, and `data-node-hosts` with the hosts of the network's nodes. With `data-chain-id` a wallet is asked to switch.
 *
 * Such a wallet tells only which node it talks to. A host that is not in `data-node-hosts` is taken for another
 * network. The wallet is asked to switch where it can, and otherwise nothing is sent. An empty list checks nothing.
 */
interface TronWeb {
  readonly defaultAddress?: { readonly base58?: unknown };
  readonly fullNode?: { readonly host?: unknown };
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

function injected(): Injected {
  return globalThis as Injected;
}

function tronWeb(): TronWeb | false | undefined {
  const { tron, tronLink, tronWeb: plain } = injected();
  return tron?.tronWeb || tronLink?.tronWeb || plain;
}

/** Never throws: after a transfer, a wallet that tells no node must not pass for one that failed. */
function isRight(hosts: readonly string[]): boolean {
  if (hosts.length === 0) return true;
  try {
    const web = tronWeb();
    return hosts.includes(new URL(String(web && web.fullNode?.host)).host);
  } catch {
    return false;
  }
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
  const { contract = '', address = '', amount = '', chainId, nodeHosts = '', feeLimit } = wanted;
  const hosts = nodeHosts.split(' ').filter(Boolean);
  let web = await connect();
  if (!isRight(hosts)) {
    tell('WrongChain');
    const { tron } = injected();
    if (!chainId || !tron?.request) return null;
    await tron.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] }).catch(throwRejection);
    if (!isRight(hosts)) return null;
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
  return { hash: txid, inDoubt: !isRight(hosts) };
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
