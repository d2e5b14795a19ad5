import { HDNodeWallet } from 'ethers';

/** The development phrase that every local node knows: its keys are public, so they may hold play money only. */
export const DEVELOPMENT_PHRASE = 'test test test test test test test test test test test junk';
export const ACCOUNT_COUNT = 10;
const PARENT_PATH = "m/44'/60'/0'/0";

/** An account of the local chains, with coins for fees and tokens. */
export type SandboxAccount = { readonly address: string; readonly privateKey: string };

let derived: readonly SandboxAccount[] | null = null;

/** The accounts are derived once a process: a phrase takes 2,048 rounds of hashing. */
export function sandboxAccounts(): readonly SandboxAccount[] {
  if (derived) return derived;
  const parent = HDNodeWallet.fromPhrase(DEVELOPMENT_PHRASE, '', PARENT_PATH);
  derived = Array.from({ length: ACCOUNT_COUNT }, (_, index) => {
    const { address, privateKey } = parent.deriveChild(index);
    return { address, privateKey };
  });
  return derived;
}
