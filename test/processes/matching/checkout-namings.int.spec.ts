import type { RecordedEvent } from '../../../src/kernel/event';
import { checkoutContext } from '../../../src/modules/checkout/checkout-context';
import type { QuotedPaymentIntent } from '../../../src/modules/payment-intents/payment-intent.state';
import { MERCHANT } from '../../support/payment-fixture';
import { hash, MatchingFixture, pi } from './matching-fixture';

const LIMIT = 20;

let fixture: MatchingFixture;

beforeEach(async () => {
  fixture = await new MatchingFixture().start();
  await fixture.payments.quoted(pi(1));
});

const exchange = (number: number): string => `55500${String(number).padStart(5, '0')}`;
const atCheckout = (number: number, payment = 1) => fixture.name(pi(payment), exchange(number), 'checkout');

it('takes so many namings for a payment at checkout, and no more', async () => {
  for (let number = 1; number <= LIMIT; number++)
    expect(await atCheckout(number)).toMatchObject({ kind: 'filed', reference: exchange(number) });
  await expect(atCheckout(LIMIT + 1)).rejects.toMatchObject({ code: 'invalid_state_transition' });
  await expect(fixture.name(pi(1), hash(1), 'checkout')).rejects.toMatchObject({ code: 'invalid_state_transition' });
  expect(await atCheckout(1)).toMatchObject({ kind: 'filed', reference: exchange(1) });
  await fixture.payments.quoted(pi(2));
  expect(await atCheckout(LIMIT + 1, 2)).toMatchObject({ kind: 'filed' });
  expect(await fixture.name(pi(1), exchange(LIMIT + 1))).toMatchObject({ kind: 'filed' });
});

it('takes no more namings that come at once, and lets few of them wait', async () => {
  for (let number = 1; number < LIMIT; number++) await atCheckout(number);
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, (_, index) => atCheckout(LIMIT + index)));
  const codes = outcomes.map(each => (each.status === 'fulfilled' ? 'filed' : (each.reason as { code: string }).code));
  expect(codes.filter(code => code === 'filed')).toHaveLength(1);
  expect(codes).toContain('rate_limit');
});

describe('a customer who names a transaction', () => {
  const customer = () => {
    const { clock, mode } = fixture.payments;
    const request = { commandId: 'page-1', requestId: 'req_1', ip: '203.0.113.9', now: clock.now() };
    return checkoutContext({ mode, merchantId: MERCHANT }, request);
  };
  const name = (number: number) =>
    fixture.naming.name(pi(1), { text: hash(number), logIndex: null }, 'checkout', customer());
  const due = async () => BigInt(((await fixture.payments.payment(pi(1))) as QuotedPaymentIntent).quote.due_base_units);

  it('is credited a transfer of after the quote that no other payment is nearer to, as the actor checkout', async () => {
    await fixture.payments.quoted(pi(3), '9900');
    const transfer = await fixture.pay(1, (await due()) - 20n * fixture.cent);
    expect(await name(1)).toStrictEqual({ kind: 'attributed', transferId: transfer });
    const { store } = fixture.payments;
    const claimed = (await store.readStream(`test.transfer-base:${hash(1)}:0`)).find(
      ({ type }) => type === 'TransferClaimed',
    );
    expect(claimed?.metadata).toMatchObject({
      actor: { role: 'checkout', type: 'system', id: 'checkout' },
      request_id: 'req_1',
      ip: '203.0.113.9',
    });
  });

  it('is answered with a naming that people decide, where another payment is nearer', async () => {
    await fixture.pay(1, (await fixture.payments.quoted(pi(3), '2600')) - fixture.cent);
    expect(await name(1)).toMatchObject({
      kind: 'filed',
      reference: hash(1),
      naming: { status: 'in_review', reason: 'another_is_nearer' },
    });
    const [filed] = (await fixture.payments.store.readStream(
      `test.naming-base:${hash(1)}`,
    )) as readonly RecordedEvent[];
    expect(filed?.metadata.actor).toStrictEqual({ role: 'checkout', type: 'system', id: 'checkout' });
  });
});
