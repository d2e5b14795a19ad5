import { paymentIntentsProjection } from '../../../projections/payment-intents.projection';
import { Checkpoints } from '../../../projections/runner/checkpoints';
import { collectionSpec } from '../../../projections/runner/projection-collection';
import type { JsonObject } from '../../../src/vocabulary/json';
import { ApiStage } from '../../support/api-stage';
import type { StagedMerchant } from '../../support/staged-merchant';

const LIMIT_MS = 60_000;
const BODY = { amount: '2500', currency: 'EUR' };

let stage: ApiStage;
let merchant: StagedMerchant;
let id: string;

beforeAll(async () => {
  stage = await ApiStage.open();
  merchant = await stage.register(await stage.startInstance());
  ({ id } = (await merchant.done('POST /v1/payment_intents', { body: BODY })) as { id: string });
  await stage.project();
  await upgrade();
}, LIMIT_MS);

afterAll(() => stage.close());

/** The documents become those of a program that folded no state into them. */
async function upgrade(): Promise<void> {
  const { documents, clock } = stage.core;
  const { name, version } = paymentIntentsProjection;
  const collection = await documents.open<JsonObject>(collectionSpec(paymentIntentsProjection));
  const standing = await collection.get(id);
  const { state: _, ...former } = standing?.body ?? {};
  await collection.put({ id, version: standing?.version ?? 0, body: former });
  const checkpoints = await Checkpoints.open(documents, clock);
  const checkpoint = await checkpoints.load(name);
  if (!checkpoint) throw new Error(`${name} has no checkpoint`);
  await checkpoints.save(name, checkpoint, { ...checkpoint.body, version: version - 1 });
}

it('payments of a former version are shown from their events, and listed once they are built anew', async () => {
  const { caller } = await stage.startInstance();
  const upgraded = merchant.at(caller);
  const path = `/v1/payment_intents/${id}`;
  expect(await upgraded.done(`GET ${path}`)).toMatchObject({ id, status: 'created' });
  const listed = await upgraded.call('GET /v1/payment_intents');
  expect(listed.status).toBe(503);
  expect(listed.headers['retry-after']).toBe('5');
  expect(listed.body).toMatchObject({
    error: { code: 'provider_unavailable', message: expect.stringContaining('still being prepared') },
  });

  await stage.project();
  expect(await upgraded.done('GET /v1/payment_intents')).toMatchObject({ data: [{ id }] });
});
