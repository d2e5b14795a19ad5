import type { CommandContext } from '../../src/kernel/command-context';
import { refuse } from '../../src/vocabulary/errors';
import type { DomainEvent, NewEvent, RecordedEvent } from '../../src/kernel/event';
import { firstBrokenLink } from '../../src/kernel/hash-chain-check';
import {
  OutcomeUnknown,
  StoreUnavailable,
  WrongExpectedRevision,
  type ExpectedRevision,
} from '../../src/kernel/ports/event-store';
import { WritePath, type Aggregate } from '../../src/kernel/write-path';
import { MemoryEventStore } from '../support/memory-event-store';

type Added = { readonly type: 'Added'; readonly data: { readonly n: number } };
type Add = { readonly type: 'add'; readonly numbers: readonly number[] };

const sums: Aggregate<number, Add, Added> = {
  category: 'sum',
  notFound: 'resource_missing',
  initial: 0,
  decide: ({ numbers }, state) => {
    if (numbers.includes(-1)) throw refuse('invalid_amount');
    return state > 1_000 ? [] : numbers.map(n => ({ type: 'Added', data: { n } }));
  },
  evolve: (state, event) => state + event.data.n,
};

const context = (commandId: string, merchantId = 'mch_1'): CommandContext => ({
  commandId,
  actor: { role: 'api', type: 'api_key', id: 'key_1' },
  universe: 'test',
  merchantId,
  startedAt: 0,
  now: 0,
  requestId: 'req_1',
  correlationId: 'req_1',
  causationId: null,
  ip: '127.0.0.1',
});

const waits: number[] = [];
const clock = {
  now: () => 0,
  wait: (delayMs: number) => {
    waits.push(delayMs);
    return Promise.resolve();
  },
};

/** Answers as it is told before it does its work. */
class MoodyStore extends MemoryEventStore {
  readonly sent: string[] = [];
  moods: ('lost before' | 'lost after' | 'away' | 'rival')[] = [];

  override async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]) {
    this.sent.push(JSON.stringify({ expected, events }));
    const mood = this.moods.shift();
    if (mood === 'lost before') throw new OutcomeUnknown('no answer');
    if (mood === 'away') throw new StoreUnavailable('no connection');
    if (mood === 'rival') throw new WrongExpectedRevision(stream, expected, 7);
    const result = await super.append(stream, expected, events);
    if (mood === 'lost after') throw new OutcomeUnknown('no answer');
    return result;
  }
}

