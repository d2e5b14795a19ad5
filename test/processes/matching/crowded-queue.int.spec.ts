import { MINUTE_MS } from '../../../src/kernel/clock';
import { paymentIntentsReadModel } from '../../../src/modules/payment-intents/payment-intents.read-model';
import { transferId } from '../../../src/modules/transfers/transfer.decider';
import { hash, MatchingFixture, pi } from './matching-fixture';

const CROWD = 200;
/** Reads of payments for a whole crowd, where one thorough ranking takes some hundred. */
const MOST_READS = 20;

let fixture: MatchingFixture;
let due: bigint;
let sent: number;

beforeEach(async () => {
  fixture = await new MatchingFixture().start();
  due = await fixture.payments.quoted(pi(1));
  sent = 0;
});

/** Transfers in one block, each of another amount that is near to the payment's. */
async function crowd(count: number): Promise<void> {
  const { payments, cent } = fixture;
  payments.chain.mine(
    ...Array.from({ length: count }, () => payments.transfer(hash(++sent), due - BigInt(sent) * cent)),
  );
  payments.clock.timeMs += 1_000;
  await fixture.watcher?.tick();
}

/** The reads of payments while the group handles the new events. */
async function readsToHandle(): Promise<number> {
  const list = jest.spyOn(fixture.payments.readModels, 'list');
  await fixture.handleAll();
  const reads = list.mock.calls.filter(([readModel]) => readModel === (paymentIntentsReadModel as unknown));
  list.mockRestore();
  return reads.length;
}

function candidatesOf(number: number): Promise<readonly string[]> {
  return fixture.candidates(transferId({ network: 'base', txHash: hash(number), ordinal: 0 }));
}

const rankingsOf = async (number: number) =>
  (await fixture.transferEvents(number)).filter(type => type === 'CandidatesRanked').length;

describe('of many unmatched transfers to one address', () => {
  beforeEach(async () => {
    await crowd(40);
    await fixture.handleAll();
  });

  it('all are ranked by one look at its payments, each once', async () => {
    await crowd(CROWD);
    expect(await readsToHandle()).toBeLessThan(MOST_READS);
    for (const number of [41, sent - 1, sent]) {
      expect(await candidatesOf(number)).toStrictEqual([pi(1)]);
      expect(await rankingsOf(number)).toBe(1);
    }
  });

  it('one that comes minutes later is ranked thoroughly again', async () => {
    fixture.payments.clock.timeMs += 5 * MINUTE_MS;
    fixture.payments.chain.skipTime(5 * MINUTE_MS);
    await crowd(1);
    expect(await readsToHandle()).toBeGreaterThan(MOST_READS);
  });
});
