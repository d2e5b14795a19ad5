import { parseIsoTime } from '../../src/kernel/clock';
import { refuse } from '../../src/vocabulary/errors';
import type { RecordedEvent } from '../../src/kernel/event';
import { START_OF_LOG } from '../../src/kernel/ports/event-store';
import type { NetworkWatcher } from '../../src/watchers/network-watcher';
import { HOLES_LIMIT } from '../../src/watchers/set-aside-lists';
import { NOON, PaymentFixture } from '../support/payment-fixture';
import { ScriptedChain } from '../support/scripted-chain';
import { loseDocuments, typesOf, unreadBlocks } from './set-aside-stage';

const PI = 'pi_00000000000000000000000001';
const HASH = `0x${'11'.repeat(32)}`;
const FIRST = 100;
const PIECE = 250;
/** The reading of one hole in one round, with the piece that was begun before the time was over. */
const LONGEST_READING_MS = 40_000;
const LIMIT_MS = 30_000;

let chain: ScriptedChain;
let fixture: PaymentFixture;
let watcher: NetworkWatcher;
/** Ranges that were asked for, the first block alone left out. */
let asked: (readonly [number, number])[];
let unread: Set<string>;

beforeEach(() => {
  chain = new ScriptedChain(NOON);
  fixture = new PaymentFixture({ mode: 'live', network: 'bnb', chain });
  unread = unreadBlocks(chain);
});

/** A hole from block 100 on, below the cursor, in a chain that is covered to its head. */
async function holeOf(blocks: number, mine: () => void = () => undefined): Promise<void> {
  watcher = await fixture.watcher();
  await watcher.tick();
  chain.mineEmpty(FIRST - chain.height - 1);
  mine();
  chain.mineEmpty(FIRST + blocks + 100 - chain.height);
  fixture.clock.timeMs = NOON + chain.height * 1_000;
  const inRange = chain.transfersInRange;
  chain.transfersInRange = (from, to) => Promise.resolve({ endHash: hashOf(to), transfers: [], unread: [] });
  hashes = await headers();
  await watcher.tick();
  chain.transfersInRange = inRange;
  const [to_number, block_time] = [FIRST + blocks - 1, new Date(NOON + FIRST * 1_000).toISOString()];
  const place = { block_number: FIRST, to_number, block_hash: hashOf(to_number), block_time, seen_at: block_time };
  await fixture.setAside().openHole({ ...place, reason: 'unreadable', tx_hash: null });
  asked = [];
  spyOnRanges(() => undefined);
}

let hashes: readonly string[];
const hashOf = (height: number): string => hashes[height] ?? '';
async function headers(): Promise<readonly string[]> {
  const all: string[] = [];
  for (let height = 0; height <= chain.height; height++) all.push((await chain.blockAt(height))?.hash ?? '');
  return all;
}

/** `before` may refuse the question. */
function spyOnRanges(before: (from: number, to: number) => void): void {
  const inRange = chain.transfersInRange.bind(chain);
  chain.transfersInRange = async (from, to, ...rest) => {
    if (to > from) asked.push([from, to]);
    before(from, to);
    return inRange(from, to, ...rest);
  };
}

async function extents(): Promise<readonly (readonly [number, number])[]> {
  const open = await fixture.setAside().holes(HOLES_LIMIT);
  return open.map(({ body: { block_number, to_number } }) => [block_number, to_number] as const);
}

async function roundsUntilClosed(most: number): Promise<number> {
  for (let round = 1; round <= most; round++) {
    await watcher.retrySetAside().catch(() => undefined);
    if ((await extents()).length === 0) return round;
  }
  return Infinity;
}

async function log(): Promise<readonly RecordedEvent[]> {
  const found: RecordedEvent[] = [];
  const reading = new AbortController();
  const filter = { categories: ['coverage_hole', 'transfer', 'deferred_transfer', 'payment_intent'] };
  for await (const { events, live } of fixture.store.subscribe(filter, START_OF_LOG, reading.signal)) {
    found.push(...events);
    if (live) reading.abort();
  }
  return found;
}

const status = async (): Promise<string> => (await fixture.payment(PI)).status;

