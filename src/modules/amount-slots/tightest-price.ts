import type { Token } from '../../vocabulary/tokens';
import { gridWindow } from '../quotes/amount-grid';
import { BITS_PER_BYTE, SLOTS_PER_STRETCH, type TakenAmountsDocument } from './taken-amounts.read-model';

/** A price in base units, with the amounts that are free for a payment of it. */
type PriceHeadroom = { readonly priceBaseUnits: bigint; readonly free: number; readonly of: number };

/**
 * The price with the fewest free amounts, of the prices at which some amount of the grid is taken; null where none is.
 * `documents` are the grid's, by ascending stretch.
 */
export function tightestPrice(
  token: Token,
  documents: readonly Pick<TakenAmountsDocument, 'stretch' | 'taken'>[],
): PriceHeadroom | null {
  const slots = documents.flatMap(takenSlots);
  let tightest: PriceHeadroom | null = null;
  let end = 0;
  for (const [start, slot] of slots.entries()) {
    const priceBaseUnits = slot * token.stepBaseUnits - token.attributionToleranceBaseUnits;
    if (priceBaseUnits <= 0n) continue;
    const { first, count } = gridWindow(token, priceBaseUnits);
    while (end < slots.length && (slots[end] as bigint) < first + BigInt(count)) end++;
    const free = Math.max(0, count - (end - start));
    if (tightest === null || free * tightest.of < tightest.free * count) tightest = { priceBaseUnits, free, of: count };
  }
  return tightest;
}

function takenSlots({ stretch, taken }: Pick<TakenAmountsDocument, 'stretch' | 'taken'>): readonly bigint[] {
  const first = BigInt(stretch) * BigInt(SLOTS_PER_STRETCH);
  const slots: bigint[] = [];
  for (const [index, byte] of Buffer.from(taken, 'base64').entries()) {
    for (let bit = 0; byte !== 0 && bit < BITS_PER_BYTE; bit++)
      if ((byte & (1 << bit)) !== 0) slots.push(first + BigInt(index * BITS_PER_BYTE + bit));
  }
  return slots;
}
