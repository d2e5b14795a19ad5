import { clockOf } from '../../../src/kernel/merchant-clocks';
import { deadlinesProjection } from '../../../projections/deadlines.projection';
import { collectionSpec } from '../../../projections/runner/projection-collection';
import { StoredReadModels } from '../../../projections/runner/read-models';
import { sandboxClocksProjection } from '../../../projections/sandbox-clocks.projection';
import { HOUR_MS, isoTime, MINUTE_MS } from '../../../src/kernel/clock';
import type { CommandContext } from '../../../src/kernel/command-context';
import { fold } from '../../../src/kernel/decider';
import type { Mode } from '../../../src/vocabulary/modes';
import { StoreUnavailable } from '../../../src/kernel/ports/event-store';
import { NETWORK_IDS, type NetworkId } from '../../../src/vocabulary/networks';
import type { DeadlineDocument, DeadlineKind } from '../../../src/modules/payment-intents/deadlines.read-model';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import { Sweeper } from '../../../src/processes/expiry/sweeper';
import * as h from '../../modules/payment-intents/histories';
import { ManualClock } from '../../support/manual-clock';
import { MemoryDocuments } from '../../support/memory-documents';
import { MemoryEventStore } from '../../support/memory-event-store';
import { NOON, RecordingLog } from '../../support/payment-fixture';
import { stagedCommands } from '../../support/staged-writes';

const PAGE = 200;
const PAGES_A_CLOCK = 10;
const CLOCKS_A_ROUND = 200;
const POLL_MS = 1_000;
const BOTH: readonly Mode[] = ['test', 'live'];
const EXPIRED = fold(paymentIntents, h.HISTORIES.expired);
const AWAITING = fold(paymentIntents, h.HISTORIES.awaiting_payment);
const KINDS: readonly DeadlineKind[] = ['quote', 'reservation'];

type Waiting = {
  readonly id: string;
  readonly kind?: DeadlineKind;
  readonly mode?: Mode;
  readonly network?: NetworkId;
  readonly dueMs?: number;
  readonly merchantId?: string;
};

