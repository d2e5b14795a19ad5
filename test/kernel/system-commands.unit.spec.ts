import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SYSTEM_PARTS, type CommandContext } from '../../src/kernel/command-context';
import { refuse } from '../../src/vocabulary/errors';
import type { NewEvent } from '../../src/kernel/event';
import { OutcomeUnknown, WrongExpectedRevision, type ExpectedRevision } from '../../src/kernel/ports/event-store';
import { SystemCommands, type Read } from '../../src/kernel/system-commands';
import type { Loaded } from '../../src/kernel/loaded';
import { WritePath, type Aggregate, type Planned } from '../../src/kernel/write-path';
import { CountingEntropy, ManualClock, NOON } from '../support/payment-fixture';
import { MemoryEventStore } from '../support/memory-event-store';

type Added = { readonly type: 'Added'; readonly data: { readonly n: number } };
type Add = { readonly type: 'add'; readonly n: number };

const sums: Aggregate<number, Add, Added> = {
  category: 'sum',
  notFound: 'resource_missing',
  initial: 0,
  decide: ({ n }) => {
    if (n < 0) throw refuse('invalid_amount');
    return [{ type: 'Added', data: { n } }];
  },
  evolve: (state, event) => state + event.data.n,
};
const shared: Aggregate<number, Add, Added> = { ...sums, category: 'shared', notFound: null };

/** Lets somebody else in, or loses the answer, at the next append. */
class RivalStore extends MemoryEventStore {
  rivals: (() => Promise<unknown>)[] = [];
  lost = false;

  override async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]) {
    await this.rivals.shift()?.();
    const result = await super.append(stream, expected, events);
    if (!this.lost) return result;
    this.lost = false;
    // The client that does not know tells of the others' event that came on top.
    throw new WrongExpectedRevision(stream, expected, 7);
  }
}

const request = (commandId: string, merchantId = 'mch_1'): CommandContext => ({
  commandId,
  actor: { role: 'api', type: 'api_key', id: 'key_1' },
  universe: 'test',
  merchantId,
  startedAt: 0,
  now: 0,
  requestId: null,
  correlationId: commandId,
  causationId: null,
  ip: null,
});

let store: RivalStore;
let writes: WritePath;
let clock: ManualClock;
let commands: SystemCommands;
beforeEach(() => {
  store = new RivalStore();
  clock = new ManualClock(NOON);
  writes = new WritePath(store, clock, () => Promise.resolve());
  commands = new SystemCommands(writes, clock, new CountingEntropy());
});

const add = (n: number, merchantId = 'mch_1', aggregate = sums, id = 's1') =>
  writes.execute(aggregate, id, { type: 'add', n }, request(`${merchantId} ${n}`, merchantId));
const stored = async (stream = 'test.sum-s1') =>
  (await store.readStream(stream)).map(({ data }) => (data as Added['data']).n);
const mode = { mode: 'test', cause: null } as const;

describe('a plan', () => {
  it('runs anew after a conflict, on the stream as it is then', async () => {
    await add(1);
    store.rivals = [() => add(10)];
    const seen: number[] = [];
    const { state } = await commands.execute(
      sums,
      's1',
      ({ state: sum }) => {
        seen.push(sum);
        return { command: { type: 'add', n: sum * 100 }, actor: 'watcher' };
      },
      mode,
    );
    expect([seen, state, await stored()]).toStrictEqual([[1, 11], 1_111, [1, 10, 1_100]]);
  });

  it('that the newer state asks nothing of appends nothing, and answers that state', async () => {
    await add(1);
    store.rivals = [() => add(10)];
    const { state, events, revision } = await commands.execute(
      sums,
      's1',
      ({ state: sum }) => (sum < 10 ? { command: { type: 'add', n: 5 }, actor: 'watcher' } : null),
      mode,
    );
    expect([state, events, revision, await stored()]).toStrictEqual([11, [], 1, [1, 10]]);
  });

  it('goes by what is found after the stream was read, which is found anew in each try', async () => {
    await add(1);
    await add(7, 'mch_1', sums, 's2');
    const looks: [number, number][] = [];
    store.rivals = [
      async () => {
        await add(10);
        await add(3, 'mch_1', sums, 's2');
      },
    ];
    const { state, found } = await commands.execute(
      sums,
      's1',
      (_, other: number) => ({ command: { type: 'add', n: other }, actor: 'watcher' }),
      {
        ...mode,
        find: async ({ state: sum }) => {
          const { state: other } = await commands.read(sums, 'test', 's2');
          looks.push([sum, other]);
          return other;
        },
      },
    );
    expect([looks, found, state]).toStrictEqual([
      [
        [1, 7],
        [11, 10],
      ],
      10,
      21,
    ]);
  });

  it('is not asked where the command has events already, whatever would be planned now', async () => {
    const plan = jest.fn((_: Loaded<number, Added>): Planned<Add> => {
      return { command: { type: 'add', n: 1 }, context: request('a') };
    });
    const first = await writes.executePlan(sums, 's1', plan, request('a'));
    await add(2);
    const again = await writes.executePlan(sums, 's1', plan, request('a'));
    expect(plan).toHaveBeenCalledTimes(1);
    expect([again.events.map(({ id }) => id), again.state]).toStrictEqual([first.events.map(({ id }) => id), 3]);
  });

  it('whose answer was lost is found in the next try of the same execution', async () => {
    store.lost = true;
    const plan = jest.fn(() => ({ command: { type: 'add', n: 4 }, actor: 'watcher' }) as const);
    const { state, events } = await commands.execute(sums, 's1', plan, mode);
    expect([state, events.length, plan.mock.calls.length, await stored()]).toStrictEqual([4, 1, 1, [4]]);
  });

  it("is not asked for another merchant's stream", async () => {
    await add(1);
    const plan = jest.fn(() => null);
    const other = writes.executePlan(sums, 's1', plan, request('x', 'mch_2'));
    await expect(other).rejects.toMatchObject({ code: 'resource_missing' });
    expect(plan).not.toHaveBeenCalled();
  });

  it.each<[string, CommandContext]>([
    ['another merchant', request('x', 'mch_2')],
    ['another command', request('y')],
    ['another mode', { ...request('x'), universe: 'live' }],
  ])('writes nothing in the name of %s than it was asked for', async (_name, context) => {
    await add(1);
    const by = { universe: 'test', commandId: 'x' } as const;
    const command = { type: 'add', n: 2 } as const;
    const planned = writes.executePlan(sums, 's1', () => ({ command, context }), by);
    await expect(planned).rejects.toThrow('test.sum-s1');
    expect(await stored()).toStrictEqual([1]);
  });

  it('tells a refusal, and what cannot be found', async () => {
    const refused = commands.execute(sums, 's1', () => ({ command: { type: 'add', n: -1 }, actor: 'watcher' }), mode);
    await expect(refused).rejects.toMatchObject({ code: 'invalid_amount' });
    const lost = new OutcomeUnknown('no answer');
    const unfound = commands.execute(sums, 's1', () => null, { ...mode, find: () => Promise.reject(lost) });
    await expect(unfound).rejects.toBe(lost);
  });
});