describe('a hole of ten thousand blocks', () => {
  const BLOCKS = 10_000;

  test('is read in some ten rounds by a provider that answers for a tenth of it in a round', async () => {
    await holeOf(BLOCKS);
    let left = 0;
    spyOnRanges((from, to) => {
      left -= to - from + 1;
      if (left < 0) throw refuse('provider_unavailable');
    });
    let rounds = 0;
    while (rounds < 20 && (await extents()).length > 0) {
      left = BLOCKS / 10 + 10;
      await watcher.retrySetAside().catch(() => undefined);
      rounds += 1;
    }
    expect(rounds).toBeLessThanOrEqual(11);
    expect((await typesOf(fixture, 'coverage_hole')).at(-1)).toBe('CoverageHoleRead');
  }, LIMIT_MS); // prettier-ignore

  test('keeps no round from its end where the provider is slow', async () => {
    await holeOf(BLOCKS);
    const asks = chain.transfersInRange;
    chain.transfersInRange = (from, to, ...rest) => {
      fixture.clock.timeMs += (to - from + 1) * 30;
      return asks(from, to, ...rest);
    };
    const longest: number[] = [];
    for (let round = 0; round < 20 && (await extents()).length > 0; round++) {
      const beganMs = fixture.clock.timeMs;
      await watcher.retrySetAside();
      longest.push(fixture.clock.timeMs - beganMs);
    }
    expect(Math.max(...longest)).toBeLessThanOrEqual(LONGEST_READING_MS);
    expect(longest.length).toBeLessThanOrEqual(11);
    expect(await extents()).toStrictEqual([]);
  }, LIMIT_MS); // prettier-ignore

  test('is tried again after the shortest pause as long as it becomes shorter', async () => {
    await holeOf(BLOCKS);
    let [left, stopped] = [0, 0];
    spyOnRanges((from, to) => {
      left -= to - from + 1;
      if (left < 0) throw refuse('provider_unavailable');
    });
    const stopping = new AbortController();
    const pauses: number[] = [];
    jest.spyOn(fixture.clock, 'wait').mockImplementation(async delayMs => {
      await new Promise(setImmediate);
      left = 2 * (PIECE + 1);
      // The scan's own pause is shorter.
      if (delayMs >= 10_000) pauses.push(delayMs);
      if (pauses.length === 5 || ++stopped > 500) stopping.abort();
    });
    await watcher.run(stopping.signal);
    expect(pauses.slice(1, 5)).toStrictEqual([10_000, 10_000, 10_000, 10_000]);
  }, LIMIT_MS); // prettier-ignore
});

