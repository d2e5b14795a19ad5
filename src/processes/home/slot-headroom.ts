import type { AccessReader } from '../../kernel/access-reader';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { Mode } from '../../vocabulary/modes';
import { wholeUnit } from '../../vocabulary/money';
import { TOKENS } from '../../vocabulary/tokens';
import { amountGridId } from '../../modules/amount-slots/amount-slot.decider';
import type { Headroom, PricePoint } from '../../modules/home/queries/home-view';
import { readAccount } from '../../modules/merchants/read-account';
import { gridWindow, lookedAtPart } from '../../modules/quotes/amount-grid';
import { routesReadModel } from '../../modules/routes/routes.read-model';
import { walletsReadModel } from '../../modules/wallets/wallets.read-model';
import { AmountIndex } from '../method-selection/amount-index';

type Reader = { readonly merchantId: string; readonly mode: Mode };

/** Prices in whole tokens: of a small order, of a usual one, and of a large one. */
const PRICES = [10n, 100n, 1_000n];
/** More than there are tokens. */
const ROUTES_READ = 100;

/**
 * The amounts that are free for new payments, by enabled token with a route, at a few prices. No prices while the index
 * of taken amounts is being built.
 */
export async function readHeadroom(
  readModels: ReadModels,
  access: AccessReader,
  { merchantId, mode }: Reader,
): Promise<readonly Headroom[]> {
  const equals = { merchant_id: merchantId, mode };
  const [{ settings }, routes] = await Promise.all([
    readAccount(access, mode, merchantId),
    readModels.list(routesReadModel, { index: 'by_merchant', equals, limit: ROUTES_READ }),
  ]);
  const enabled = routes.filter(({ body }) => settings.enabled_tokens.includes(body.token_id));
  const index = new AmountIndex(readModels);
  const headroom = await Promise.all(
    enabled.map(async ({ body: { token_id: tokenId, wallet_id: walletId } }) => {
      const wallet = await readModels.get(walletsReadModel, mode, walletId);
      if (wallet === null) return [];
      const grid = amountGridId(TOKENS[tokenId].network, wallet.body.address, tokenId);
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
