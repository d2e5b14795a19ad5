import { refuse } from '../../../src/vocabulary/errors';
import { dayAfter } from '../../../src/modules/books/utc-day';
import { transferStreamId, transfers } from '../../../src/modules/transfers/transfer.decider';
import { reconciliationsReadModel } from '../../../src/modules/books/reconciliations.read-model';
import { MERCHANT, WALLET } from '../../support/payment-fixture';
import { BooksStage, closedDay, FIRST_DAY, SECOND_ADDRESS, SECOND_WALLET } from './books-stage';

const PI = 'pi_00000000000000000000000001';
const SHOP = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A';
const OTHER_MERCHANT = 'mch_00000000000000000000000009';
const THIRD_WALLET = 'wal_00000000000000000000000003';
const ONE = 1_000_000n;
const tx = (digit: string) => `0x${digit.repeat(64)}`;
const ZERO = {
  credited_base_units: '0',
  unmatched_base_units: '0',
  unrelated_base_units: '0',
  dust_base_units: '0',
  sent_base_units: '0',
  difference_base_units: '0',
};

let stage: BooksStage;
beforeEach(async () => {
  stage = new BooksStage();
  await stage.begin();
});

describe('a day', () => {
  it('has each transfer in its column, and opens where the day before closed', async () => {
    const due = await stage.fixture.quoted(PI);
    await stage.mine(stage.transfer(tx('1'), 100n * ONE));
    const first = await closedDay(stage);
    await stage.mine(
      stage.transfer(tx('2'), due),
      stage.transfer(tx('3'), 7n * ONE),
      stage.transfer(tx('4'), ONE / 100n - 1n),
      stage.transfer(tx('5'), 3n * ONE, { from: stage.fixture.address }),
      stage.transfer(tx('6'), 2n * ONE, { from: SECOND_ADDRESS }),
      stage.transfer(tx('7'), 30n * ONE, { from: stage.fixture.address, to: SHOP }),
      stage.transfer(tx('8'), 0n),
      stage.transfer(tx('9'), 5n * ONE, { hasFailed: true }),
      stage.transfer(tx('a'), 5n * ONE, { contract: SHOP }),
    );
    const second = await closedDay(stage);
    const closing = 100n * ONE + due + 7n * ONE + ONE / 100n - 1n + 2n * ONE - 30n * ONE;
    expect(await stage.reconciled(first)).toMatchObject({
      ...ZERO,
      opening_base_units: null,
      unmatched_base_units: String(100n * ONE),
      closing_base_units: String(100n * ONE),
      transfers: 1,
    });
    expect(await stage.reconciled(second)).toMatchObject({
      ...ZERO,
      opening_base_units: String(100n * ONE),
      credited_base_units: String(due),
      unmatched_base_units: String(7n * ONE),
      unrelated_base_units: String(5n * ONE),
      dust_base_units: String(ONE / 100n - 1n),
      sent_base_units: String(33n * ONE),
      closing_base_units: String(closing),
      transfers: 6,
      differences: [],
    });
    expect(await stage.reconciled(second, SECOND_WALLET)).toMatchObject({ sent_base_units: String(2n * ONE) });
  });

  it('keeps a transfer that came before its wallet was watched apart', async () => {
    const fresh = `0x${'Bb'.repeat(2)}${'00'.repeat(18)}`;
    await stage.mine(stage.transfer(tx('1'), 4n * ONE, { to: fresh }));
    await stage.addWallet(THIRD_WALLET, fresh);
    await stage.pass(120);
    await stage.mine(stage.transfer(tx('2'), 5n * ONE, { to: fresh }));
    const day = await closedDay(stage);
    expect(await stage.reconciled(day, THIRD_WALLET)).toMatchObject({
      ...ZERO,
      unrelated_base_units: String(4n * ONE),
      unmatched_base_units: String(5n * ONE),
      opening_base_units: null,
    });
  });

  it('has no books for a wallet that was watched later', async () => {
    const day = await closedDay(stage);
    await stage.addWallet(THIRD_WALLET, SHOP);
    const next = await closedDay(stage);
    expect(await stage.history(day, THIRD_WALLET)).toEqual([]);
    expect(await stage.reconciled(next, THIRD_WALLET)).toMatchObject({ opening_base_units: null });
    expect(await stage.reconciled(await closedDay(stage), THIRD_WALLET)).toMatchObject({ opening_base_units: '0' });
  });

  it('counts a payment for its own merchant alone, where two receive at one address', async () => {
    await stage.addWallet(THIRD_WALLET, stage.fixture.address, OTHER_MERCHANT);
    const due = await stage.fixture.quoted(PI);
    await stage.mine(stage.transfer(tx('1'), due));
    const day = await closedDay(stage);
    expect(await stage.reconciled(day)).toMatchObject({ ...ZERO, credited_base_units: String(due) });
    expect(await stage.reconciled(day, THIRD_WALLET)).toMatchObject({ ...ZERO, unrelated_base_units: String(due) });
  });

  it('waits for the log to let go of a transfer that a reorganisation took at its end', async () => {
    await closedDay(stage);
    const { chain, fixture } = stage;
    const { timeMs } = await chain.head();
    const restMs = Date.parse(`${dayAfter(dayAfter(FIRST_DAY))}T00:00:00.000Z`) - timeMs - 5_000;
    chain.skipTime(restMs);
    fixture.clock.timeMs += restMs;
    await stage.pass(1);
    const due = await fixture.quoted(PI);
    chain.mine(stage.transfer(tx('1'), due));
    await stage.pass(1);
    expect((await fixture.payment(PI)).status).toBe('confirming');
    chain.reorganise(2);
    await stage.pass(40);
    await stage.keep();
    const day = dayAfter(FIRST_DAY);
    expect(await stage.reconciled(day)).toBeNull();
    await stage.pass(60);
    expect((await fixture.payment(PI)).status).toBe('failed');
    await stage.keep();
    expect(await stage.reconciled(day)).toMatchObject({ ...ZERO, differences: [] });
  });

  it('is closed once: a transfer that finds its payment later stays in its column', async () => {
    await stage.mine(stage.transfer(tx('1'), 5n * ONE));
    const day = await closedDay(stage);
    const before = await stage.history(day);
    const id = transferStreamId({ network: 'base', txHash: tx('1'), ordinal: 0 });
    const aside = { type: 'set_aside', outcome: 'kept', note: 'ours' } as const;
    const context = { ...stage.fixture.context(), actor: { role: 'merchant', type: 'api_key', id: 'k' } as const };
    await stage.fixture.writes.execute(transfers, id, aside, context);
    stage.keeper = await stage.bookkeeper();
    await closedDay(stage);
    expect(await stage.history(day)).toEqual(before);
  });

  it('without a block of its own has the balance of the block before', async () => {
    await stage.mine(stage.transfer(tx('1'), 5n * ONE));
    const day = await closedDay(stage);
    stage.chain.skipTime(3 * 86_400_000);
    stage.fixture.clock.timeMs += 3 * 86_400_000;
    await stage.pass(25);
    await stage.pass(25);
    await stage.keep();
    for (const each of [dayAfter(day), dayAfter(dayAfter(day))])
      expect(await stage.reconciled(each)).toMatchObject({
        ...ZERO,
        opening_base_units: String(5n * ONE),
        closing_base_units: String(5n * ONE),
      });
  });
});