describe('the write path', () => {
  let store: MoodyStore;
  let mirrored: { readonly stream: string; readonly history: readonly RecordedEvent[] }[];
  let writes: WritePath;

  beforeEach(() => {
    store = new MoodyStore();
    mirrored = [];
    waits.length = 0;
    writes = new WritePath(store, clock, (stream, history) => {
      mirrored.push({ stream, history });
      return Promise.resolve();
    });
  });

  const add = (commandId: string, ...numbers: number[]) =>
    writes.execute(sums, 's1', { type: 'add', numbers }, context(commandId));

  it('folds, decides and appends at the revision that it read, in one hash chain', async () => {
    await add('a', 1, 2);
    const executed = await add('b', 3);
    expect(executed.state).toBe(6);
    expect(executed.revision).toBe(2);
    await add('c', 4);
    const stored = await store.readStream('test.sum-s1');
    expect(stored.map(event => event.data)).toStrictEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
    expect(store.sent.map(sent => (JSON.parse(sent) as { expected: unknown }).expected)).toEqual(['no_stream', 1, 2]);
    expect(firstBrokenLink(stored)).toBeNull();
    expect(stored[2]?.metadata).toMatchObject({
      command_id: 'b',
      request_id: 'req_1',
      ip: '127.0.0.1',
      merchant_id: 'mch_1',
      schema: 1,
    });
  });

  it('gives each event an id of its own, by its place, its command and what it says', async () => {
    const elsewhere = new WritePath(new MoodyStore(), clock, () => Promise.resolve());
    const ids = (
      await Promise.all([
        add('a', 1, 1),
        writes.execute(sums, 's2', { type: 'add', numbers: [1] }, context('a')),
        elsewhere.execute(sums, 's1', { type: 'add', numbers: [2] }, context('a')),
        elsewhere.execute(sums, 's3', { type: 'add', numbers: [1] }, context('b')),
      ])
    ).flatMap(({ events }) => events.map(({ id }) => id));
    expect(new Set(ids).size).toBe(5);
  });

  describe('that asserts that its stream is found', () => {
    const outcomes: (boolean | Error)[] = [];
    const find = (...next: (boolean | Error)[]): Promise<void> => {
      outcomes.splice(0, outcomes.length, ...next);
      return writes.assertFound(sums, 'test', 's1', () => {
        const outcome = outcomes.shift();
        return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome === true);
      });
    };

    beforeEach(() => add('a', 1, 2));

    it('writes nothing where it is', async () => {
      await find(true);
      expect([mirrored.length, waits]).toStrictEqual([1, []]);
    });

    it('writes its mirrors anew after growing pauses until it is, also through an outage', async () => {
      await find(false, refuse('provider_unavailable'), false, false, false, true);
      expect(waits).toStrictEqual([100, 200, 400, 800, 1_600]);
      expect(mirrored.map(({ stream, history }) => [stream, history.length])).toStrictEqual(
        Array(6).fill(['test.sum-s1', 2]),
      );
    });

    it('says so where it is not after all that, and tells any other failure at once', async () => {
      await expect(find()).rejects.toMatchObject({ code: 'provider_unavailable' });
      expect(waits).toHaveLength(5);
      await expect(find(new Error('broken'), true)).rejects.toThrow('broken');
    });
  });

  it('goes no further where a stream has come to the end of what it may hold', async () => {
    await add('a', ...Array<number>(4_095).fill(0));
    expect((await add('b', 1)).revision).toBe(4_095);
    await expect(add('c', 1)).rejects.toThrow('test.sum-s1 has 4096 events or more');
  });

  it('lets any merchant on to a stream that belongs to none', async () => {
    const shared = { ...sums, category: 'shared', notFound: null };
    for (const merchant of ['mch_1', 'mch_2'])
      await writes.execute(shared, 's1', { type: 'add', numbers: [1] }, context(merchant, merchant));
    expect((await writes.load(shared, 'test', 's1')).state).toBe(2);
  });

  it('hands the mirrors the whole history before it answers', async () => {
    await add('a', 1);
    await add('b', 2);
    expect(mirrored.map(({ stream, history }) => [stream, history.length])).toStrictEqual([
      ['test.sum-s1', 1],
      ['test.sum-s1', 2],
    ]);
  });

  it('spares the reading of a stream that is known, and reads it where others have written since', async () => {
    const reads = jest.spyOn(store, 'readStream');
    const known = await writes.load(sums, 'test', 'a');
    await writes.execute(sums, 'a', { type: 'add', numbers: [1] }, context('c1'), known);
    expect(reads).toHaveBeenCalledTimes(1);
    const { state } = await writes.execute(sums, 'a', { type: 'add', numbers: [2] }, context('c2'), known);
    expect([state, reads.mock.calls.length]).toStrictEqual([3, 2]);
  });

  it('finds anew for each try, after the stream was read, and plans by what that try found', async () => {
    await add('a', 1);
    store.moods = ['rival'];
    const found: number[] = [];
    const { state } = await writes.executePlan(
      sums,
      's1',
      (loaded, times: number) => ({
        command: { type: 'add', numbers: [loaded.state, times] } as const,
        context: context('b'),
      }),
      context('b'),
      { find: () => Promise.resolve(found.push(found.length)) },
    );
    expect([found, state]).toStrictEqual([[0, 1], 1 + 1 + 2]);
  });

  it('finds nothing for a command that has events already', async () => {
    await add('a', 1);
    const find = jest.fn(() => Promise.resolve(null));
    await writes.executePlan(sums, 's1', () => null, context('a'), { find });
    expect(find).not.toHaveBeenCalled();
  });

  it('decides a refusal from memory again, and once where the stream is read first', async () => {
    await add('a', 1);
    const executor = { ...context('b'), isFirstTry: true };
    const plan = jest.fn((): null => {
      throw refuse('invalid_amount');
    });
    const find = jest.fn(() => Promise.resolve(null));
    for (const [options, tries] of [
      [{ find }, 2],
      [{ find, readsFirst: true }, 1],
    ] as const) {
      const refused = writes.executePlan(sums, 's1', plan, executor, options);
      await expect(refused).rejects.toMatchObject({ code: 'invalid_amount' });
      expect([plan.mock.calls.length, find.mock.calls.length]).toEqual([tries, tries]);
      plan.mockClear();
      find.mockClear();
    }
  });

  describe('that has seen its stream before', () => {
    let reads: jest.SpyInstance;
    beforeEach(async () => {
      await add('a', 1);
      reads = jest.spyOn(store, 'readStream');
    });

    const first = (commandId: string, ...numbers: number[]) =>
      writes.execute(sums, 's1', { type: 'add', numbers }, { ...context(commandId), isFirstTry: true });
    /** A context from a process that knows nothing of the others. */
    const elsewhere = (commandId: string, ...numbers: number[]) =>
      new WritePath(store, clock, () => Promise.resolve()).execute(
        sums,
        's1',
        { type: 'add', numbers },
        context(commandId),
      );

    it('reads nothing for a command of which this is the first try', async () => {
      expect((await first('b', 2)).state).toBe(3);
      expect((await first('c', 3)).revision).toBe(2);
      expect(reads).not.toHaveBeenCalled();
      expect(firstBrokenLink(await store.readStream('test.sum-s1'))).toBeNull();
      expect(mirrored.at(-1)?.history).toHaveLength(3);
    });

    it('goes on from what the log has where an earlier try of the command was written late', async () => {
      await elsewhere('b', 2);
      const later = new WritePath(store, { ...clock, now: () => 5 }, () => Promise.resolve());
      reads.mockResolvedValueOnce((await store.readStream('test.sum-s1')).slice(0, 1));
      const again = { ...context('b'), requestId: 'req_2' };
      const { events } = await later.execute(sums, 's1', { type: 'add', numbers: [2] }, again);
      expect(events.map(({ metadata }) => metadata.request_id)).toStrictEqual(['req_1']);
      await later.execute(sums, 's1', { type: 'add', numbers: [3] }, { ...context('c'), isFirstTry: true });
      const stored = await store.readStream('test.sum-s1');
      expect(stored.map(({ data }) => data)).toStrictEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
      expect(firstBrokenLink(stored)).toBeNull();
    });

    it('goes on from what the log has where another process ran the command in the same millisecond', async () => {
      await elsewhere('b', 2);
      reads.mockResolvedValueOnce((await store.readStream('test.sum-s1')).slice(0, 1));
      await writes.execute(sums, 's1', { type: 'add', numbers: [2] }, { ...context('b'), correlationId: 'another' });
      await writes.execute(sums, 's1', { type: 'add', numbers: [3] }, { ...context('c'), isFirstTry: true });
      const stored = await store.readStream('test.sum-s1');
      expect(stored.map(({ data }) => data)).toStrictEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
      expect(firstBrokenLink(stored)).toBeNull();
    });

    it('reads it for any other command, whose events may be there', async () => {
      await elsewhere('b', 2);
      expect((await add('b', 2)).events.map(({ revision }) => revision)).toStrictEqual([1]);
      expect(await store.readStream('test.sum-s1')).toHaveLength(2);
    });

    it('decides anew where others have written since, and waits for nobody', async () => {
      await elsewhere('b', 2);
      expect((await first('c', 3)).state).toBe(6);
      expect(waits).toStrictEqual([]);
    });

    it('reads it before it does nothing, or refuses', async () => {
      const seen: number[] = [];
      const plan = (asked: Add | null) => (loaded: { readonly state: number }) => {
        seen.push(loaded.state);
        return asked && { command: asked, context: context('c') };
      };
      const by = { ...context('c'), isFirstTry: true };
      await elsewhere('b', 2);
      await writes.executePlan(sums, 's1', plan(null), by);
      expect(seen).toStrictEqual([1, 3]);
      await expect(writes.executePlan(sums, 's1', plan({ type: 'add', numbers: [-1] }), by)).rejects.toMatchObject({
        code: 'invalid_amount',
      });
      expect(seen).toStrictEqual([1, 3, 3, 3]);
    });

    it('reads it where what it has to find cannot be found', async () => {
      const seen: number[] = [];
      await elsewhere('b', 2);
      const { state } = await writes.executePlan(
        sums,
        's1',
        (_, n: number) => ({ command: { type: 'add', numbers: [n] } as const, context: context('c') }),
        { ...context('c'), isFirstTry: true },
        {
          find: loaded => {
            seen.push(loaded.state);
            return loaded.state === 1 ? Promise.reject(new Error('for a stream as it is no more')) : Promise.resolve(4);
          },
        },
      );
      expect([state, seen]).toStrictEqual([7, [1, 3]]);
    });

    it('refuses another merchant all the same', async () => {
      const other = { ...context('x', 'mch_2'), isFirstTry: true };
      await expect(writes.execute(sums, 's1', { type: 'add', numbers: [1] }, other)).rejects.toMatchObject({
        code: 'resource_missing',
      });
    });
  });

  it('finds its own earlier work instead of doing it again', async () => {
    const first = await add('a', 1, 2);
    await add('b', 3);
    const again = await add('a', 1, 2);
    expect(again.events.map(({ id }) => id)).toStrictEqual(first.events.map(({ id }) => id));
    expect((await add('b', 3)).events.map(({ data }) => data)).toStrictEqual([{ n: 3 }]);
    expect(await store.readStream('test.sum-s1')).toHaveLength(3);
  });

  it.each(['lost before', 'lost after'] as const)(
    'sends the very same bytes again when the answer was %s',
    async mood => {
      store.moods = [mood];
      await add('a', 1);
      expect(store.sent).toHaveLength(2);
      expect(store.sent[1]).toBe(store.sent[0]);
      expect(await store.readStream('test.sum-s1')).toHaveLength(1);
    },
  );

  it('does not take a store that went away after an unknown outcome for one that wrote nothing', async () => {
    store.moods = ['lost after', 'away'];
    expect((await add('a', 1)).state).toBe(1);
    store.moods = ['lost before', 'away', 'away', 'away'];
    await expect(add('b', 1)).rejects.toBeInstanceOf(OutcomeUnknown);
    waits.length = 0;
    store.moods = ['lost before', 'away', 'away'];
    expect((await add('c', 1)).state).toBe(2);
    expect(waits).toStrictEqual([50, 500, 5_000]);
  });

  it('decides anew where a rival wrote while the outcome was unknown', async () => {
    store.moods = ['lost before', 'rival'];
    expect((await add('a', 1)).state).toBe(1);
    expect(waits).toStrictEqual([50]);
  });

  it('decides anew after losing a race, and gives up with a catalogued error', async () => {
    store.moods = ['rival', 'rival', 'rival'];
    expect((await add('a', 1)).state).toBe(1);
    store.moods = Array<'rival'>(8).fill('rival');
    expect((await add('c', 1)).state).toBe(2);
    store.moods = Array<'rival'>(9).fill('rival');
    await expect(add('b', 1)).rejects.toMatchObject({ code: 'provider_unavailable' });
  });

  it('pauses longer after each lost race, and for each command otherwise', async () => {
    const pauses: number[][] = [];
    for (const commandId of ['a', 'b']) {
      waits.length = 0;
      store.moods = Array<'rival'>(4).fill('rival');
      await add(commandId, 1);
      pauses.push([...waits]);
    }
    for (const each of pauses)
      each.forEach((pauseMs, index) => {
        expect(pauseMs).toBeGreaterThanOrEqual(5 * (index + 1));
        expect(pauseMs).toBeLessThanOrEqual(10 * (index + 1));
      });
    expect(pauses[0]).toHaveLength(3);
    expect(pauses[0]).not.toStrictEqual(pauses[1]);
  });

  it('writes nothing for a refusal, an empty decision or a store that is away', async () => {
    await expect(add('a', -1)).rejects.toMatchObject({ code: 'invalid_amount' });
    store.moods = ['away'];
    await expect(add('a', 1)).rejects.toBeInstanceOf(StoreUnavailable);
    expect(await store.readStream('test.sum-s1')).toHaveLength(0);
    await add('b', 2_000);
    expect((await add('c', 1)).events).toStrictEqual([]);
    expect(mirrored).toHaveLength(1);
  });

  it("answers another merchant's stream as one that never was", async () => {
    await add('a', 1);
    const other = writes.execute(sums, 's1', { type: 'add', numbers: [1] }, context('x', 'mch_2'));
    await expect(other).rejects.toMatchObject({ code: 'resource_missing' });
  });

  it('lets concurrent commands in one after the other', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, (_, n) => add(`c${n}`, 1)));
    expect(new Set(all.map(({ revision }) => revision)).size).toBe(6);
    const stored: readonly DomainEvent[] = await store.readStream('test.sum-s1');
    expect(stored).toHaveLength(6);
  });

  it('lets a hundred in that come at once, and each of them tries twice at the most', async () => {
    await Promise.all(Array.from({ length: 100 }, (_, n) => add(`c${n}`, 1)));
    expect(await store.readStream('test.sum-s1')).toHaveLength(100);
    expect(store.sent.length).toBeLessThanOrEqual(200);
    expect(waits).toStrictEqual([]);
  });

  it('tells the newest of a flood to come again, and records nothing of them', async () => {
    const all = await Promise.allSettled(Array.from({ length: 300 }, (_, n) => add(`c${n}`, 1)));
    const refused = all.flatMap(each => (each.status === 'rejected' ? [each.reason as { code: string }] : []));
    expect(refused).toHaveLength(300 - 257);
    expect(new Set(refused.map(({ code }) => code))).toStrictEqual(new Set(['provider_unavailable']));
    expect(await store.readStream('test.sum-s1')).toHaveLength(257);
    expect((await add('later', 1)).revision).toBe(257);
  });
});
