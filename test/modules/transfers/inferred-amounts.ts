import type { Prng } from '../../simulation/prng';
import { spread, type Quoted, type Shop } from './inferred-shops';

export const MISTAKES = ['fee deducted', 'rounded up and down', 'digits cut', 'fiat figure sent as tokens'] as const;
export type Mistake = (typeof MISTAKES)[number];

/** Fees that exchanges name for a withdrawal, in hundredths of a token. */
const PUBLISHED_FEES = [100, 80, 30, 100, 100, 50, 20, 150, 200, 10];
const ROUND_TOKENS = [10, 20, 25, 50, 100, 100, 200, 250, 500, 1_000, 2_000, 5_000];
/** Baskets that somebody tries until the price suits. */
const OFFERS_TRIED = 30;

/** The amount that a sender makes of the amount due. */
export type Send = (shop: Shop, meant: Quoted, prng: Prng) => bigint;

export const exact: Send = (_, { payment }) => payment.dueBaseUnits;
export const anyMistake: Send = (shop, meant, prng) => mistaken(prng.pick(MISTAKES), shop, meant, prng);

export function mistaken(kind: Mistake, shop: Shop, { payment, minorUnits }: Quoted, prng: Prng): bigint {
  const { token } = shop;
  const due = payment.dueBaseUnits;
  const grain = (decimals: number): bigint => 10n ** BigInt(token.decimals - decimals);
  const cut = (decimals: number): bigint => due - (due % grain(decimals));
  switch (kind) {
    case 'fee deducted': {
      const ticket = prng.below(10);
      const published = BigInt(prng.pick(PUBLISHED_FEES)) * grain(2);
      const share = (due * BigInt(10 + prng.below(140))) / 10_000n;
      const fee = ticket < 6 ? published : ticket < 8 ? BigInt(1 + prng.below(2_400)) * grain(3) : share;
      return fee < due ? due - fee : due - share;
    }
    case 'rounded up and down': {
      const decimals = prng.pick([2, 2, 2, 1, 0, 0]);
      return prng.chance(50)
        ? cut(decimals) || due
        : cut(decimals) + (due % grain(decimals) > 0n ? grain(decimals) : 0n);
    }
    case 'digits cut':
      return cut(prng.pick([4, 4, 3, 2]));
    case 'fiat figure sent as tokens':
      return minorUnits * grain(2);
  }
}

export function topUp(shop: Shop, prng: Prng): bigint {
  return tokens(shop, prng.chance(80) ? prng.pick(ROUND_TOKENS) * 100 : spread(prng, 1_000, 500_000));
}

export function strangers(shop: Shop, prng: Prng): bigint {
  if (prng.chance(35)) return tokens(shop, prng.pick(ROUND_TOKENS) * 100);
  const value = tokens(shop, spread(prng, 100, 500_000));
  return prng.chance(40) ? value + BigInt(prng.below(1_000)) * shop.token.stepBaseUnits : value;
}

function tokens({ token }: Shop, hundredths: number): bigint {
  return BigInt(hundredths) * 10n ** BigInt(token.decimals - 2);
}

/** The price a little above an amount, as near as the shop's offers allow. */
export function baitPrice(shop: Shop, valueBaseUnits: bigint, prng: Prng): bigint {
  const inMinorUnits = (baseUnits: bigint): bigint =>
    (baseUnits * 100_000_000n) / (BigInt(shop.rateMicro) * 10n ** BigInt(shop.token.decimals));
  if (shop.takesAnyAmount)
    return inMinorUnits((valueBaseUnits * BigInt(10_002 + spread(prng, 1, 8_000))) / 10_000n) + 1n;
  const offers = Array.from({ length: OFFERS_TRIED }, () => shop.order(prng)).sort((one, other) => Number(one - other));
  return offers.find(offer => offer > inMinorUnits(valueBaseUnits)) ?? (offers.at(-1) as bigint);
}
