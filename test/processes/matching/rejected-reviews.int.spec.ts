import { paymentIntentsProjection } from '../../../projections/payment-intents.projection';
import { DecideReview, DecideReviewHandler } from '../../../src/modules/payment-intents/commands/decide-review.command';
import { unpaidRemainder } from '../../../src/modules/payment-intents/payment-intent.outcome';
import { hasEnded } from '../../../src/modules/payment-intents/payment-intent.standing';
import { recordedEvents } from '../../support/recorded-events';
import { hash, MatchingFixture, pi } from './matching-fixture';

const SENDER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
const HALF = 50n;

let fixture: MatchingFixture;
let due: bigint;
let asked: bigint;

/** The payment is short, and asks for its remainder. */
beforeEach(async () => {
  fixture = await new MatchingFixture().start();
  due = await fixture.payments.quoted(pi(1));
  await fixture.pay(1, due - HALF * fixture.cent);
  await fixture.name(pi(1), hash(1));
  await fixture.confirm();
  asked = BigInt(unpaidRemainder((await document()).state)?.due_base_units ?? 0);
});

async function document() {
  const found = await fixture.payments.readModels.get(paymentIntentsProjection, 'test', pi(1));
  if (!found) throw new Error('no payment');
  return found.body;
}

async function reject(): Promise<void> {
  const { payments } = fixture;
  const context = { ...payments.context(), actor: { role: 'merchant', type: 'user', id: 'usr_1' } as const };
  const decision = { type: 'resolve', resolution: 'rejected', note: 'sent back' } as const;
  const handler = new DecideReviewHandler(payments.writes, { isCanonical: () => Promise.resolve(true) });
  await handler.execute(new DecideReview(pi(1), decision, context));
}

it('a rejected payment takes no remainder: what comes goes to the queue, where the payment is no candidate', async () => {
  await reject();
  expect(unpaidRemainder((await document()).state)).toBeNull();
  const id = await fixture.pay(2, asked, SENDER);
  expect((await fixture.row(id)).body).toMatchObject({ open: true, status: 'unmatched' });
  expect(await fixture.candidates(id)).toStrictEqual([]);
  await fixture.confirm();
  const { status, state, transfers } = await document();
  expect([status, state.quote && state.ledger.review, transfers.length]).toStrictEqual(['underpaid', 'rejected', 1]);
});

it('a rejected payment is not paid by the amount of its quote either', async () => {
  await reject();
  const id = await fixture.pay(2, due, SENDER);
  await fixture.confirm();
  expect((await fixture.row(id)).body).toMatchObject({ open: true, status: 'unmatched' });
  expect(await fixture.status(1)).toBe('underpaid');
});

it('a transfer named for a rejected payment is refused, and one named before waits in the queue', async () => {
  await fixture.name(pi(1), hash(3));
  await reject();
  await fixture.pay(2, 20n * fixture.cent, SENDER);
  await expect(fixture.name(pi(1), hash(2))).rejects.toMatchObject({ code: 'payment_not_resolvable' });
  const id = await fixture.pay(3, 20n * fixture.cent, SENDER);
  await fixture.confirm();
  expect((await fixture.row(id)).body).toMatchObject({ open: true, status: 'unmatched' });
  expect((await document()).transfers).toHaveLength(1);
});

it('a payment is not rejected while its remainder is on its way', async () => {
  await fixture.pay(2, asked, SENDER);
  await expect(reject()).rejects.toMatchObject({ code: 'invalid_state_transition' });
  await fixture.confirm();
  expect(await fixture.status(1)).toBe('confirmed');
});

it('a rejected payment keeps its amounts reserved for their time, and is no likely candidate', async () => {
  await reject();
  await fixture.payments.sweeper().sweep('reservation');
  const released = await recordedEvents(fixture.payments.store, 'amount_slot', 'AmountReleased');
  expect(released).toStrictEqual([]);
  expect(hasEnded((await document()).state)).toBe(true);
});
