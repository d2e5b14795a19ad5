import type { StagedMerchant } from '../../support/staged-merchant';

const made = new WeakMap<StagedMerchant, Promise<string>>();

/** The merchant's verified wallet, to which routes lead. All stages of one dashboard share it. */
export function ownWallet({ merchant }: { readonly merchant: StagedMerchant }): Promise<string> {
  const known = made.get(merchant) ?? makeWallet(merchant);
  made.set(merchant, known);
  return known;
}

async function makeWallet(merchant: StagedMerchant): Promise<string> {
  const id = String((await merchant.registerWallet()).id);
  await merchant.verifyWallet(id);
  await merchant.routeTo(id);
  return id;
}
