import { formatUnits } from '../../vocabulary/money';
import type { NetworkId } from '../../vocabulary/networks';
import { isTokenId, TOKENS, type Token } from '../../vocabulary/tokens';
import { gridWindow } from '../quotes/amount-grid';
import { BITS_PER_BYTE, SLOTS_PER_STRETCH, type TakenAmountsDocument } from './taken-amounts.read-model';

type Taken = Pick<TakenAmountsDocument, 'stretch' | 'taken'>;

/** Grids that are shown. */
const GRIDS_SHOWN = 100;

/** The price at which a payment would find the fewest free amounts of one token on one address. */
export type GridHeadroom = {
  readonly network: NetworkId;
  readonly address: string;
  readonly token_id: string;
  /** In the token, as a decimal. */
  readonly price: string;
  readonly free: number;
  readonly of: number;
};

/** A price in base units, with the amounts that are free for a payment of it. */
type PriceHeadroom = { readonly priceBaseUnits: bigint; readonly free: number; readonly of: number };

/** The grids with the smallest share of free amounts first. Each grid's documents come by ascending stretch. */
export function tightestGrids(
  documents: readonly (Taken & Pick<TakenAmountsDocument, 'grid'>)[],
): readonly GridHeadroom[] {
  const byGrid = new Map<string, Taken[]>();
  for (const document of documents) byGrid.set(document.grid, [...(byGrid.get(document.grid) ?? []), document]);
  const found = [...byGrid].flatMap(([grid, ofGrid]) => headroomOf(grid, ofGrid) ?? []);
  return found.sort((one, other) => one.free / one.of - other.free / other.of).slice(0, GRIDS_SHOWN);
}

/** Null for a token that is no longer known, and where no price has an amount taken. */
function headroomOf(grid: string, documents: readonly Taken[]): GridHeadroom | null {
  const [, address = '', tokenId = ''] = grid.split(':');
  if (!isTokenId(tokenId)) return null;
  const token = TOKENS[tokenId];
  const tightest = tightestPrice(token, documents);
  if (!tightest) return null;
  const price = formatUnits(tightest.priceBaseUnits, token.decimals);
  return { network: token.network, address, token_id: tokenId, price, free: tightest.free, of: tightest.of };
}

/**
 * The price with the fewest free amounts, of the prices at which some amount of the grid is taken; null where none is.
 * `documents` are the grid's, by ascending stretch.
 */
export function tightestPrice(token: Token, documents: readonly Taken[]): PriceHeadroom | null {
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

function takenSlots({ stretch, taken }: Taken): readonly bigint[] {
  const first = BigInt(stretch) * BigInt(SLOTS_PER_STRETCH);
  const slots: bigint[] = [];
  for (const [index, byte] of Buffer.from(taken, 'base64').entries()) {
    for (let bit = 0; byte !== 0 && bit < BITS_PER_BYTE; bit++)
      if ((byte & (1 << bit)) !== 0) slots.push(first + BigInt(index * BITS_PER_BYTE + bit));
  }
  return slots;
}
