import type { QuotedPaymentIntent } from '../../../src/modules/payment-intents/payment-intent.state';
import { unmatchedTransfersProjection } from '../../../projections/unmatched-transfers.projection';
import { transferId } from '../../../src/modules/transfers/transfer.decider';
import { MemoryEventStore } from '../../support/memory-event-store';
import type { ReadOptions } from '../../../src/kernel/ports/event-store';
import { hash, MatchingFixture, pi } from './matching-fixture';

const LIMIT = 100;
const TOO_MANY = LIMIT + 3;

class CountingStore extends MemoryEventStore {
  reads = 0;

  override readStream(stream: string, options?: ReadOptions) {
    this.reads += 1;
    return super.readStream(stream, options);
  }
}

let fixture: MatchingFixture;
let due: bigint;

beforeEach(async () => {
  fixture = await new MatchingFixture().start();
  due = await fixture.payments.quoted(pi(1));
});

async function ledger() {
  return ((await fixture.payments.payment(pi(1))) as QuotedPaymentIntent).ledger;
}

/** The row of a sent transfer, in the queue or not. */
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

  it.each(['at its limit', 'decided on'])('%s, costs a few reads for each that comes on top', async state => {
    const store = new CountingStore();
    fixture = await new MatchingFixture({ store }).start();
    due = await fixture.payments.quoted(pi(1));
    const { payments } = fixture;
    let sent = 0;
    const pay = async (count: number) => {
      payments.chain.mine(...Array.from({ length: count }, () => payments.transfer(hash(++sent), due)));
      payments.clock.timeMs += 1_000;
      await fixture.watcher?.tick();
    };
    await pay(state === 'decided on' ? 1 : LIMIT + 1);
    if (state === 'decided on') await fixture.confirm();
    await pay(1);
    await pay(1);
    const before = store.reads;
    await pay(2 * LIMIT);
    const alone = store.reads - before;
    expect(alone / (2 * LIMIT)).toBeLessThan(4);
    expect(await fixture.transferEvents(sent)).toStrictEqual(['TransferSeen', 'TransferUnmatched']);
    const lines = payments.log.lines.filter(({ facts }) => JSON.stringify(facts).includes(pi(1)));
    expect(lines.length).toBeLessThan(5);
    await fixture.handleAll();
    expect(await row(sent)).toMatchObject({ open: true, reason: 'credit_refused' });
    expect((await row(sent))?.candidates[0]).toMatchObject({ payment_intent: pi(1) });
  });
});