describe('the end of a day', () => {
  it('waits for the finality of the next block', async () => {
    const { timeMs } = await stage.chain.head();
    const restMs = Date.parse(`${dayAfter(FIRST_DAY)}T00:00:00.000Z`) - timeMs;
    stage.chain.skipTime(restMs);
    stage.fixture.clock.timeMs += restMs;
    await stage.pass(12);
    await stage.keep();
    expect(await stage.history(FIRST_DAY)).toEqual([]);
    await stage.pass(1);
    await stage.keep();
    expect(await stage.history(FIRST_DAY)).not.toEqual([]);
  });

  it('is observed while a block of the day is set aside, and reconciled once it is read', async () => {
    const { number, hash, timeMs } = await stage.chain.head();
    const time = new Date(timeMs).toISOString();
    const hole = { block_number: number, to_number: number, block_hash: hash, block_time: time, seen_at: time };
    await stage.fixture.setAside().openHole({ ...hole, reason: 'unreadable', tx_hash: null });
    const day = await stage.endDay();
    const types = async () => (await stage.history(day)).map(({ type }) => type);
    await stage.fixture.setAside().openHole({ ...hole, reason: 'unreadable', tx_hash: null });
    await stage.keep();
    expect((await types())[0]).toBe('BalanceObserved');
    await stage.pass(2);
    await stage.keep();
    expect(await types()).toEqual(['BalanceObserved', 'DayReconciled']);
  });

  it('is reconciled by its transfers where no node keeps its state any more', async () => {
    await stage.mine(stage.transfer(tx('1'), 5n * ONE, { lie: 'unseen' }));
    const day = await stage.endDay();
    stage.chain.keptFrom = stage.chain.height;
    await stage.keep();
    await stage.pass(130);
    await stage.keep();
    stage.chain.keptFrom = 0;
    expect(await stage.reconciled(day)).toMatchObject({
      closing_base_units: null,
      difference_base_units: String(5n * ONE),
      differences_in_all: 1,
    });
    expect(stage.fixture.log.said('no provider tells the balance at the end of a day any more')).toHaveLength(2);
    expect(await stage.reconciled(await closedDay(stage))).toMatchObject({ opening_base_units: null });
  });
});