/** A sweeper before which every payment waits with its quote, and every amount is reserved for one that has expired. */
function stage(modes: readonly Mode[] = BOTH) {
  const clock = new ManualClock(NOON);
  const documents = new MemoryDocuments();
  const log = new RecordingLog();
  const store = new MemoryEventStore();
  const world = {
    /** `{mode} {subject}` of each command and attempt, in their order. */
    acted: [] as string[],
    broken: new Set<string>(),
    /** The error that each action on a broken stream throws; an error of its own where null. */
    failure: null as Error | null,
    /** Deadlines that the documents keep though they were acted on. */
    kept: new Set<string>(),
    /** The coverage by `{mode} {network}`; a network without a name here is covered beyond now. */
    covered: new Map<string, number | null>(),
    coverageAsked: 0,
  };
  const readModels = new StoredReadModels(documents, store, clock);
  const deadlines = () => documents.open<DeadlineDocument>(collectionSpec(deadlinesProjection));
  const act = async (mode: string, id: string) => {
    world.acted.push(`${mode} ${id}`);
    if (world.broken.has(id)) throw world.failure ?? new Error(`${id} is broken`);
    if (!world.kept.has(id)) await (await deadlines()).deleteUpTo(id, Infinity);
  };
  const load = ({ category }: { readonly category: string }, _mode: Mode, id: string) => {
    if (category === 'amount_slot')
      return Promise.resolve({ state: { reservations: [{ payment_intent: 'gone', released: null }] } });
    return Promise.resolve({ state: id === 'gone' ? EXPIRED : AWAITING });
  };
  const execute = (_aggregate: unknown, id: string, { type }: { readonly type: string }, context: CommandContext) => {
    if (type !== (id.startsWith('amount') ? 'release' : 'expire')) throw new Error(`${type} is not for ${id}`);
    return act(context.universe, id);
  };
  const sweeper = new Sweeper({
    modes,
    readModels,
    commands: stagedCommands({ load, execute }, clock),
    gaplessUntil: (mode, network) => {
      world.coverageAsked += 1;
      const until = world.covered.get(`${mode} ${network}`);
      return Promise.resolve(until === undefined ? clock.now() + HOUR_MS : until);
    },
    isSlotWaiting: () => Promise.resolve(false),
    clock,
    log,
  });
  let version = 0;
  const wait = async (...waiting: readonly Waiting[]) => {
    const collection = await deadlines();
    for (const { id, kind = 'quote', mode = 'test', network = 'base', dueMs = NOON, merchantId = 'mch_1' } of waiting) {
      const body: DeadlineDocument = {
        clock: mode === 'test' ? clockOf(merchantId) : mode,
        kind,
        due_at: isoTime(dueMs),
        wall_due_at: isoTime(dueMs),
        network_id: network,
        mode,
        subject: id,
        payment_intent: id,
        merchant_id: merchantId,
      };
      await collection.put({ id, version: (version += 1), body });
    }
  };
  const advance = async (merchantId: string, byMs: number) => {
    clock.advance(merchantId, byMs);
    const now = clock.now();
    const body = { mode: 'test', advanced_at: isoTime(now), now: isoTime(now + clock.aheadAt(merchantId)) };
    const clocks = await documents.open(collectionSpec(sandboxClocksProjection));
    await clocks.put({ id: merchantId, version: (version += 1), body });
  };
  /** Whether there is more at once, and the deadlines that were acted on. */
  const round = async (kind: DeadlineKind = 'quote') => {
    world.acted.length = 0;
    const isMore = await sweeper.sweep(kind);
    return { isMore, acted: [...world.acted].sort() };
  };
  return { world, clock, log, readModels, sweeper, wait, advance, round };
}

