import { TOKENS } from '../../src/vocabulary/tokens';
import { ApiStage } from '../support/api-stage';

const LIMIT_MS = 60_000;
const CLIENTS = 64;
const { stepBaseUnits: STEP } = TOKENS['usdc-base'];

it(
  `${CLIENTS} clients on one price point, through two instances at once, are asked for ${CLIENTS} different amounts`,
  async () => {
    const stage = await ApiStage.open();
    try {
      const [one, other] = [await stage.startInstance(), await stage.startInstance()];
      const merchant = await stage.register(one);
      const { id: walletId } = await merchant.registerWallet({ address: merchant.owner.address });
      await merchant.verifyWallet(walletId);
      await merchant.routeTo(walletId);
      const intents = await Promise.all(Array.from({ length: CLIENTS }, () => merchant.createIntent()));
      const body = { token_id: 'usdc-base', wallet_id: walletId };
      const quoted = await Promise.all(
        intents.map(({ id }, index) =>
          merchant
            .at((index % 2 === 0 ? one : other).caller)
            .done(`POST /v1/payment_intents/${id}/select_method`, { body }),
        ),
      );
      const prices = new Set(quoted.map(({ payment_method }) => payment_method.rate));
      const amounts = quoted
        .map(({ payment_method }) => BigInt(payment_method.token_amount_base_units))
        .sort(ascending);
      expect([prices.size, new Set(amounts).size]).toStrictEqual([1, CLIENTS]);
      for (const [index, amount] of amounts.slice(1).entries())
        expect(amount - (amounts[index] ?? amount)).toBeGreaterThanOrEqual(STEP);
    } finally {
      await stage.close();
    }
  },
  LIMIT_MS,
);

function ascending(one: bigint, other: bigint): number {
  return one < other ? -1 : 1;
}
