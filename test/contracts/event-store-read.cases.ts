import { setImmediate as nextTurn } from 'node:timers/promises';
import { randomBytes, randomUUID } from 'node:crypto';
import { parseStreamName } from '../../src/kernel/event';
import type { JsonObject } from '../../src/vocabulary/json';
import { comparePositions, type LogPosition } from '../../src/kernel/log-position';
import { START_OF_LOG } from '../../src/kernel/ports/event-store';
import { ids, metadata, newEvent, newEvents, uniqueStream } from './contract-support';
import type { EventStoreUnderTest } from './event-store.contract';

export function readCases({ store, reopen }: EventStoreUnderTest): void {
  async function streamOf(count: number): Promise<{ stream: string; all: string[] }> {
    const stream = uniqueStream();
    const events = newEvents(count);
    await store().append(stream, 'no_stream', events);
    return { stream, all: ids(events) };
  }

  it('gives an unknown stream as empty, in both directions', async () => {
    const stream = uniqueStream();
    expect(await store().readStream(stream)).toStrictEqual([]);
    expect(await store().readStream(stream, { direction: 'backwards' })).toStrictEqual([]);
  });

  it('gives an event with its place', async () => {
    const stream = uniqueStream();
    const event = newEvent('ContractKept', { note: 'kept' });
    await store().append(stream, 'no_stream', [event]);
    const [recorded, ...others] = await store().readStream(stream);
    expect(others).toStrictEqual([]);
    expect(recorded).toStrictEqual({ ...event, stream, revision: 0, position: expect.any(Number) as number });
    expect(Number.isSafeInteger(recorded?.position)).toBe(true);
  });

  it.each<[string, JsonObject]>([
    ['no members', {}],
    ['every JSON type', { text: '', number: 0, fraction: -1.25e-7, yes: true, no: false, nothing: null }],
    ['empty and nested containers', { list: [], object: {}, deep: { list: [[], [{}], [[[1, [2]]]]] } }],
    ['lists of objects of different shapes', { list: [{ a: 1 }, { b: 2 }, { a: 1, b: 2 }, null, 'a', 0, -1] }],
    ['a list that looks like an encoding', { list: [0, -1, 1, 2], other: [-1, 'key', 'value'], text: '[0,1]' }],
    ['great and small integers', { most: Number.MAX_SAFE_INTEGER, least: Number.MIN_SAFE_INTEGER }],
    [
      'long digit strings',
      { base_units: '115792089237316195423570985008687907853269984665640564039457584007913129639935' },
    ],
    ['text of all planes', { text: 'Zażółć gęślą jaźń 支付 \u{1F4B8} \u0000 \u2028 \u2029 " \\ \n \u007f' }],
    ['a lone surrogate', { text: '\ud83d' }],
    ['odd keys', { '': 1, ' ': 2, 'a.b': 3, $set: 4, constructor: 5, toString: 6, 7: 8, ключ: 9, 'a\nb': 10 }],
    ['the key __proto__', JSON.parse('{"__proto__": {"polluted": true}, "deep": {"__proto__": 1}}') as JsonObject],
    ['100,000 characters', { text: 'ä'.repeat(100_000) }],
    ['1,000 keys', Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`key_${index}`, index]))],
  ])('gives back what was appended, to the letter: %s', async (_, data) => {
    const stream = uniqueStream();
    await store().append(stream, 'no_stream', [newEvent('ContractKept', data)]);
    const [recorded] = await store().readStream(stream);
    expect(recorded?.data).toStrictEqual(data);
    expect(JSON.stringify(recorded?.data)).toBe(JSON.stringify(data));
  });

  it.each([
    ['nulls', metadata({ merchant_id: null, request_id: null, causation_id: null, ip: null })],
    ['values', metadata({ causation_id: randomUUID(), ip: '2001:db8::7', schema: 12 })],
    ['another mode than the stream', metadata({ mode: 'live' })],
    ['the platform', metadata({ mode: 'platform', actor: { role: 'sweeper', type: 'system', id: 'sweeper' } })],
    ['times in other forms', metadata({ occurred_at: '2026-11-01T12:00:00Z', recorded_at: 'some day' })],
    ['times far apart', metadata({ occurred_at: '2031-01-01T00:00:00.000Z', recorded_at: '1999-12-31T23:59:59.999Z' })],
    ['another correlation than the request', metadata({ correlation_id: 'req_other', command_id: '' })],
    ['hashes in a chain', metadata({ prev_hash: randomBytes(32).toString('hex') })],
    ['hashes that are none', metadata({ prev_hash: 'ABC', hash: 'F'.repeat(64) })],
    ['hashes of which one is none', metadata({ hash: '' })],
  ])('gives back the metadata as it was: %s', async (_, expected) => {
    const stream = uniqueStream();
    await store().append(stream, 'no_stream', [{ ...newEvent(), metadata: expected }]);
    expect((await store().readStream(stream))[0]?.metadata).toStrictEqual(expected);
  });

  it('reads a write as soon as it is answered', async () => {
    const stream = uniqueStream();
    for (let revision = 0; revision < 20; revision++) {
      const [event] = newEvents(1);
      await store().append(stream, revision === 0 ? 'no_stream' : revision - 1, event ? [event] : []);
      const [last] = await store().readStream(stream, { direction: 'backwards', limit: 1 });
      expect(last).toMatchObject({ id: event?.id, revision });
    }
  });

  it('numbers revisions from 0 without a gap, and positions upwards', async () => {
    const { stream } = await streamOf(20);
    await store().append(stream, 19, newEvents(20));
    const recorded = await store().readStream(stream);
    expect(recorded.map(event => event.revision)).toStrictEqual(Array.from({ length: 40 }, (_, index) => index));
    const positions = recorded.map(event => event.position);
    expect(positions).toStrictEqual([...new Set(positions)].sort(comparePositions));
  });

  it('gives a later append a greater position, whatever the stream', async () => {
    const streams = Array.from({ length: 10 }, () => uniqueStream());
    for (const stream of streams) await store().append(stream, 'no_stream', newEvents(1));
    const firsts = await Promise.all(
      streams.map(async stream => (await store().readStream(stream))[0]?.position ?? START_OF_LOG),
    );
    expect(firsts).toStrictEqual([...new Set(firsts)].sort(comparePositions));
  });

  describe('of a stream of ten', () => {
    let stream: string;
    let all: string[];
    beforeAll(async () => ({ stream, all } = await streamOf(10)));

    it('reads forwards from the start', async () => {
      expect(ids(await store().readStream(stream))).toStrictEqual(all);
    });

    it('reads from a revision, that one included', async () => {
      expect(ids(await store().readStream(stream, { from: 4 }))).toStrictEqual(all.slice(4));
    });

    it('reads no more than the limit', async () => {
      expect(ids(await store().readStream(stream, { from: 2, limit: 3 }))).toStrictEqual(all.slice(2, 5));
    });

    it('reads nothing past the end', async () => {
      expect(await store().readStream(stream, { from: 10 })).toStrictEqual([]);
      expect(await store().readStream(stream, { from: 1_000 })).toStrictEqual([]);
    });

    it('reads backwards from the end', async () => {
      expect(ids(await store().readStream(stream, { direction: 'backwards' }))).toStrictEqual([...all].reverse());
    });

    it('reads backwards from a revision, that one included', async () => {
      const read = await store().readStream(stream, { direction: 'backwards', from: 3 });
      expect(ids(read)).toStrictEqual(all.slice(0, 4).reverse());
    });

    it('reads backwards no more than the limit', async () => {
      const read = await store().readStream(stream, { direction: 'backwards', limit: 2 });
      expect(ids(read)).toStrictEqual([all[9], all[8]]);
    });
  });

  it('pages through a stream while it grows, and misses nothing', async () => {
    const { stream } = await streamOf(200);
    const grow = async (): Promise<void> => {
      for (let at = 199; at < 399; at += 10) await store().append(stream, at, newEvents(10));
    };
    const growing = grow();
    const revisions: number[] = [];
    while (revisions.length < 400) {
      const page = await store().readStream(stream, { from: revisions.length, limit: 30 });
      revisions.push(...page.map(event => event.revision));
      // A store in this process needs its turn of the event loop to write.
      await nextTurn();
    }
    await growing;
    expect(revisions).toStrictEqual(Array.from({ length: 400 }, (_, index) => index));
  });

  it.each(['base:0xA0b8:usdc-base:25104', 'evt_1:we_2', 'a-b-c', 'with space', 'ünïcode', "o'clock", '%_*'])(
    'tells streams apart by the id %s',
    async id => {
      const stream = `${uniqueStream()}-${id}`;
      const event = newEvent();
      await store().append(stream, 'no_stream', [event]);
      expect(await store().readStream(stream)).toMatchObject([{ id: event.id, stream }]);
      expect(await store().readStream(`${stream}x`)).toStrictEqual([]);
    },
  );

  it('tells how far the log reaches', async () => {
    const before = await store().lastPosition();
    const { stream } = await streamOf(3);
    const positions = (await store().readStream(stream)).map(event => event.position);
    expect(Math.min(...positions)).toBeGreaterThan(before);
    expect(await store().lastPosition()).toBeGreaterThanOrEqual(Math.max(...positions));
  });

  describe('what stands at a position', () => {
    it('is told of each event, and of no number between two', async () => {
      const { stream } = await streamOf(3);
      const events = await store().readStream(stream);
      for (const { position, id } of events)
        expect(await store().lastEventUpTo(position)).toStrictEqual({ position, id });
      const places = new Set(events.map(({ position }) => Number(position)));
      const [first, second, last] = events.map(({ position }) => Number(position)) as [number, number, number];
      for (const number of [first + 1, second - 1, last - 1, last + 1].filter(each => !places.has(each))) {
        const mark = await store().lastEventUpTo(number as LogPosition);
        // Another writer's event may begin there, where numbers have no gaps.
        if (mark) expect(events.map(({ id }) => id)).not.toContain(mark.id);
        if (mark) expect(mark.position).toBe(number);
      }
    });

    it('is nothing at the start, past the end and far past the end', async () => {
      await streamOf(1);
      const last = Number(await store().lastPosition());
      expect(await store().lastEventUpTo(START_OF_LOG)).toBeNull();
      for (const number of [last + 1_000_000, last + 10_000_000_000]) {
        expect(await store().lastEventUpTo(number as LogPosition)).toBeNull();
      }
    });

    it('is the last event of ours where a batch ended beyond it', async () => {
      const { stream } = await streamOf(2);
      const [, last] = await store().readStream(stream);
      const leaving = new AbortController();
      for await (const { position, live } of store().subscribe(
        { categories: ['nobody'] },
        START_OF_LOG,
        leaving.signal,
      )) {
        if (position < (last?.position ?? START_OF_LOG) || !live) continue;
        const mark = await store().lastEventUpTo(position);
        expect(mark?.position).toBeLessThanOrEqual(position);
        expect(mark?.position).toBeGreaterThanOrEqual(last?.position ?? Infinity);
        leaving.abort();
      }
    });

    it('tells one log from another by its first event, for good', async () => {
      const { stream } = await streamOf(1);
      const first = await store().firstEventId();
      expect(first).toMatch(/^[0-9a-f-]{36}$/);
      await streamOf(2);
      await reopen();
      expect(await store().firstEventId()).toBe(first);
      const filter = { categories: [parseStreamName(stream).category] };
      const leaving = AbortSignal.timeout(50_000);
      let looks = 0;
      for await (const { events } of store().subscribe(filter, START_OF_LOG, leaving)) {
        if (events.length === 0) continue;
        looks++;
        expect((await store().lastEventUpTo(events[0]?.position ?? START_OF_LOG))?.id).toBe(events[0]?.id);
        break;
      }
      expect(looks).toBe(1);
    });
  });

  it('has after closing and opening what it had before', async () => {
    const { stream } = await streamOf(5);
    const before = await store().readStream(stream);
    await reopen();
    expect(await store().readStream(stream)).toStrictEqual(before);
    expect(await store().append(stream, 4, newEvents(1))).toStrictEqual({ revision: 5 });
  });
}
