import type { ApiVersion } from '../../../src/vocabulary/api-versions';
import type { JsonObject } from '../../../src/vocabulary/json';
import { composePaymentSnapshot } from '../../../src/composition/webhooks';
import { PaymentFixture } from '../../support/payment-fixture';
import { PaymentsOverHttp } from '../../support/payments-over-http';

const PAYMENT = 'pi_00000000000000000000000001';
const RESERVED_UNTIL = '2026-11-02T12:15:00.000Z';

const fixture = new PaymentFixture();
const api = new PaymentsOverHttp(fixture);

beforeAll(async () => {
  await fixture.quoted(PAYMENT);
  await api.open();
});
afterAll(() => api.close());

const methodOf = (payment: JsonObject) => payment.payment_method as JsonObject;

it('serves both versions, and they differ in what the newer one added', async () => {
  const newest = await api.get(`/v1/payment_intents/${PAYMENT}`, '2026-11-15');
  const first = await api.get(`/v1/payment_intents/${PAYMENT}`, '2026-11-01');
  expect(methodOf(newest).reserved_until).toBe(RESERVED_UNTIL);
  expect(methodOf(first)).not.toHaveProperty('reserved_until');
  expect({ ...first, payment_method: { ...methodOf(first), reserved_until: RESERVED_UNTIL } }).toEqual(newest);
});

it('serves the version of the account where the request names none, in lists too', async () => {
  for (const [version, expected] of [
    ['2026-11-15', RESERVED_UNTIL],
    ['2026-11-01', undefined],
  ] as const) {
    api.pinned = version;
    const one = await api.get(`/v1/payment_intents/${PAYMENT}`);
    const { data } = (await api.get('/v1/payment_intents')) as { data: readonly JsonObject[] };
    expect([one, ...data].map(payment => methodOf(payment).reserved_until)).toEqual([expected, expected]);
  }
});

it('freezes what webhooks tell in the version that their endpoint is pinned to', async () => {
  const snapshot = composePaymentSnapshot('https://pay.example');
  const history = await fixture.events(PAYMENT);
  const told = (version?: ApiVersion) => methodOf(snapshot(history, version)?.resource ?? {});
  expect(told('2026-11-15').reserved_until).toBe(RESERVED_UNTIL);
  expect(told('2026-11-01')).toEqual({ ...told(), reserved_until: undefined });
});
