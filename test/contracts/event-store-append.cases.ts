import { randomUUID } from 'node:crypto';
import type { NewEvent } from '../../src/kernel/event';
import type { JsonObject } from '../../src/vocabulary/json';
import { OutcomeUnknown, WrongExpectedRevision } from '../../src/kernel/ports/event-store';
import { appendNext, ids, metadata, newEvent, newEvents, rejection, uniqueStream } from './contract-support';
import type { EventStoreUnderTest } from './event-store.contract';

const WRITERS = 32;

export function appendCases({ store }: EventStoreUnderTest): void {
  it('answers revision 0 for the first event of a stream', async () => {
    expect(await store().append(uniqueStream(), 'no_stream', newEvents(1))).toStrictEqual({ revision: 0 });
  });

  it('answers the revision of the last of several events', async () => {
    expect(await store().append(uniqueStream(), 'no_stream', newEvents(5))).toStrictEqual({ revision: 4 });
  });

  it('goes on at the exact revision', async () => {
    const stream = uniqueStream();
    await store().append(stream, 'no_stream', newEvents(2));
    expect(await store().append(stream, 1, newEvents(3))).toStrictEqual({ revision: 4 });
  });

  it('refuses no_stream for a stream that exists, and says what is so', async () => {
    const stream = uniqueStream();
    await store().append(stream, 'no_stream', newEvents(2));
    const error = await rejection(store().append(stream, 'no_stream', newEvents(1)));
    expect(error).toBeInstanceOf(WrongExpectedRevision);
    expect(error).toMatchObject({ stream, expected: 'no_stream', actual: 1 });
  });

  it('refuses a revision of a stream that does not exist', async () => {
    const stream = uniqueStream();
    const error = await rejection(store().append(stream, 0, newEvents(1)));
    expect(error).toBeInstanceOf(WrongExpectedRevision);
    expect(error).toMatchObject({ stream, expected: 0, actual: 'no_stream' });
  });

  it.each([0, 1, 3, 100])('refuses revision %d of a stream that is at 2', async expected => {
    const stream = uniqueStream();
    await store().append(stream, 'no_stream', newEvents(3));
    const error = await rejection(store().append(stream, expected, newEvents(1)));
    expect(error).toBeInstanceOf(WrongExpectedRevision);
    expect(error).toMatchObject({ expected, actual: 2 });
  });

  it('writes nothing of a refused append', async () => {
    const stream = uniqueStream();
    const kept = newEvents(2);
    await store().append(stream, 'no_stream', kept);
    await rejection(store().append(stream, 0, newEvents(3)));
    await rejection(store().append(stream, 7, newEvents(3)));
    expect(ids(await store().readStream(stream))).toStrictEqual(ids(kept));
  });

  describe('repeated', () => {
    it('is a no-op at no_stream that answers as the first did', async () => {
      const stream = uniqueStream();
      const events = newEvents(1);
      await store().append(stream, 'no_stream', events);
      expect(await store().append(stream, 'no_stream', events)).toStrictEqual({ revision: 0 });
      expect(await store().readStream(stream)).toHaveLength(1);
    });

    it('is a no-op at a revision, for several events', async () => {
      const stream = uniqueStream();
      const events = newEvents(3);
      await store().append(stream, 'no_stream', newEvents(2));
      await store().append(stream, 1, events);
      expect(await store().append(stream, 1, events)).toStrictEqual({ revision: 4 });
      expect(await store().readStream(stream)).toHaveLength(5);
    });

    it('is a no-op when the stream has moved on', async () => {
      const stream = uniqueStream();
      const events = newEvents(2);
      await store().append(stream, 'no_stream', events);
      await store().append(stream, 1, newEvents(4));
      expect(await store().append(stream, 'no_stream', events)).toStrictEqual({ revision: 1 });
      expect(await store().readStream(stream)).toHaveLength(6);
    });

    it.each<[string, (old: NewEvent[]) => NewEvent[]]>([
      ['an old id before a new one', old => [old[0] as NewEvent, newEvent()]],
      ['a new id before an old one', old => [newEvent(), old[1] as NewEvent]],
      ['the old ids and one more', old => [...old, newEvent()]],
      ['the old ids in another order', old => [...old].reverse()],
    ])('is refused with %s', async (_, mix) => {
      const stream = uniqueStream();
      const old = newEvents(2);
      await store().append(stream, 'no_stream', old);
      expect(await rejection(store().append(stream, 'no_stream', mix(old)))).toBeInstanceOf(WrongExpectedRevision);
      expect(ids(await store().readStream(stream))).toStrictEqual(ids(old));
    });

    it('is refused at another revision than the first time', async () => {
      const stream = uniqueStream();
      const [first, second, third] = newEvents(3) as [NewEvent, NewEvent, NewEvent];
      await store().append(stream, 'no_stream', [first, second, third]);
      expect(await rejection(store().append(stream, 0, [third]))).toBeInstanceOf(WrongExpectedRevision);
      expect(await store().readStream(stream)).toHaveLength(3);
    });

    it('by all at once is one event and the same answer for each, in the end', async () => {
      const stream = uniqueStream();
      const events = newEvents(2);
      // An engine may drop a repetition of an append under way: another repetition then decides it.
      const decided = async (): Promise<{ readonly revision: number }> => {
        try {
          return await store().append(stream, 'no_stream', events);
        } catch (error) {
          if (error instanceof OutcomeUnknown) return decided();
          throw error;
        }
      };
      const answers = await Promise.all(Array.from({ length: WRITERS }, decided));
      expect(answers).toStrictEqual(Array.from({ length: WRITERS }, () => ({ revision: 1 })));
      expect(ids(await store().readStream(stream))).toStrictEqual(ids(events));
    });
  });

  describe('under contention', () => {
    it('lets one of 32 writers have a revision', async () => {
      const stream = uniqueStream();
      await store().append(stream, 'no_stream', newEvents(1));
      const ends = await Promise.allSettled(
        Array.from({ length: WRITERS }, () => store().append(stream, 0, newEvents(1))),
      );
      const refused = ends.filter(end => end.status === 'rejected').map(end => end.reason as Error);
      expect(refused).toHaveLength(WRITERS - 1);
      expect(new Set(refused.map(error => error.name))).toStrictEqual(new Set(['WrongExpectedRevision']));
      expect(await store().readStream(stream)).toHaveLength(2);
    });

    it('lets one of 32 writers make the stream', async () => {
      const stream = uniqueStream();
      const ends = await Promise.allSettled(
        Array.from({ length: WRITERS }, () => store().append(stream, 'no_stream', newEvents(1))),
      );
      expect(ends.filter(end => end.status === 'fulfilled')).toHaveLength(1);
      expect(await store().readStream(stream)).toHaveLength(1);
    });

    it('gives 32 writers that try again one revision each, none twice and none left out', async () => {
      const stream = uniqueStream();
      const events = newEvents(WRITERS);
      const won = await Promise.all(events.map(event => appendNext(store(), stream, event)));
      expect([...won].sort((a, b) => a - b)).toStrictEqual(Array.from({ length: WRITERS }, (_, index) => index));
      const recorded = await store().readStream(stream);
      expect(recorded.map(event => events.findIndex(({ id }) => id === event.id))).toStrictEqual(
        recorded.map(event => won.indexOf(event.revision)),
      );
    });

    it('keeps writers of many streams apart', async () => {
      const streams = Array.from({ length: 100 }, () => uniqueStream('contract_apart'));
      const answers = await Promise.all(
        streams.map(async stream => {
          await store().append(stream, 'no_stream', newEvents(1));
          return store().append(stream, 0, newEvents(2));
        }),
      );
      expect(answers).toStrictEqual(streams.map(() => ({ revision: 2 })));
    });

    it('refuses one without harm to those beside it', async () => {
      const [taken, ...free] = Array.from({ length: 8 }, () => uniqueStream()) as [string, ...string[]];
      await store().append(taken, 'no_stream', newEvents(1));
      const ends = await Promise.allSettled(
        [...free, taken, uniqueStream()].map(stream => store().append(stream, 'no_stream', newEvents(1))),
      );
      expect(ends.map(end => end.status)).toStrictEqual([...free.map(() => 'fulfilled'), 'rejected', 'fulfilled']);
    });
  });

  describe('what JSON cannot hold', () => {
    const circular: Record<string, unknown> = {};
    circular.itself = circular;
    it.each<[string, unknown]>([
      ['a bigint', { amount: 1n }],
      ['a bigint deep inside', { list: [{ amount: 1n }] }],
      ['undefined', { amount: undefined }],
      ['NaN', { amount: NaN }],
      ['an infinity', { amount: Infinity }],
      ['a function', { amount: () => 1 }],
      ['a symbol', { amount: Symbol('amount') }],
      ['a date', { at: new Date(0) }],
      ['a map', { amounts: new Map() }],
      ['itself', circular],
    ])('is refused before anything is written: %s', async (_, data) => {
      const stream = uniqueStream();
      const events = [newEvent(), { ...newEvent(), data: data as JsonObject }];
      expect(await rejection(store().append(stream, 'no_stream', events))).toBeInstanceOf(TypeError);
      expect(await store().readStream(stream)).toStrictEqual([]);
      // The store is as good as before.
      expect(await store().append(stream, 'no_stream', newEvents(1))).toStrictEqual({ revision: 0 });
    });

    it('is refused in metadata as well', async () => {
      const stream = uniqueStream();
      const event = { ...newEvent(), metadata: metadata({ schema: 1n as unknown as number }) };
      expect(await rejection(store().append(stream, 'no_stream', [event]))).toBeInstanceOf(TypeError);
      expect(await store().readStream(stream)).toStrictEqual([]);
    });
  });

  it('takes the same id into a stream of its own in each universe', async () => {
    const id = randomUUID();
    const [test, live] = [`test.contract_universe-${id}`, `live.contract_universe-${id}`];
    await store().append(test, 'no_stream', newEvents(1));
    await store().append(live, 'no_stream', newEvents(2));
    expect(await store().readStream(test)).toHaveLength(1);
    expect(await store().readStream(live)).toHaveLength(2);
  });
}
