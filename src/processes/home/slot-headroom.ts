import type { ReadModels } from '../../kernel/ports/read-models';
import type { Mode } from '../../vocabulary/modes';
import { wholeUnit } from '../../vocabulary/money';
import { TOKENS } from '../../vocabulary/tokens';
import { amountGridId } from '../../modules/amount-slots/amount-slot.decider';
import type { HomeOwner } from '../../modules/home/queries/get-home.query';
import type { Headroom, PricePoint } from '../../modules/home/queries/home-view';
import { gridWindow, lookedAtPart } from '../../modules/quotes/amount-grid';
import { AmountIndex } from '../method-selection/amount-index';
import type { HomeBelongings } from './home-belongings';

/** Prices in whole tokens: of a small order, of a usual one, and of a large one. */
const PRICES = [10n, 100n, 1_000n];

/**
 * The amounts that are free for new payments, by enabled token with a route, at a few prices. No prices while the index
 * of taken amounts is being built.
 */
export async function readHeadroom(
  readModels: ReadModels,
  { mode, enabledTokens }: Pick<HomeOwner, 'mode' | 'enabledTokens'>,
  { routes, wallets }: Pick<HomeBelongings, 'routes' | 'wallets'>,
): Promise<readonly Headroom[]> {
  const addresses = new Map(wallets.map(({ id, body }) => [id, body.address]));
  const enabled = routes.filter(({ body }) => enabledTokens.includes(body.token_id));
  const index = new AmountIndex(readModels);
  const headroom = await Promise.all(
    enabled.map(async ({ body: { token_id: tokenId, wallet_id: walletId } }) => {
      const address = addresses.get(walletId);
      if (address === undefined) return [];
      const grid = amountGridId(TOKENS[tokenId].network, address, tokenId);
      const points = await Promise.all(PRICES.map(price => pricePoint(index, mode, grid, { tokenId, price })));
      return [{ tokenId, points: points.flatMap(point => point ?? []) }];
    }),
  );
  return headroom.flat();
}

async function pricePoint(
  index: AmountIndex,
  mode: Mode,
  grid: string,
  { tokenId, price }: Pick<Headroom, 'tokenId'> & Pick<PricePoint, 'price'>,
): Promise<PricePoint | null> {
  const token = TOKENS[tokenId];
  const window = lookedAtPart(gridWindow(token, price * wholeUnit(token.decimals)), grid);
  const free = await index.freeSlots(mode, grid, window);
  return free && { price, free: free.count, of: window.count };
}
