import { setTimeout as wait } from 'node:timers/promises';
import { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import { Status } from '@eventstore/db-client/generated/status_pb';
import type { Clock } from '../../../src/kernel/clock';
import type { NewEvent } from '../../../src/kernel/event';
import { OutcomeUnknown, StoreUnavailable } from '../../../src/kernel/ports/event-store';
import { SystemClock } from '../../../src/platform/clock/system-clock';
import { connector } from '../../../src/platform/event-store/eventstoredb/connect';
import { EventStoreDbStore } from '../../../src/platform/event-store/eventstoredb/eventstoredb-store';
import {
  eventually,
  HurriedClock,
  ids,
  newEvent,
  newEvents,
  rejection,
  uniqueStream,
} from '../../contracts/contract-support';
import { appendCases } from '../../contracts/event-store-append.cases';
import type { WireAppend } from './wire-append';
import { WireServer, type Arrival } from './wire-server';

/** A deadline that never comes: an append that ends then does so for another reason. */
const ENDLESS: Clock = {
  now: () => 0,
  wait: (_, signal) => new Promise(resolve => signal?.addEventListener('abort', () => resolve(), { once: true })),
};
const HASTE = 10;
const DEADLINE_MS = 10_000 / HASTE;
const IN_FLIGHT = 32;
const BIG = 'x'.repeat(100_000);

describe('appends to EventStoreDB by its batched call, as the contract has them', () => {
  let server: WireServer;
  let store: EventStoreDbStore;

  const open = () => (store = new EventStoreDbStore(connector(server.url), new SystemClock()));
  beforeAll(async () => {
    server = await WireServer.start();
    open();
  });
  afterAll(async () => {
    await store.close();
    await server.stop();
  });

  const reopen = async () => {
    await store.close();
    open();
  };
  appendCases({ store: () => store, reopen });
});

describe('appends to EventStoreDB by its batched call', () => {
  let server: WireServer;
  let store: EventStoreDbStore;

  beforeEach(async () => {
    server = await WireServer.start();
    store = opened();
  });
  afterEach(async () => {
    await store.close();
    await server.stop();
  });

  function opened(clock: Clock = new HurriedClock(HASTE)): EventStoreDbStore {
    return new EventStoreDbStore(connector(server.url), clock);
  }

  async function reopen(clock?: Clock): Promise<void> {
    await store.close();
    store = opened(clock);
  }

  /** The next append is left to `deal`, once; those after it are answered. */
  function next(deal: (arrival: Arrival) => void): void {
    server.meddle = arrival => {
      server.meddle = () => false;
      deal(arrival);
      return true;
    };
  }

  const append = (stream = uniqueStream()) => store.append(stream, 'no_stream', newEvents(1));
  /** The first append meets the answer of `next`, the others come after it. */
  const appendBeside = (stream: string) =>
    Promise.allSettled([append(stream), ...Array.from({ length: IN_FLIGHT }, () => append())]);
  const ok = (ends: readonly PromiseSettledResult<unknown>[]) => ends.filter(end => end.status === 'fulfilled').length;

  /** The same append until its outcome is known. */
  async function settled(stream: string, events: readonly NewEvent[]): Promise<void> {
    for (;;) {
      const end = await store.append(stream, 'no_stream', events).catch((error: unknown) => error as Error);
      if (!(end instanceof Error)) return expect(end).toStrictEqual({ revision: events.length - 1 });
      expect(['OutcomeUnknown', 'StoreUnavailable']).toContain(end.name);
    }
  }

  it('share one call, and none has one of its own', async () => {
    await Promise.all(Array.from({ length: IN_FLIGHT }, () => append()));
    expect(server.batchedCalls).toBe(1);
    expect(server.calls.filter(call => call.endsWith('/Append'))).toStrictEqual([]);
  });

  it('are taken by a server whose clock is an hour ahead', async () => {
    server.skewMs = 3_600_000;
    expect(await append()).toStrictEqual({ revision: 0 });
  });

  describe('of which the server refuses one', () => {
    it.each<[string, (stream: string) => void, string]>([
      ['that is denied', stream => server.deniedStreams.add(stream), 'AccessDenied'],
      ['to a deleted stream', stream => server.deletedStreams.add(stream), 'StreamDeleted'],
    ])('%s are written but for that one', async (_, arrange, message) => {
      const stream = uniqueStream();
      arrange(stream);
      const [refused, ...others] = await appendBeside(stream);
      expect(refused).toMatchObject({ reason: { name: 'Error', message: expect.stringContaining(message) as string } });
      expect(ok(others)).toBe(IN_FLIGHT);
      expect(server.batchedCalls).toBe(1);
    });

    it('that is too big for it are written but for that one', async () => {
      server.mostAppendBytes = 100;
      const big = rejection(store.append(uniqueStream(), 'no_stream', [newEvent('Kept', { text: BIG })]));
      const others = await Promise.allSettled(Array.from({ length: IN_FLIGHT }, () => append()));
      expect(await big).toMatchObject({ message: expect.stringContaining('MaximumAppendSizeExceeded') as string });
      expect(ok(others)).toBe(IN_FLIGHT);
    });

    it.each<[string, (append: WireAppend) => BatchAppendResp]>([
      ['times out', append => append.timedOut()],
      ['is not handled', append => append.notHandled('Server Is Busy')],
      ['is answered without a reason', append => append.response().setError(new Status())],
      ['is answered with nothing', append => append.response()],
    ])('which %s leave that one alone unknown', async (_, answer) => {
      const stream = uniqueStream();
      next(({ append: arrived, call }) => call.send(answer(arrived)));
      const [unknown, ...others] = await appendBeside(stream);
      expect(unknown).toMatchObject({ reason: { name: 'OutcomeUnknown' } });
      expect(ok(others)).toBe(IN_FLIGHT);
      expect(await append(stream)).toStrictEqual({ revision: 0 });
    });

    it('and the whole call, for its credentials, are refused', async () => {
      next(({ call }) => call.end(16, 'unauthenticated'));
      const error = await rejection(append());
      expect(error).not.toBeInstanceOf(OutcomeUnknown);
      expect(error).toMatchObject({ message: expect.stringContaining('the append was refused') as string });
    });
  });

  describe('of which the server answers wrongly', () => {
    it('to nobody and twice are answered once each', async () => {
      next(({ append: arrived, call }) => {
        call.send(new BatchAppendResp());
        const answer = arrived.write();
        call.send(answer);
        call.send(answer);
      });
      expect(await append()).toStrictEqual({ revision: 0 });
      expect(await append()).toStrictEqual({ revision: 0 });
      expect(server.batchedCalls).toBe(1);
    });

    it('too late are known by the same append again', async () => {
      const stream = uniqueStream();
      const events = newEvents(2);
      let answerLate: () => void = () => undefined;
      next(({ append: arrived, call }) => {
        const answer = arrived.write();
        answerLate = () => call.send(answer);
      });
      expect(await rejection(store.append(stream, 'no_stream', events))).toBeInstanceOf(OutcomeUnknown);
      answerLate();
      expect(await store.append(stream, 'no_stream', events)).toStrictEqual({ revision: 1 });
      expect(ids(await store.readStream(stream))).toStrictEqual(ids(events));
    });

    it('never to one leave the others their call', async () => {
      next(() => undefined);
      const lost = rejection(append());
      await append();
      await wait(DEADLINE_MS / 2);
      const arrival = new Promise<Arrival>(next);
      const beside = append();
      const { append: arrived, call } = await arrival;
      expect(await lost).toBeInstanceOf(OutcomeUnknown);
      call.send(arrived.write());
      expect(await beside).toStrictEqual({ revision: 0 });
      expect(server.batchedCalls).toBe(1);
    });

    it('never to any go by a new connection', async () => {
      server.meddle = () => true;
      const lost = await Promise.allSettled(Array.from({ length: IN_FLIGHT }, () => append()));
      expect(ok(lost)).toBe(0);
      server.meddle = () => false;
      expect(await append()).toStrictEqual({ revision: 0 });
      expect(server.batchedCalls).toBe(2);
    });
  });

  describe('whose call ends', () => {
    beforeEach(() => reopen(ENDLESS));

    it.each<[string, (arrival: Arrival) => void]>([
      ['well', ({ call }) => call.end()],
      ['by an error', ({ call }) => call.end(2, 'Exception was thrown by handler')],
      ['as cancelled', ({ call }) => call.end(1, 'the server is shutting down')],
      ['by a broken connection', ({ call }) => call.cut()],
    ])('%s are told at once, each by itself, and the next has a new call', async (_, end) => {
      await append();
      server.meddle = () => true;
      const waiting = Array.from({ length: IN_FLIGHT }, () => append());
      const ends = Promise.allSettled(waiting);
      let arrived = 0;
      server.meddle = arrival => {
        if (++arrived < IN_FLIGHT) return true;
        arrival.append.write();
        end(arrival);
        server.meddle = () => false;
        return true;
      };
      expect((await ends).map(({ status }) => status)).toStrictEqual(waiting.map(() => 'rejected'));
      for (const one of waiting) expect(await rejection(one)).toBeInstanceOf(OutcomeUnknown);
      expect(await append()).toStrictEqual({ revision: 0 });
      expect(server.batchedCalls).toBe(2);
    });

    it('since another server leads go on with the leader', async () => {
      const leader = await WireServer.start();
      const metadata = {
        exception: 'not-leader',
        'leader-endpoint-host': '127.0.0.1',
        'leader-endpoint-port': String(leader.port),
      };
      next(({ call }) => call.end(5, 'Leader info available', metadata));
      const stream = uniqueStream();
      expect(await rejection(append(stream))).toBeInstanceOf(OutcomeUnknown);
      expect(await append(stream)).toStrictEqual({ revision: 0 });
      expect(leader.log.stream(stream)).toHaveLength(1);
      await leader.stop();
    });

    it('with a leader that is not named are told all the same', async () => {
      next(({ call }) => call.end(5, 'Leader info available', { exception: 'not-leader' }));
      expect(await rejection(append())).toBeInstanceOf(OutcomeUnknown);
      expect(await append()).toStrictEqual({ revision: 0 });
    });
  });

  it('whose bytes a frozen server does not take end as unknown, each by itself', async () => {
    await append();
    server.meddle = ({ call }) => {
      call.freeze();
      return true;
    };
    const streams = Array.from({ length: IN_FLIGHT * 2 }, () => uniqueStream());
    const events = streams.map(() => newEvent('Kept', { text: BIG }));
    const all = () =>
      Promise.allSettled(streams.map((one, index) => store.append(one, 'no_stream', [events[index] as NewEvent])));
    const ends = await all();
    expect(
      new Set(ends.map(end => (end.status === 'rejected' ? (end.reason as Error).name : 'written'))),
    ).toStrictEqual(new Set(['OutcomeUnknown']));
    server.meddle = () => false;
    await Promise.all(streams.map((one, index) => settled(one, [events[index] as NewEvent])));
    expect(streams.map(one => server.log.stream(one).length)).toStrictEqual(streams.map(() => 1));
  });

  it('that are answered soon after the store closes end as they were answered', async () => {
    await reopen(new SystemClock());
    const arrival = new Promise<Arrival>(next);
    const appended = append();
    appended.catch(() => undefined);
    const { append: arrived, call } = await arrival;
    const closing = store.close();
    call.send(arrived.write());
    expect(await appended).toStrictEqual({ revision: 0 });
    await closing;
    expect(await rejection(append())).toBeInstanceOf(StoreUnavailable);
  });

  it('that wait as the store closes are told', async () => {
    server.meddle = () => true;
    const waiting = rejection(append());
    await eventually(() => server.batchedCalls === 1);
    await store.close();
    expect(await waiting).toBeInstanceOf(OutcomeUnknown);
    expect(await rejection(append())).toBeInstanceOf(StoreUnavailable);
  });

  it.each([1, 2, 3])('through a storm of faults end once each, and are there once in the end (seed %d)', async seed => {
    const random = lottery(seed);
    server.meddle = ({ append: arrived, call }) => {
      const drawn = random();
      if (drawn < 0.7) return false;
      if (drawn < 0.76) call.send(arrived.timedOut());
      else if (drawn < 0.82) arrived.write();
      else if (drawn < 0.86) call.send(arrived.notHandled('Server Is Not Ready'));
      else if (drawn < 0.9) setTimeout(() => call.send(arrived.write()), 30);
      else if (drawn < 0.93) arrived.response();
      else if (drawn < 0.96) call.end(random() < 0.5 ? 0 : 14, 'away');
      else if (drawn < 0.98) call.cut();
      else call.freeze();
      return true;
    };
    const streams = Array.from({ length: 60 }, () => uniqueStream());
    await Promise.all(streams.map(stream => settled(stream, newEvents(2))));
    expect(streams.map(one => server.log.stream(one).length)).toStrictEqual(streams.map(() => 2));
  });
});

/** Numbers below 1, the same for a seed. */
function lottery(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
