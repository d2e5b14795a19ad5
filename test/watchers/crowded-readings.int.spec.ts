import type { NewEvent } from '../../src/kernel/event';
import { paymentIntents } from '../../src/modules/payment-intents/payment-intent.decider';
import type { ReadOptions } from '../../src/kernel/ports/event-store';
import { MemoryEventStore } from '../support/memory-event-store';
import { hash, MatchingFixture, pi } from '../processes/matching/matching-fixture';

const JUNK = 300;
const MOST_AT_ONCE = 128;
/** Blocks that are read at once. */
const RANGE = 1_000;

/** Counts its questions, and notes which streams get their first event in which order. */
class WatchedStore extends MemoryEventStore {
  reads = 0;
  underWay = 0;
  mostUnderWay = 0;
  readonly begun: string[] = [];
  beforeAppend: () => Promise<void> = () => Promise.resolve();

  override readStream(stream: string, options?: ReadOptions) {
    this.reads += 1;
    return super.readStream(stream, options);
  }

  override async append(stream: string, revision: number | 'no_stream', events: readonly NewEvent[]) {
    this.underWay += 1;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
    if (revision === 'no_stream') this.begun.push(stream);
    await this.beforeAppend();
    // An engine answers some turns later.
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    const appended = await super.append(stream, revision, events);
    this.underWay -= 1;
    return appended;
  }
}

let store: WatchedStore;
let fixture: MatchingFixture;
let due: bigint;
let sent: number;

beforeEach(async () => {
  store = new WatchedStore();
  fixture = await new MatchingFixture({ store }).start();
  due = await fixture.payments.quoted(pi(1));
  sent = 0;
});

/** So many transfers of one amount that no payment reserved. */
function junk(count = JUNK) {
  return Array.from({ length: count }, () => fixture.payments.transfer(hash(++sent), due + 500n * fixture.cent));
}

async function tick(): Promise<void> {
  fixture.payments.clock.timeMs += 1_000;
  await fixture.watcher?.tick();
}

function placeOf(number: number): number {
  return store.begun.indexOf(`test.transfer-base:${hash(number)}:0`);
}

describe('in a block full of transfers that meet nothing', () => {
  it('one that a payment waits for comes first, and then one that somebody has named', async () => {
    const { payments } = fixture;
    const [paid, named] = [9_001, 9_002];
    await payments.quoted(pi(3));
    await fixture.name(pi(3), hash(named));
    payments.chain.mine(
      ...junk(),
      payments.transfer(hash(named), due + 300n * fixture.cent),
      payments.transfer(hash(paid), due),
    );
    await tick();
    expect(await fixture.status(1)).toBe('detected');
    expect([placeOf(paid) < placeOf(named), placeOf(named) < placeOf(1)]).toStrictEqual([true, true]);
  });

  it('those are recorded several at once, with few reads for each', async () => {
    fixture.payments.chain.mine(...junk());
    const before = store.reads;
    await tick();
    expect(store.mostUnderWay).toBe(MOST_AT_ONCE);
    expect((store.reads - before) / JUNK).toBeLessThan(4);
    expect(placeOf(JUNK)).toBeGreaterThan(-1);
  });

  it('payments that were seen before are followed while those are recorded', async () => {
    const { payments } = fixture;
    payments.chain.mine(payments.transfer(hash(9_001), due));
    await tick();
    payments.mineEmpty(20);
    payments.chain.mine(...junk(2 * JUNK));
    let statusAtEnd = '';
    store.beforeAppend = async () => {
      payments.clock.timeMs += 20;
      if (store.begun.at(-1) !== `test.transfer-base:${hash(2 * JUNK)}:0`) return;
      const { state } = await payments.writes.load(paymentIntents, 'test', pi(1));
      statusAtEnd = state.status;
    };
    for (let ticks = 0; ticks < 10 && placeOf(2 * JUNK) < 0; ticks++) await tick();
    expect(statusAtEnd).toBe('confirmed');
  });
});

it('while ranges are scanned, a payment is not decided on before those behind its first transfer are read', async () => {
  const { payments } = fixture;
  // Scanned blocks are not read again.
  payments.mineEmpty(RANGE - 3);
  due = await payments.quoted(pi(2));
  for (const number of [1, 2]) {
    payments.chain.mine(payments.transfer(hash(number), due));
    payments.mineEmpty(4);
  }
  payments.mineEmpty(30);
  store.beforeAppend = () => {
    payments.clock.timeMs += 4_000;
    return Promise.resolve();
  };
  // A payment for which a tick has no time left has its turn in the next one.
  for (let ticks = 0; ticks < 3; ticks++) await tick();
  const types = await payments.eventTypes(pi(2));
  expect(types.filter(type => type === 'TransferDetected')).toHaveLength(2);
  expect(types.at(-1)).toBe('PaymentOverpaid');
});
