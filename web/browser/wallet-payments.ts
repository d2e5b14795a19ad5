import { byId, guarded } from './page-parts';
import { isOnChain, reachChain, type Ask } from './wallet-evm';
import { connectTron, isOnTronChain, reachTronChain } from './wallet-tron';
import { throwRejection, type Tell, type Use } from './wallets';

/**
 * Pays by a wallet of the browser, and files the hash by itself.
 *
 * The box also has `data-contract`, `data-address`, `data-amount` in base units, `data-chain-id`, and `data-claim` for
 * the id of the form, whose field is `tx_hash`. On TRON it may have `data-fee-limit` in SUN. For one box's amount a
 * transfer is made once at most, until the wallet says that it failed.
 */
/** Null: nothing was sent, and `tell` has told why. A hash in doubt is filled in, and the customer files it. */
type Payment = { readonly hash: string; readonly inDoubt: boolean } | null;
type Pay = (wanted: DOMStringMap, tell: Tell) => Promise<Payment>;

const TRANSFER = '0xa9059cbb';
const EVM_HASH = /^0x[\da-f]{64}$/i;
const TRON_HASH = /^[\da-f]{64}$/i;
/** A token's transfer costs 13 to 30 TRX without energy. */
const FEE_LIMIT_SUN = 100_000_000;
const sent = new Set<string>();

function payOnce(pay: Pay): Use {
  return async (wanted, tell) => {
    const transfer = [wanted['contract'], wanted['address'], wanted['amount']].join();
    if (sent.has(transfer)) return;
    tell('Confirm');
    const payment = await pay(wanted, tell);
    if (!payment) return;
    sent.add(transfer);
    tell(payment.inDoubt ? 'WrongChain' : 'Sent');
    guarded(() => file(wanted['claim'] ?? '', payment.hash, !payment.inDoubt));
  };
}

/** Files the hash beside the page, which goes on: it shows the transfer as soon as that is seen. */
async function file(id: string, hash: string, submits: boolean): Promise<void> {
  const form = byId(id) as HTMLFormElement | null;
  const field = form?.elements.namedItem('tx_hash') as HTMLInputElement | null;
  if (!form || !field) return;
  field.value = hash;
  if (!submits) {
    form.closest('details')?.setAttribute('open', '');
    return;
  }
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  const sent = await fetch(form.action, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
    keepalive: true,
  }).catch(() => null);
  // A redirect leads to the naming's own page, which is not needed here.
  if (sent?.type !== 'opaqueredirect') form.requestSubmit();
}

function word(hex: string): string {
  return hex.padStart(64, '0');
}

function transferData(address: string, amount: string): string {
  return TRANSFER + word(address.slice(2).toLowerCase()) + word(BigInt(amount).toString(16));
}

/** The wallet is asked for its accounts, its chain and one transfer. */
export const payByEvm = (ask: Ask): Use =>
  payOnce(async ({ chainId = '', contract = '', address = '', amount = '' }, tell) => {
    const [from] = (await ask('eth_requestAccounts')) as string[];
    if (!(await reachChain(ask, chainId, tell))) return null;
    const data = transferData(address, amount);
    const hash = await ask('eth_sendTransaction', { from, to: contract, value: '0x0', data, chainId });
    if (typeof hash !== 'string' || !EVM_HASH.test(hash)) throw new Error();
    return { hash, inDoubt: !(await isOnChain(ask, chainId).catch(() => false)) };
  });

/** The network is looked at before the transfer and after it. */
export const payByTron = payOnce(async ({ contract = '', address = '', amount = '', chainId, feeLimit }, tell) => {
  const web = await reachTronChain(await connectTron(), chainId, tell);
  if (!web) return null;
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
  if (!result || !txid || !TRON_HASH.test(txid)) throw new Error();
  return { hash: txid, inDoubt: !(await isOnTronChain(chainId).catch(() => false)) };
});
