import { byId } from './page-parts';
import { reachChain, type Ask } from './wallet-evm';
import { connectTron } from './wallet-tron';
import type { Use } from './wallets';

/**
 * Signs a text by a wallet of the browser, and fills the signature in. The person sends the form.
 *
 * The box also has `data-address`, `data-message`, on EVM networks `data-chain-id`, and `data-sign` for the id of the
 * form, whose fields are `signature` and `code`. A wallet that shows another account is asked for no signature. A
 * wallet is asked for its accounts, its chain and one signature, and never for a transaction.
 */
const SIGNATURE = /^(?:0x)?[\da-f]{2,}$/i;

function fillIn(id: string | undefined, signature: unknown): void {
  const form = byId(id ?? '') as HTMLFormElement | null;
  const fieldOf = (name: string) => form?.elements.namedItem(name) as HTMLInputElement | null | undefined;
  const field = fieldOf('signature');
  if (!field || typeof signature !== 'string' || !SIGNATURE.test(signature)) throw new Error();
  field.value = signature;
  fieldOf('code')?.focus();
}

function hexOf(text: string): string {
  return [...new TextEncoder().encode(text)].reduce((hex, byte) => hex + byte.toString(16).padStart(2, '0'), '0x');
}

export const signByEvm =
  (ask: Ask): Use =>
  async ({ chainId = '', address = '', message = '', sign }, tell) => {
    tell('Confirm');
    const accounts = (await ask('eth_requestAccounts')) as string[];
    if (!accounts.some(account => account.toLowerCase() === address.toLowerCase())) return tell('WrongAccount');
    if (!(await reachChain(ask, chainId, tell))) return;
    fillIn(sign, await ask('personal_sign', hexOf(message), address));
    tell('Sent');
  };

/** A signature is one of the address, whatever the wallet's network is. */
export const signByTron: Use = async ({ address, message = '', sign }, tell) => {
  tell('Confirm');
  const { defaultAddress, trx } = await connectTron();
  if (defaultAddress?.base58 !== address) return tell('WrongAccount');
  fillIn(sign, await trx.signMessageV2(message));
  tell('Sent');
};
