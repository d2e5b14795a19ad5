import { paymentIntentsProjection } from '../../../projections/payment-intents.projection';
import { isoTime } from '../../../src/kernel/clock';
import { amountSlotId, amountSlots } from '../../../src/modules/amount-slots/amount-slot.decider';
import { unpaidRemainder } from '../../../src/modules/payment-intents/payment-intent.outcome';
import { amountOfSlot, gridWindow } from '../../../src/modules/quotes/amount-grid';
import { ADDRESS, MERCHANT, WALLET } from '../../support/payment-fixture';
import { hash, MatchingFixture, pi } from './matching-fixture';

const OTHER = 2;
const LIMIT_MS = 60_000;

let fixture: MatchingFixture;
let missing: bigint;

beforeEach(async () => {
  fixture = await new MatchingFixture().start();
  missing = 50n * fixture.cent;
});

function slotsOfRemainder(): readonly bigint[] {
  const { first, count } = gridWindow(fixture.payments.token, missing);
  return Array.from({ length: count }, (_, index) => first + BigInt(index));
}

const slotId = (slot: bigint): string => amountSlotId('base', ADDRESS, fixture.payments.token.id, slot);

/** Another payment holds each amount of the remainder's window. */
async function takeAll(): Promise<void> {
  const { writes, token, clock } = fixture.payments;
  for (const slot of slotsOfRemainder()) {
    const reservation = {
      payment_intent: pi(OTHER),
      merchant_id: MERCHANT,
      wallet_id: WALLET,
      amount_base_units: amountOfSlot(token, slot).toString(),
      price_base_units: missing.toString(),
      reserved_until: isoTime(clock.now() + 86_400_000),
      purpose: 'remainder',
    } as const;
    await writes.execute(amountSlots, slotId(slot), { type: 'reserve', reservation }, fixture.payments.context());
  }
}

async function document() {
  const found = await fixture.payments.readModels.get(paymentIntentsProjection, 'test', pi(1));
  if (!found) throw new Error('no payment');
  const { status, followed, state } = found.body;
  return { status, followed, asked: unpaidRemainder(state)?.due_base_units ?? null };
}

it(
  'a short payment is underpaid at once where no amount is free, and asks for its remainder once one is',
  async () => {
    const due = await fixture.payments.quoted(pi(1));
    await takeAll();
    await fixture.pay(1, due - missing);
    await fixture.name(pi(1), hash(1));
    const looks = jest.spyOn(fixture.payments.store, 'readStream');
    await fixture.confirm();
    expect(looks.mock.calls.filter(([stream]) => stream.includes('amount_slot')).length).toBeLessThanOrEqual(3);
    looks.mockRestore();
    expect(await document()).toStrictEqual({ status: 'underpaid', followed: true, asked: null });

    const reads = jest.spyOn(fixture.payments.store, 'readStream');
    for (let looks = 0; looks < 5; looks++) await fixture.settle();
    expect(reads.mock.calls.filter(([stream]) => stream.includes('amount_slot'))).toStrictEqual([]);
    reads.mockRestore();

    const freed = slotsOfRemainder()[700] as bigint;
    const release = { type: 'release', paymentIntent: pi(OTHER), reason: 'unused' } as const;
    await fixture.payments.writes.execute(amountSlots, slotId(freed), release, fixture.payments.context());
    fixture.payments.mineEmpty(11);
    await fixture.settle();
    const asked = amountOfSlot(fixture.payments.token, freed);
    expect(await document()).toStrictEqual({ status: 'underpaid', followed: false, asked: asked.toString() });
    await fixture.pay(2, asked);
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('confirmed');
  },
  LIMIT_MS,
);
