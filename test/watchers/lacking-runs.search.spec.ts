import { isoTime } from '../../src/kernel/clock';
import { searchSize } from '../levels/search-size';
import { status } from '../platform/chains/evm-stage';
import { heightsOf, honest, LackingStage, type Fault } from './lacking-stage';
import { eventsOf, typesOf } from './set-aside-stage';

const FIRST = 110;
const PAID_AT = 125;
const LIMIT_MS = 60_000;
const RUN = searchSize('LACKING_BLOCKS', { small: 20, full: 200 });
const LONG_RUN = searchSize('LACKING_LONG_RUN', { small: 60, full: 3_000 });
/** Ticks in a row at which a state of the providers must change nothing. */
const STEADY_TICKS = searchSize('LACKING_TICKS', { small: 3, full: 20 });
/** Ticks until all that lies behind a run is read. */
const CATCHING_UP = searchSize('LACKING_CATCHING_UP', { small: 18, full: 25 });
/** Ten blocks each: past the run, and past what is read again behind it. */
const TICKS = RUN / 10 + CATCHING_UP;
/** Blocks that are not settled yet, and those of one tick. */
const USUAL_LAG = 25;

const gap = { error: { code: -32_000, message: 'missing trie node' } };
const meets = (heights: readonly [number, number] | null, last: number): boolean =>
  heights !== null && heights[0] <= last && heights[1] >= FIRST;

/** The provider has the headers of the blocks from 110 on, and neither logs nor receipts. */
const withoutContents =
  (last: number): Fault =>
  (method, params) => {
    if (method === 'eth_getTransactionReceipt') return { result: null };
    if (!meets(heightsOf(method, params), last)) return undefined;
    if (method === 'eth_getLogs') return gap;
    return method === 'eth_getBlockReceipts' ? { result: null } : undefined;
  };
const withoutBlocks =
  (last: number): Fault =>
  (method, params) => {
    if (method === 'eth_getTransactionReceipt') return { result: null };
    if (!meets(heightsOf(method, params), last)) return undefined;
    return { result: method === 'eth_getLogs' ? [] : null };
  };

/** Ways to lack blocks, each with the block whose time the hole has. */
const LACKED = [
  ['all', withoutBlocks, FIRST - 1],
  ['the logs and receipts', withoutContents, FIRST],
] as const;

let lacking: LackingStage;

async function begin(...faults: readonly Fault[]): Promise<void> {
  lacking = new LackingStage('live', PAID_AT);
  await lacking.begin(faults);
}

async function ticks(count: number, blocks = 10): Promise<void> {
  for (let tick = 0; tick < count; tick++) await lacking.tick(blocks);
}

async function holes(): Promise<readonly (readonly [number, number])[]> {
  const open = await lacking.fixture.setAside().holes(64);
  return open.map(({ body: { block_number, to_number } }) => [block_number, to_number] as const);
}

const placed = async (): Promise<number> =>
  (await typesOf(lacking.fixture, 'transfer')).filter(type => type === 'TransferUnmatched').length;

describe.each(LACKED.slice(0, searchSize('LACKING_WAYS', { small: 1, full: LACKED.length })))(
  `of ${RUN} blocks one of two providers lacks %s`,
  (_name, withoutRun, timed) => {
    const last = FIRST + RUN - 1;

    beforeAll(async () => {
      await begin(honest, withoutRun(last));
      await ticks(TICKS);
    }, LIMIT_MS);
    afterAll(() => lacking.stop());

    test('they become one hole, and the blocks behind them are read', async () => {
    expect(await holes()).toStrictEqual([[FIRST, last]]);
    expect(await lacking.lag()).toBeLessThanOrEqual(USUAL_LAG);
    const [opened] = await eventsOf(lacking.fixture, 'coverage_hole');
    const block_time = isoTime(lacking.timeOf(timed));
    expect(opened).toMatchObject({ data: { block_number: FIRST, block_time, reason: 'unreadable', tx_hash: null } });
  }, LIMIT_MS); // prettier-ignore

    test('the hole is read once the provider has them, and who paid in it is found', async () => {
    await lacking.watcher.retrySetAside().catch(() => undefined);
    expect([await holes(), await placed()]).toStrictEqual([[[FIRST, last]], 0]);
    lacking.isFaulty = false;
    await lacking.watcher.retrySetAside();
    expect(await holes()).toStrictEqual([]);
    expect((await typesOf(lacking.fixture, 'coverage_hole')).at(-1)).toBe('CoverageHoleRead');
    await lacking.watcher.retrySetAside();
    expect(await placed()).toBeGreaterThan(0);
  }, LIMIT_MS); // prettier-ignore
  },
);

