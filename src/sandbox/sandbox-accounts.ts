import { HDNodeWallet } from 'ethers';

/** The development phrase that every local node knows: its keys are public, so they may hold play money only. */
export const DEVELOPMENT_PHRASE = 'test test test test test test test test test test test junk';
export const ACCOUNT_COUNT = 10;
/** The key above the phrase's accounts. To make it from the phrase takes 2,048 rounds of hashing in each process. */
export const DEVELOPMENT_KEY =
  'xprv9zz7v8QuW9DB5aPK3A4sGm1Nd3gNbg3NznE3Gu3TUPDFCEvZwALBrjY5d5h8eyKywqqFkKXDaxAKsmL4qVMzN3wBGaC2h3WoJT74EVuGwZi';

/** An account of the local chains, with coins for fees and tokens. */
export type SandboxAccount = { readonly address: string; readonly privateKey: string };

let derived: readonly SandboxAccount[] | null = null;

/** The accounts are derived once a process. */
export function sandboxAccounts(): readonly SandboxAccount[] {
  if (derived) return derived;
  // A key of this kind is a private one.
  const parent = HDNodeWallet.fromExtendedKey(DEVELOPMENT_KEY) as HDNodeWallet;
  derived = Array.from({ length: ACCOUNT_COUNT }, (_, index) => {
    const { address, privateKey } = parent.deriveChild(index);
    return { address, privateKey };
  });
  return derived;
}
