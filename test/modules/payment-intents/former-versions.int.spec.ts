import { systemContext } from '../../../src/kernel/command-context';
import { randomUuid } from '../../../src/kernel/entropy';
import { firstBrokenLink } from '../../../src/kernel/hash-chain-check';
import { WritePath } from '../../../src/kernel/write-path';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import { ApiStage } from '../../support/api-stage';
import type { StagedMerchant } from '../../support/staged-merchant';

const LIMIT_MS = 60_000;
const PAYMENT = 'pi_00000000000000000000000001';
const TERMS = { amount_minor_units: '2500', currency: 'EUR', currency_decimals: 2, metadata: {}, success_url: null };

let stage: ApiStage;
let merchant: StagedMerchant;

beforeAll(async () => {
  stage = await ApiStage.open();
  merchant = await stage.register(await stage.startInstance());
}, LIMIT_MS);

afterAll(() => stage.close());

const stream = `test.payment_intent-${PAYMENT}`;
it('a payment that was created by version 1 is read, changed and shown by today’s rules', async () => {
  const { clock, entropy, recordedStore, store } = stage.core;
  const former = new WritePath(recordedStore, clock, () => Promise.resolve());
  const context = systemContext(randomUuid(entropy), {
    actor: 'sweeper',
    mode: 'test',
    merchantId: merchant.id,
    now: clock.now(),
  });
  const api = { ...context, actor: { role: 'api', type: 'api_key', id: 'key_1' } as const };
  const create = { type: 'create', terms: TERMS as never } as const;
  await former.execute({ ...paymentIntents, upcasts: {} }, PAYMENT, create, api);
  await stage.project();

  const path = `/v1/payment_intents/${PAYMENT}`;
  expect(await merchant.done(`GET ${path}`)).toMatchObject({ id: PAYMENT, status: 'created', description: null });
  expect(await merchant.done(`POST ${path}/cancel`)).toMatchObject({ status: 'canceled', description: null });

  const [asRecorded, canceled] = await recordedStore.readStream(stream);
  expect(asRecorded?.metadata.schema).toBe(1);
  expect(asRecorded?.data).toStrictEqual(TERMS);
  expect(canceled?.type).toBe('PaymentCanceled');
  expect(firstBrokenLink(await recordedStore.readStream(stream))).toBeNull();
  const [newest] = await store.readStream(stream);
  expect(newest?.data).toStrictEqual({
    ...TERMS,
    description: null,
    restarted_from: null,
    payment_link: null,
    invoice: null,
  });
});

it('a payment that is created now carries its version', async () => {
  const body = { amount: '2500', currency: 'EUR', description: 'Two tickets' };
  const { id, description } = await merchant.done('POST /v1/payment_intents', { body });
  expect(description).toBe('Two tickets');
  const [created] = await stage.core.recordedStore.readStream(`test.payment_intent-${id}`);
  expect(created).toMatchObject({
    metadata: { schema: 4 },
    data: { description: 'Two tickets', restarted_from: null, payment_link: null, invoice: null },
  });
});