const numbered = (count: number, name: string): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${name} ${String(index).padStart(4, '0')}`);

describe('the coverage of a network', () => {
  it.each(['quote', 'reservation'] as const)(
    'holds up each %s of it, in that mode alone, while it is null',
    async kind => {
      const { world, clock, wait, round } = stage();
      const name = kind === 'quote' ? 'pi' : 'amount';
      for (const mode of BOTH)
        for (const network of ['base', 'bnb', 'tron'] as const)
          await wait({ id: `${name} ${mode} ${network}`, kind, mode, network });
      world.covered.set('test base', null).set('live tron', null);
      const others = [
        `live ${name} live base`,
        `live ${name} live bnb`,
        `test ${name} test bnb`,
        `test ${name} test tron`,
      ];
      expect(await round(kind)).toStrictEqual({ isMore: false, acted: others });
      clock.timeMs += HOUR_MS;
      expect((await round(kind)).acted).toStrictEqual([]);
      world.covered.clear();
      expect((await round(kind)).acted).toStrictEqual([`live ${name} live tron`, `test ${name} test base`]);
    },
  );

  it('must go past the deadline, and what it covers of the future counts for nothing', async () => {
    const { world, clock, wait, round } = stage();
    await wait({ id: 'pi_1' }, { id: 'pi_2', dueMs: NOON + 1 });
    world.covered.set('test base', NOON);
    expect((await round()).acted).toStrictEqual([]);
    world.covered.set('test base', NOON + 1);
    expect((await round()).acted).toStrictEqual(['test pi_1']);
    world.covered.set('test base', NOON + HOUR_MS);
    expect((await round()).acted).toStrictEqual([]);
    clock.timeMs += 1;
    expect((await round()).acted).toStrictEqual(['test pi_2']);
  });

  it('is counted by the clock that a merchant has advanced, and asked for again after a minute where it is null', async () => {
    const { world, clock, wait, advance, round } = stage();
    await wait({ id: 'pi_1', dueMs: NOON + HOUR_MS });
    world.covered.set('test base', null);
    await advance('mch_1', HOUR_MS);
    expect((await round()).acted).toStrictEqual([]);
    world.covered.delete('test base');
    clock.timeMs += MINUTE_MS - 1;
    expect((await round()).acted).toStrictEqual([]);
    clock.timeMs += 1;
    expect((await round()).acted).toStrictEqual(['test pi_1']);
  });
});

it('the coverage of each network is asked for once a round, however many clocks are advanced', async () => {
  const { world, wait, advance, round } = stage(['test']);
  for (const merchantId of ['mch_1', 'mch_2', 'mch_3']) {
    await wait({ id: `pi ${merchantId}`, dueMs: NOON + HOUR_MS, merchantId });
    await advance(merchantId, HOUR_MS);
  }
  expect((await round()).acted).toHaveLength(3);
  expect(world.coverageAsked).toBe(NETWORK_IDS.length);
});

describe('modes', () => {
  it.each(BOTH)('of which only %s is served leave the other alone', async mode => {
    const { wait, advance, readModels, round } = stage([mode]);
    await wait({ id: 'pi_1' }, { id: 'pi_2', mode: 'live' }, { id: 'pi_3', dueMs: NOON + HOUR_MS });
    await advance('mch_1', HOUR_MS);
    const list = jest.spyOn(readModels, 'list');
    expect((await round()).acted).toStrictEqual(mode === 'live' ? ['live pi_2'] : ['test pi_1', 'test pi_3']);
    const names = list.mock.calls.map(([{ name }]) => name);
    expect(names.includes('sandbox_clocks')).toBe(mode === 'test');
  });
});

describe('an action that fails', () => {
  it.each(KINDS)('is told of, and stops none of the others: a %s', async kind => {
    const { world, log, wait, round } = stage();
    const ids = ['1', '2', '3'].map(id => `${kind === 'reservation' ? 'amount' : 'of'} ${id}`);
    const broken = ids.filter(id => !id.endsWith('2'));
    for (const id of broken) world.broken.add(id);
    await wait(...ids.map((id, index) => ({ id, kind, dueMs: NOON - 3 + index })));
    expect((await round(kind)).acted).toStrictEqual(ids.map(id => `test ${id}`));
    const told = (stream: string) => ({
      level: 'error',
      facts: { stream, kind, err: new Error(`${stream} is broken`) },
      message: 'deadline could not be met',
    });
    expect(log.lines).toStrictEqual(broken.map(told));
    world.broken.clear();
    expect((await round(kind)).acted).toStrictEqual(broken.map(id => `test ${id}`));
  });
});

describe('more than a page of deadlines', () => {
  it('is met page by page, in the order in which they fell due, and then from the first one again', async () => {
    const { world, wait, round } = stage();
    const ids = numbered(PAGE + 1, 'pi');
    for (const id of ids) world.kept.add(id);
    // Each due at the same moment as another: the id tells them apart.
    await wait(...ids.map((id, index) => ({ id, dueMs: NOON - PAGE + (index >> 1) })));
    const [first, second, third] = [await round(), await round(), await round()];
    expect(first).toStrictEqual({ isMore: true, acted: ids.slice(0, PAGE).map(id => `test ${id}`) });
    expect(second).toStrictEqual({ isMore: false, acted: ids.slice(PAGE).map(id => `test ${id}`) });
    expect(third).toStrictEqual(first);
  });

  it('of one network and mode holds up none of another’s', async () => {
    const { world, wait, round } = stage();
    const ids = numbered(PAGE, 'pi');
    for (const id of ids) world.kept.add(id);
    await wait(...ids.map(id => ({ id, dueMs: NOON })));
    await round();
    await wait(
      { id: 'bnb', network: 'bnb', dueMs: NOON - HOUR_MS },
      { id: 'live', mode: 'live', dueMs: NOON - HOUR_MS },
    );
    expect((await round()).acted).toStrictEqual(['live live', 'test bnb']);
  });

  it('of one merchant’s clock is met at once, up to ten; the rest waits for the next poll', async () => {
    const { world, clock, wait, advance, sweeper, round } = stage();
    const ids = numbered(PAGE * PAGES_A_CLOCK + 1, 'pi');
    await wait(...ids.map(id => ({ id, dueMs: NOON + HOUR_MS })));
    await advance('mch_1', HOUR_MS);
    expect((await round()).acted).toHaveLength(PAGE * PAGES_A_CLOCK);
    clock.timeMs += POLL_MS;
    expect((await round()).acted).toStrictEqual([`test ${ids.at(-1)}`]);
    await wait({ id: 'pi_last', dueMs: NOON + HOUR_MS });
    await sweeper.sweepMerchant('mch_1');
    expect(world.acted.at(-1)).toBe('test pi_last');
  });

  it('of one merchant’s clock is met once a round each, and again at the next poll where it cannot be met', async () => {
    const { world, clock, wait, advance, readModels, round } = stage();
    const ids = numbered(PAGE, 'pi');
    for (const id of [...ids, 'pi_last']) world.kept.add(id);
    await wait(...ids.map(id => ({ id, dueMs: NOON + HOUR_MS })));
    await advance('mch_1', HOUR_MS);
    const list = jest.spyOn(readModels, 'list');
    for (let count = 0; count < 2; count++) {
      expect((await round()).acted).toStrictEqual(ids.map(id => `test ${id}`));
      clock.timeMs += POLL_MS;
    }
    await wait({ id: 'pi_last', dueMs: NOON + HOUR_MS });
    list.mockClear();
    expect((await round()).acted).toStrictEqual([...ids, 'pi_last'].map(id => `test ${id}`));
    const pages = list.mock.calls.filter(([, query]) => query.index === 'by_clock' && query.limit === PAGE);
    // Two of this network, and one of each of the others.
    expect(pages).toHaveLength(4);
  });

  it('has the clocks of many merchants wait for the next round, which comes at once', async () => {
    const { wait, advance, round } = stage();
    const merchants = numbered(CLOCKS_A_ROUND + 1, 'mch');
    for (const merchantId of merchants) {
      await wait({ id: `of ${merchantId}`, dueMs: NOON + HOUR_MS, merchantId });
      await advance(merchantId, HOUR_MS);
    }
    const acted = merchants.map(merchantId => `test of ${merchantId}`);
    expect(await round()).toStrictEqual({ isMore: true, acted: acted.slice(0, CLOCKS_A_ROUND) });
    expect((await round()).acted).toStrictEqual(acted.slice(CLOCKS_A_ROUND));
  });
});

describe('advanced clocks whose deadlines cannot be met', () => {
  const POLLS = 2;
  /** A mode and network each, the clocks that were advanced, and by clock and network a page and the next deadline. */
  const READS_A_POLL = 2 * 3 + 1 + 2 * 3 * CLOCKS_A_ROUND;
  /** The first poll comes to each clock, at once. */
  const READS_AT_MOST = (POLLS + 1) * READS_A_POLL;
  const merchants = numbered(CLOCKS_A_ROUND + 1, 'mch');
  const idOf = (merchantId: string): string => `of ${merchantId}`;

  async function stuck() {
    const staged = stage();
    for (const merchantId of merchants) {
      await staged.wait({ id: idOf(merchantId), dueMs: NOON + HOUR_MS, merchantId });
      await staged.advance(merchantId, HOUR_MS);
    }
    return { ...staged, lists: jest.spyOn(staged.readModels, 'list') };
  }

  /** Rounds as the loop makes them, each a millisecond long; ends early where there is no end of reads. */
  async function polled({ clock, round, lists }: Awaited<ReturnType<typeof stuck>>, polls: number) {
    const acted = new Set<string>();
    const endMs = clock.timeMs + polls * POLL_MS;
    while (clock.timeMs < endMs && lists.mock.calls.length <= READS_AT_MOST) {
      const { isMore, acted: now } = await round();
      for (const each of now) acted.add(each);
      clock.timeMs += isMore ? 1 : POLL_MS;
    }
    return acted;
  }

  it.each(['that fail', 'whose documents stay'])('are looked at in turns, once a poll: %s', async name => {
    const staged = await stuck();
    const kept = name === 'that fail' ? staged.world.broken : staged.world.kept;
    for (const merchantId of merchants) kept.add(idOf(merchantId));
    const acted = await polled(staged, POLLS);
    expect(staged.lists.mock.calls.length).toBeLessThanOrEqual(READS_AT_MOST);
    expect(acted).toContain(`test ${idOf(merchants.at(-1) as string)}`);
    expect(staged.log.lines.length).toBeLessThanOrEqual((POLLS + 1) * CLOCKS_A_ROUND);
  });

  it('are looked at once a poll while their network is not covered, and met once it is', async () => {
    const staged = await stuck();
    staged.world.covered.set('test base', NOON);
    await polled(staged, POLLS);
    expect(staged.lists.mock.calls.length).toBeLessThanOrEqual(READS_AT_MOST);
    staged.world.covered.clear();
    staged.lists.mockClear();
    expect((await polled(staged, POLLS)).size).toBe(merchants.length);
  });

  it('have others come before a page of theirs is tried again', async () => {
    const { world, clock, wait, advance, round } = stage();
    const ids = numbered(PAGE * PAGES_A_CLOCK, 'pi');
    for (const id of ids) world.broken.add(id);
    await wait(...ids.map(id => ({ id, dueMs: NOON + HOUR_MS })), { id: 'pi_well', dueMs: NOON + HOUR_MS + 1 });
    await advance('mch_1', HOUR_MS + 1);
    expect((await round()).acted).toHaveLength(ids.length);
    clock.timeMs += POLL_MS;
    expect((await round()).acted).toStrictEqual(['test pi_well']);
    clock.timeMs += POLL_MS;
    expect((await round()).acted).toHaveLength(ids.length);
  });
});

it('the clock of a merchant is asked again when its next deadline is due, not before', async () => {
  const { clock, wait, advance, readModels, round } = stage();
  await wait({ id: 'pi_1', dueMs: NOON + HOUR_MS + 10_000 }, { id: 'pi_2', dueMs: NOON + 3 * HOUR_MS });
  await advance('mch_1', HOUR_MS);
  await round();
  clock.timeMs += 9_999;
  const list = jest.spyOn(readModels, 'list');
  expect((await round()).acted).toStrictEqual([]);
  expect(list.mock.calls.filter(([, { index }]) => index === 'by_clock')).toStrictEqual([]);
  clock.timeMs += 1;
  expect((await round()).acted).toStrictEqual(['test pi_1']);
});

it('what an advance has made due for one merchant is met in order: quotes, then amounts', async () => {
  const { world, wait, advance, sweeper } = stage();
  const dueMs = NOON + HOUR_MS;
  await wait(
    { id: 'amount', kind: 'reservation', dueMs },
    { id: 'quote', kind: 'quote', dueMs },
    { id: 'bnb', kind: 'quote', network: 'bnb', dueMs },
    { id: 'later', kind: 'quote', dueMs: dueMs + 1 },
    { id: 'live', mode: 'live', dueMs: NOON },
  );
  world.covered.set('test bnb', null);
  await advance('mch_1', HOUR_MS);
  await sweeper.sweepMerchant('mch_1');
  expect(world.acted).toStrictEqual(['test quote', 'test amount']);
});

describe('a sweeper that runs', () => {
  /** Each loop stands at its wait until `release`; `rest` resolves when all do. */
  function running(staged: ReturnType<typeof stage>) {
    const stop = new AbortController();
    const standing: (() => void)[] = [];
    let whenResting = (): void => undefined;
    const waits = jest.spyOn(staged.clock, 'wait').mockImplementation((): Promise<void> => {
      return new Promise(resolve => {
        standing.push(resolve);
        if (standing.length === KINDS.length) whenResting();
      });
    });
    const rest = () =>
      new Promise<void>(resolve => {
        whenResting = resolve;
        if (standing.length === KINDS.length) resolve();
      });
    const release = () => {
      for (const resolve of standing.splice(0)) resolve();
    };
    const ended = staged.sweeper.run(stop.signal);
    const end = () => {
      stop.abort();
      release();
      return ended;
    };
    return { waits, signal: stop.signal, release, end, rest };
  }

  it('meets at once all that there is of each kind, and looks again after a second', async () => {
    const staged = stage(['live']);
    const { world, wait } = staged;
    const ids = numbered(PAGE + 1, 'pi');
    await wait(...ids.map(id => ({ id, mode: 'live' as const })));
    await wait({ id: 'amount', kind: 'reservation', mode: 'live' });
    const { waits, signal, release, end, rest } = running(staged);
    await rest();
    expect([...world.acted].sort()).toStrictEqual(['amount', ...ids].map(id => `live ${id}`));
    expect(waits.mock.calls).toStrictEqual(KINDS.map(() => [1_000, signal]));
    await wait({ id: 'new', mode: 'live' });
    release();
    await rest();
    expect(world.acted.at(-1)).toBe('live new');
    await end();
    expect(waits).toHaveBeenCalledTimes(2 * KINDS.length);
  });

  it.each([
    ['a round', 'sweep was interrupted'],
    ['each deadline', 'deadline could not be met'],
  ])('warns at most once a minute of an outage that ends %s', async (what, message) => {
    const MINUTES = 3;
    const staged = stage(['live']);
    const { clock, log, readModels, sweeper, world, wait } = staged;
    const stop = new AbortController();
    jest.spyOn(clock, 'wait').mockImplementation(async delayMs => {
      clock.timeMs += delayMs;
      if (clock.timeMs - NOON >= MINUTES * MINUTE_MS) stop.abort();
      await Promise.resolve();
    });
    const outage = new StoreUnavailable('read of $all: unavailable');
    if (what === 'a round') jest.spyOn(readModels, 'list').mockRejectedValue(outage);
    world.failure = outage;
    for (const id of ['pi_1', 'pi_2']) {
      world.broken.add(id);
      await wait({ id, mode: 'live' });
    }
    await sweeper.run(stop.signal);
    expect(new Set(log.lines.map(line => `${line.level} ${line.message}`))).toStrictEqual(new Set([`warn ${message}`]));
    expect(log.lines.length).toBeLessThanOrEqual(KINDS.length * MINUTES);
  });

  it('tells of a round that breaks, and goes on with the next one', async () => {
    const staged = stage(['live']);
    const { world, log, readModels, wait } = staged;
    await wait({ id: 'pi_1', mode: 'live' }, { id: 'amount', kind: 'reservation', mode: 'live' });
    const failure = new Error('no documents');
    const list = readModels.list.bind(readModels);
    jest
      .spyOn(readModels, 'list')
      .mockImplementation((projection, query) =>
        query.equals.kind === 'reservation' && log.lines.length === 0
          ? Promise.reject(failure)
          : list(projection, query),
      );
    const { release, end, rest } = running(staged);
    await rest();
    expect(world.acted).toStrictEqual(['live pi_1']);
    expect(log.lines).toStrictEqual([
      { level: 'error', facts: { kind: 'reservation', err: failure }, message: 'sweep was interrupted' },
    ]);
    release();
    await rest();
    expect(world.acted).toStrictEqual(['live pi_1', 'live amount']);
    await end();
  });
});