describe('a hole of four pieces', () => {
  const BLOCKS = 4 * PIECE;
  const LAST = FIRST + BLOCKS - 1;

  async function paidIn(height: number): Promise<void> {
    const due = await fixture.quoted(PI);
    await holeOf(BLOCKS, () => {
      chain.mineEmpty(height - chain.height - 1);
      chain.mine(fixture.transfer(HASH, due));
    });
  }

  test('is gone on with at its second piece by the process that follows one that was killed', async () => {
    await holeOf(BLOCKS);
    let killed = false;
    spyOnRanges(from => {
      killed ||= from >= FIRST + PIECE;
      if (killed) throw refuse('provider_unavailable');
    });
    await watcher.retrySetAside().catch(() => undefined);
    expect(await extents()).toStrictEqual([[FIRST + PIECE, LAST]]);
    killed = true;
    [chain.transfersInRange, asked] = [ScriptedChain.prototype.transfersInRange.bind(chain), []];
    spyOnRanges(() => undefined);
    watcher = await fixture.watcher();
    await watcher.tick();
    await watcher.retrySetAside();
    expect(Math.min(...asked.map(([from]) => from).filter(from => from <= LAST))).toBe(FIRST + PIECE);
    expect(await extents()).toStrictEqual([]);
    expect((await typesOf(fixture, 'coverage_hole')).filter(type => type === 'CoverageHoleShortened')).toHaveLength(3);
  }, LIMIT_MS); // prettier-ignore

  test('gives a transfer to its payment as soon as the piece is read, and before the log says that it is', async () => {
    await paidIn(FIRST + 10);
    spyOnRanges(from => {
      if (from >= FIRST + PIECE) throw refuse('provider_unavailable');
    });
    await watcher.retrySetAside().catch(() => undefined);
    await watcher.tick();
    expect(await status()).toBe('confirmed');
    const types = (await log()).map(({ type }) => type);
    expect(types.indexOf('TransferClaimed')).toBeGreaterThan(-1);
    expect(types.indexOf('TransferClaimed')).toBeLessThan(types.indexOf('CoverageHoleShortened'));
    expect(await extents()).toStrictEqual([[FIRST + PIECE, LAST]]);
  }, LIMIT_MS); // prettier-ignore

  test('holds no deadline of before the block that it begins with by then', async () => {
    await holeOf(BLOCKS);
    spyOnRanges(from => {
      if (from >= FIRST + PIECE) throw refuse('provider_unavailable');
    });
    const before = await (await fixture.frontiers()).gaplessUntil('live', 'bnb');
    await watcher.retrySetAside().catch(() => undefined);
    const after = (await (await fixture.frontiers()).gaplessUntil('live', 'bnb')) ?? NaN;
    expect(before).toBe(NOON + FIRST * 1_000);
    expect(after).toBeGreaterThan(NOON + (FIRST + PIECE - 2) * 1_000);
    expect(after).toBeLessThanOrEqual(NOON + (FIRST + PIECE) * 1_000);
    const [hole] = await fixture.setAside().holes(1);
    expect(parseIsoTime(hole?.body.block_time ?? '')).toBe(after);
  }, LIMIT_MS); // prettier-ignore

  test('with one block at fault finds who paid behind it, and reads what lies behind only once more', async () => {
    await paidIn(FIRST + 3 * PIECE + 10);
    const fault = hashOf(FIRST + PIECE + 20);
    unread.add(fault);
    for (let round = 0; round < 4; round++) await watcher.retrySetAside();
    await watcher.tick();
    expect(await status()).toBe('confirmed');
    expect(await extents()).toStrictEqual([[FIRST + PIECE, LAST]]);
    asked = [];
    await watcher.retrySetAside();
    expect(asked).toStrictEqual([[FIRST + PIECE, FIRST + 2 * PIECE - 1]]);
    unread.clear();
    expect(await roundsUntilClosed(2)).toBe(1);
  }, LIMIT_MS); // prettier-ignore

  test('asks for the header of a block once, however many transfers are in it', async () => {
    const paid = FIRST + 10;
    const transfers = Array.from({ length: 5 }, (_, index) =>
      fixture.transfer(`0x${String(index).repeat(64)}`, 10n ** 17n + BigInt(index)),
    );
    await holeOf(BLOCKS, () => {
      chain.mineEmpty(paid - chain.height - 1);
      chain.mine(...transfers);
    });
    const agreed = jest.spyOn(chain, 'agreedBlock');
    await watcher.retrySetAside();
    expect(agreed.mock.calls.filter(([height]) => height === paid)).toHaveLength(1);
    expect((await typesOf(fixture, 'transfer')).filter(type => type === 'TransferUnmatched')).toHaveLength(5);
  }, LIMIT_MS); // prettier-ignore

  test('is found with its new start where the documents were lost', async () => {
    await holeOf(BLOCKS);
    spyOnRanges(from => {
      if (from >= FIRST + PIECE) throw refuse('provider_unavailable');
    });
    await watcher.retrySetAside().catch(() => undefined);
    await loseDocuments(fixture);
    await fixture.setAside().restore();
    expect(await extents()).toStrictEqual([[FIRST + PIECE, LAST]]);
  }, LIMIT_MS); // prettier-ignore

  test('holds its first blocks again where these are met unread once more', async () => {
    await holeOf(BLOCKS);
    const [{ body } = never()] = await fixture.setAside().holes(1);
    spyOnRanges(from => {
      if (from >= FIRST + PIECE) throw refuse('provider_unavailable');
    });
    await watcher.retrySetAside().catch(() => undefined);
    const { block_number, to_number, block_hash, block_time, seen_at, reason, tx_hash } = body;
    const facts = { block_number, to_number, block_hash, block_time, seen_at, reason, tx_hash };
    await fixture.setAside().openHole(facts);
    expect(await extents()).toStrictEqual([[FIRST, LAST]]);
    await fixture.setAside().openHole(facts);
    expect((await typesOf(fixture, 'coverage_hole')).slice(-2)).toStrictEqual([
      'CoverageHoleShortened',
      'CoverageHoleOpened',
    ]);
  }, LIMIT_MS); // prettier-ignore

  test('that holds a block of another branch than its hash is of is read to its end by numbers', async () => {
    const due = await fixture.quoted(PI);
    const last = FIRST + PIECE;
    await holeOf(PIECE + 1, () => {
      chain.mineEmpty(last - chain.height - 1);
      chain.mine(fixture.transfer(HASH, due));
    });
    const [{ id, body } = never()] = await fixture.setAside().holes(1);
    const { block_time, seen_at } = body;
    const replaced = { block_number: FIRST, to_number: last, block_hash: '0xreplaced', block_time, seen_at };
    await fixture.setAside().endHole(id, 'drop', FIRST, last);
    await fixture.setAside().openHole({ ...replaced, reason: 'unreadable', tx_hash: null });
    const standing = { block_number: last, to_number: last, block_hash: hashOf(last), block_time, seen_at };
    await fixture.setAside().openHole({ ...standing, reason: 'unreadable', tx_hash: null });
    expect(await extents()).toStrictEqual([[FIRST, last]]);
    unread.add(hashOf(last));
    for (let round = 0; round < 3; round++) await watcher.retrySetAside();
    expect(await extents()).toHaveLength(1);
    unread.clear();
    expect(await roundsUntilClosed(3)).toBeLessThanOrEqual(3);
    await watcher.tick();
    expect(await status()).toBe('confirmed');
  }, LIMIT_MS); // prettier-ignore

  test('is neither shortened nor ended by a reading that began before it was opened again', async () => {
    await holeOf(BLOCKS);
    const [{ body } = never()] = await fixture.setAside().holes(1);
    const { block_number, to_number, block_hash, block_time, seen_at, reason, tx_hash } = body;
    spyOnRanges(from => {
      if (from >= FIRST + PIECE) throw refuse('provider_unavailable');
    });
    await watcher.retrySetAside().catch(() => undefined);
    expect(await extents()).toStrictEqual([[FIRST + PIECE, LAST]]);
    chain.transfersInRange = ScriptedChain.prototype.transfersInRange.bind(chain);
    const inRange = chain.transfersInRange;
    let opening: Promise<void> | null = null;
    chain.transfersInRange = async (from, to, ...rest) => {
      opening ??= fixture
        .setAside()
        .openHole({ block_number, to_number, block_hash, block_time, seen_at, reason, tx_hash });
      await opening;
      return inRange(from, to, ...rest);
    };
    await watcher.retrySetAside();
    expect(await extents()).toStrictEqual([[FIRST, LAST]]);
  }, LIMIT_MS); // prettier-ignore

  test('holds no block that it was shortened by as another one wanted to join it', async () => {
    await holeOf(BLOCKS);
    const [{ id, body } = never()] = await fixture.setAside().holes(1);
    const setAside = fixture.setAside();
    const { holes } = setAside;
    const start = { block_number: FIRST + PIECE, block_time: body.block_time };
    setAside.holes = async (...asked) => {
      const open = await holes.apply(setAside, asked);
      await fixture.setAside().shortenHole(id, FIRST, start);
      return open;
    };
    const { block_time, seen_at } = body;
    const place = { block_number: FIRST + 5, to_number: FIRST + 5, block_hash: '0xother', block_time, seen_at };
    await setAside.openHole({ ...place, reason: 'unreadable', tx_hash: null });
    expect(await extents()).toStrictEqual([
      [FIRST + 5, FIRST + 5],
      [FIRST + PIECE, LAST],
    ]);
  }, LIMIT_MS); // prettier-ignore
});

function never(): never {
  throw new Error('there is no hole');
}