describe('a command that no request made', () => {
  const one = ({ state }: Read<number, Added>) =>
    ({ command: { type: 'add', n: state + 1 }, actor: 'watcher', merchantId: 'mch_3' }) as const;

  it("is its stream's owner's, at that merchant's time, by the part of the service", async () => {
    await add(1);
    const moment: ManualClock['merchantNow'] = (universe, merchantId) =>
      Promise.resolve(universe === 'test' && merchantId === 'mch_1' ? NOON + 5_000 : NOON);
    jest.spyOn(clock, 'merchantNow').mockImplementation(moment);
    const { events } = await commands.of('settlement').execute(sums, 's1', one, mode);
    expect(events[0]?.metadata).toMatchObject({
      actor: { role: 'watcher', type: 'system', id: 'settlement' },
      merchant_id: 'mch_1',
      mode: 'test',
      occurred_at: new Date(NOON + 5_000).toISOString(),
      causation_id: null,
    });
    expect((await commands.execute(sums, 's1', one, mode)).events[0]?.metadata.actor.id).toBe('watcher');
  });

  it('names whom it is about where the stream is nobody’s, or does not exist yet', async () => {
    await add(1, 'mch_1', shared);
    for (const [aggregate, id] of [
      [shared, 's1'],
      [sums, 'new'],
    ] as const)
      expect((await commands.execute(aggregate, id, one, mode)).events[0]?.metadata.merchant_id).toBe('mch_3');
    const nobody = await commands.execute(
      shared,
      's1',
      () => ({ ...one({ state: 1 } as never), merchantId: null }),
      mode,
    );
    expect(nobody.events[0]?.metadata.merchant_id).toBeNull();
  });

  it('carries on the event that brought it about, at the moment that is given', async () => {
    const [cause] = (await add(1)).events;
    if (!cause) throw new Error('nothing was added');
    const { events } = await commands.execute(sums, 's1', one, { mode: 'test', cause, nowMs: NOON + 9 });
    expect(events[0]?.metadata).toMatchObject({
      causation_id: cause.id,
      correlation_id: cause.metadata.correlation_id,
      occurred_at: new Date(NOON + 9).toISOString(),
    });
    const context = await commands.as('sweeper', 'test', 'mch_1', { cause });
    expect(context).toMatchObject({ causationId: cause.id, correlationId: 'mch_1 1', now: NOON, merchantId: 'mch_1' });
  });

  it('has an id of its own in each execution, and one in all tries', async () => {
    store.rivals = [() => add(10)];
    const first = await commands.execute(sums, 's1', one, mode);
    const second = await commands.execute(sums, 's1', one, mode);
    const ids = [first, second].map(({ events }) => events[0]?.metadata.command_id);
    expect(new Set(ids).size).toBe(2);
  });
});

it('every part that acts by itself is told of in the documents', () => {
  const page = readFileSync(join(__dirname, '../../docs/actors.md'), 'utf8');
  const told = [...page.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, part]) => part);
  expect(told).toStrictEqual([...SYSTEM_PARTS]);
});
