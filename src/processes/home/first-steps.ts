import type { ReadModels } from '../../kernel/ports/read-models';
import type { Mode } from '../../vocabulary/modes';
import type { ApiKeyUses } from '../../modules/api-keys/api-key-uses';
import { apiKeysReadModel } from '../../modules/api-keys/api-keys.read-model';
import { FIRST_STEPS, type FirstStep, type HomeView } from '../../modules/home/queries/home-view';
import { kybCasesReadModel } from '../../modules/kyb/kyb-cases.read-model';
import { paymentIntentsReadModel } from '../../modules/payment-intents/payment-intents.read-model';
import type { HomeBelongings } from './home-belongings';

type Reader = { readonly merchantId: string; readonly mode: Mode };

/** Among so many of its newest keys, a merchant that has begun has a used one. */
const LOOKED_AT = 100;

/** The steps from an empty account to a paid payment, and whether each is done. The payment is one of test mode. */
export async function readFirstSteps(
  readModels: ReadModels,
  uses: Pick<ApiKeyUses, 'lastUsedAt'>,
  reader: Reader,
  { wallets, routes, endpoints }: HomeBelongings,
): Promise<HomeView['steps']> {
  const own = { merchant_id: reader.merchantId, mode: reader.mode };
  const newestKeys = { index: 'by_merchant', equals: own, descending: true, limit: LOOKED_AT };
  const paid = (status: 'confirmed' | 'overpaid') => {
    const equals = { ...own, mode: 'test', status };
    return readModels.list(paymentIntentsReadModel, { index: 'by_status', equals, limit: 1, omit: ['state'] });
  };
  /** Null: the account needs no such step. */
  const done: Readonly<Record<FirstStep, () => boolean | Promise<boolean | null>>> = {
    wallet: () => wallets.some(({ body }) => body.status === 'verified'),
    route: () => routes.length > 0,
    key: async () => {
      for (const { id } of await readModels.list(apiKeysReadModel, newestKeys))
        if (await uses.lastUsedAt(id)) return true;
      return false;
    },
    endpoint: () => endpoints.some(({ body }) => body.status === 'enabled'),
    // An account that the operator has made has no case, and needs none.
    verification: async () => {
      const equals = { merchant_id: reader.merchantId };
      const cases = { index: 'by_merchant', equals, descending: true, limit: 1 } as const;
      const [newestCase] = await readModels.list(kybCasesReadModel, cases);
      return newestCase ? newestCase.body.status === 'approved' : null;
    },
    payment: async () => (await Promise.all([paid('confirmed'), paid('overpaid')])).some(found => found.length > 0),
  };
  const steps = await Promise.all(FIRST_STEPS.map(async step => ({ step, isDone: await done[step]() })));
  return steps.flatMap(({ step, isDone }) => (isDone === null ? [] : [{ step, isDone }]));
}
