import type { ReadModel, ReadModels } from '../../kernel/ports/read-models';
import type { JsonObject } from '../../vocabulary/json';
import type { Mode } from '../../vocabulary/modes';
import type { ApiKeyUses } from '../../modules/api-keys/api-key-uses';
import { apiKeysReadModel } from '../../modules/api-keys/api-keys.read-model';
import { FIRST_STEPS, type FirstStep, type HomeView } from '../../modules/home/queries/home-view';
import { kybCasesReadModel } from '../../modules/kyb/kyb-cases.read-model';
import { paymentIntentsReadModel } from '../../modules/payment-intents/payment-intents.read-model';
import { routesReadModel } from '../../modules/routes/routes.read-model';
import { walletsReadModel } from '../../modules/wallets/wallets.read-model';
import { listedEndpoints } from '../../modules/webhooks/listed-endpoints';

type Reader = { readonly merchantId: string; readonly mode: Mode };

/** Among so many of its newest wallets or keys, a merchant that has begun has a verified or a used one. */
const LOOKED_AT = 100;

/** The steps from an empty account to a paid payment, and whether each is done. The payment is one of test mode. */
export async function readFirstSteps(
  readModels: ReadModels,
  uses: Pick<ApiKeyUses, 'lastUsedAt'>,
  reader: Reader,
): Promise<HomeView['steps']> {
  const own = { merchant_id: reader.merchantId, mode: reader.mode };
  const newest = <Body extends JsonObject>(readModel: ReadModel<Body>, limit: number) =>
    readModels.list(readModel, { index: 'by_merchant', equals: own, descending: true, limit });
  const paid = (status: 'confirmed' | 'overpaid') => {
    const equals = { ...own, mode: 'test', status };
    return readModels.list(paymentIntentsReadModel, { index: 'by_status', equals, limit: 1, omit: ['state'] });
  };
  /** Null: the account needs no such step. */
  const done: Readonly<Record<FirstStep, () => Promise<boolean | null>>> = {
    wallet: async () => (await newest(walletsReadModel, LOOKED_AT)).some(({ body }) => body.status === 'verified'),
    route: async () => (await newest(routesReadModel, 1)).length > 0,
    key: async () => {
      for (const { id } of await newest(apiKeysReadModel, LOOKED_AT)) if (await uses.lastUsedAt(id)) return true;
      return false;
    },
    endpoint: async () => {
      const endpoints = await listedEndpoints(readModels, reader.merchantId, reader.mode);
      return endpoints.some(({ body }) => body.status === 'enabled');
    },
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
