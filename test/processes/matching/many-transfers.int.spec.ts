import type { QuotedPaymentIntent } from '../../../src/modules/payment-intents/payment-intent.state';
import { unmatchedTransfersProjection } from '../../../projections/unmatched-transfers/unmatched-transfers.projection';
import { transferId } from '../../../src/modules/transfers/transfer.decider';
import { hash, MatchingFixture, pi } from './matching-fixture';

const LIMIT = 100;
const TOO_MANY = LIMIT + 3;

let fixture: MatchingFixture;
let due: bigint;

beforeEach(async () => {
  fixture = await new MatchingFixture().start();
  due = await fixture.payments.quoted(pi(1));
});

async function ledger() {
  return ((await fixture.payments.payment(pi(1))) as QuotedPaymentIntent).ledger;
}

/** The row of one that was sent, in the queue or not. */
async function row(number: number) {
  const id = transferId({ network: 'base', txHash: hash(number), ordinal: 0 });
  return (await fixture.payments.readModels.get(unmatchedTransfersProjection, 'test', id))?.body;
}

describe('a payment that is paid more often than it takes transfers', () => {
  it('counts a hundred, and leaves the others in the queue, with its name', async () => {
    const { payments } = fixture;
    const sent = Array.from({ length: TOO_MANY }, (_, index) => payments.transfer(hash(index + 1), due));
    payments.chain.mine(...sent);
    payments.clock.timeMs += 1_000;
    await fixture.settle();
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('overpaid');
    expect(Object.values((await ledger()).transfers).filter(({ final }) => final)).toHaveLength(LIMIT);
    const types = await payments.eventTypes(pi(1));
    expect(types.filter(type => type === 'TransferLimitReached')).toHaveLength(1);
    for (let number = LIMIT + 1; number <= TOO_MANY; number++) {
      expect(await row(number)).toMatchObject({ open: true, reason: 'credit_refused' });
      expect((await row(number))?.candidates[0]).toMatchObject({ payment_intent: pi(1) });
    }
  });

  it('lets go of what moves before it counts, once it takes no more', async () => {
    const { payments } = fixture;
    const sent = Array.from({ length: LIMIT }, (_, index) => payments.transfer(hash(index + 1), due));
    payments.chain.mine(...sent.slice(1));
    payments.chain.mine(...sent.slice(0, 1));
    payments.clock.timeMs += 2_000;
    await fixture.settle();
    payments.chain.reorganise(1);
    payments.chain.mine(...sent.slice(0, 1));
    payments.clock.timeMs += 1_000;
    await fixture.settle();
    expect(await row(1)).toMatchObject({ open: true, reason: 'credit_refused' });
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('overpaid');
    expect(Object.values((await ledger()).transfers)).toHaveLength(LIMIT - 1);
  });
});