test(`a run of ${LONG_RUN} blocks costs no more ticks, and few questions`, async () => {
  await begin(honest, withoutContents(FIRST + LONG_RUN - 1));
  await lacking.tick(LONG_RUN + LONG_RUN / 3);
  await ticks(CATCHING_UP);
  expect(await holes()).toStrictEqual([[FIRST, FIRST + LONG_RUN - 1]]);
  expect(await lacking.lag()).toBeLessThanOrEqual(USUAL_LAG);
  await lacking.stop();
}, LIMIT_MS); // prettier-ignore

describe('while one of two providers lacks every new block’s logs and receipts', () => {
  // One test after the other: each goes on where the one before it has ended.
  beforeAll(async () => {
    await begin(honest, withoutContents(Infinity));
    await ticks(CATCHING_UP);
  }, LIMIT_MS);
  afterAll(() => lacking.stop());

  test('the chain is scanned to its head at each tick, with one hole that grows', async () => {
    for (let tick = 0; tick < STEADY_TICKS; tick++) {
      expect(await lacking.tick()).toBeNull();
      expect(await lacking.lag()).toBeLessThanOrEqual(USUAL_LAG);
    }
    expect(await holes()).toStrictEqual([[FIRST, lacking.head - 15]]);
  }, LIMIT_MS); // prettier-ignore

  test('nothing more is set aside once all providers are away', async () => {
    const before = await holes();
    expect(before).toHaveLength(1);
    lacking.outage = status(503);
    for (let tick = 0; tick < STEADY_TICKS; tick++) expect(await lacking.tick()).toMatchObject({ code: 'provider_unavailable' });
    expect(await holes()).toStrictEqual(before);
    lacking.outage = null;
  }, LIMIT_MS); // prettier-ignore

  test('nothing more is set aside once that one answers nothing at all', async () => {
    const before = await holes();
    lacking.isFaulty = false;
    lacking.away = 1;
    await ticks(STEADY_TICKS);
    expect(await holes()).toStrictEqual(before);
  }, LIMIT_MS); // prettier-ignore
});

describe('in test mode', () => {
  test('a receipt that the only provider lacks holds its own transaction alone', async () => {
    lacking = new LackingStage('test', PAID_AT);
    await lacking.begin([(method, params) => {
      if (method === 'eth_getTransactionReceipt' && params[0] === lacking.paidIn) return { result: null };
      return undefined;
    }]); // prettier-ignore
    await ticks(CATCHING_UP);
    expect(await lacking.tick()).toBeNull();
    expect(await holes()).toStrictEqual([[PAID_AT, PAID_AT]]);
    expect(await eventsOf(lacking.fixture, 'coverage_hole')).toMatchObject([{ data: { tx_hash: lacking.paidIn } }]);
    expect(await lacking.lag()).toBeLessThanOrEqual(USUAL_LAG);
    expect(await placed()).toBe(1);
    lacking.isFaulty = false;
    await lacking.watcher.retrySetAside();
    expect([await holes(), await placed()]).toStrictEqual([[], 2]);
    await lacking.stop();
  }, LIMIT_MS); // prettier-ignore
});