describe('a bookkeeper', () => {
  it('goes on after an outage at any question, and doubles nothing', async () => {
    await stage.mine(stage.transfer(tx('1'), 5n * ONE));
    const first = await closedDay(stage);
    await stage.mine(stage.transfer(tx('2'), 6n * ONE));
    const second = await stage.endDay();
    const { chain } = stage;
    let asked = 0;
    let failAt = 0;
    const troubled = () => {
      asked += 1;
      if (asked === failAt) throw refuse('provider_unavailable');
    };
    const chainBalances = {
      movementsInRange: (...args: Parameters<typeof chain.movementsInRange>) => {
        troubled();
        return chain.movementsInRange(...args);
      },
      balanceAt: (...args: Parameters<typeof chain.balanceAt>) => {
        troubled();
        return chain.balanceAt(...args);
      },
    };
    for (failAt = 1; (await stage.reconciled(second)) === null; failAt++) {
      asked = 0;
      stage.keeper = await stage.bookkeeper({ chainBalances });
      await stage.keep().catch(() => undefined);
    }
    expect(failAt).toBeGreaterThan(2);
    expect((await stage.history(second)).map(({ type }) => type)).toEqual(['BalanceObserved', 'DayReconciled']);
    expect(await stage.reconciled(second)).toMatchObject({ ...ZERO, unmatched_base_units: String(6n * ONE) });
    expect((await stage.history(first)).map(({ type }) => type)).toEqual(['BalanceObserved', 'DayReconciled']);
  });

  it('that was killed between any two appends is followed by one that ends its work', async () => {
    await closedDay(stage);
    await stage.mine(stage.transfer(tx('1'), 6n * ONE));
    const day = await stage.endDay();
    const { store } = stage.fixture;
    const append = store.append.bind(store);
    let left = 0;
    let killed = 0;
    store.append = async (...args) => {
      if (left-- <= 0) throw new Error('killed');
      return append(...args);
    };
    const done = async () => (await stage.reconciled(day)) && (await stage.reconciled(day, SECOND_WALLET));
    while (!(await done())) {
      left = 1;
      stage.keeper = await stage.bookkeeper();
      await stage.keep().catch(() => (killed += 1));
    }
    store.append = append;
    expect(killed).toBeGreaterThanOrEqual(3);
    for (const wallet of [WALLET, SECOND_WALLET])
      expect((await stage.history(day, wallet)).map(({ type }) => type)).toEqual(['BalanceObserved', 'DayReconciled']);
  });

  it('tells of an interruption once a minute, goes on after it, and ends with its signal', async () => {
    const day = await stage.endDay();
    const { chain } = stage;
    const { clock, log } = stage.fixture;
    const stopping = new AbortController();
    const waits: number[] = [];
    clock.wait = delayMs => {
      waits.push(delayMs);
      clock.timeMs += delayMs;
      chain.down = waits.length < 3;
      if (waits.length === 12) stopping.abort();
      return Promise.resolve();
    };
    chain.down = true;
    await (await stage.bookkeeper()).run(stopping.signal);
    expect(log.said('the books were interrupted')).toHaveLength(1);
    expect(waits.slice(0, 4)).toEqual([15_000, 15_000, 15_000, 250]);
    expect(waits.at(-1)).toBe(15_000);
    expect(await stage.reconciled(day)).not.toBeNull();
    expect(log.said('the books of a day are balanced')).toEqual([
      { mode: 'test', network: 'base', day, accounts: 2, different: 0 },
    ]);
  });
});

it('fills one document for each wallet and day, pending until the day is reconciled', async () => {
  const day = await stage.endDay();
  const list = () =>
    stage.fixture.readModels.list(reconciliationsReadModel, {
      index: 'by_wallet',
      equals: { merchant_id: MERCHANT, mode: 'test', wallet: WALLET },
      limit: 10,
    });
  await stage.keeper?.round();
  expect((await list()).map(({ body }) => [body.day, body.status])).toEqual([[day, 'pending']]);
  await stage.keep();
  const [row] = await list();
  expect(row?.id).toMatch(/^rec_/);
  expect(row?.body).toMatchObject({ status: 'balanced', difference_base_units: '0', token_id: 'usdc-base' });
});
