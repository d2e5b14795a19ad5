import { randomUUID } from 'node:crypto';
import { streamName } from '../../src/kernel/event';
import { START_OF_LOG, type EventBatch, type EventFilter } from '../../src/kernel/ports/event-store';
import { collect, eventually, ids, newEvent, newEvents, uniqueName, uniqueStream } from './contract-support';
import type { EventStoreUnderTest } from './event-store.contract';

export function subscriptionCases({ store }: EventStoreUnderTest): void {
  async function appendTo(category: string, count: number, type?: string): Promise<string[]> {
    const events = newEvents(count, type);
    await store().append(uniqueStream(category), 'no_stream', events);
    return ids(events);
  }

  /** Takes batches in the background until stopped. */
  function follow(filter: EventFilter, after = START_OF_LOG): { batches: EventBatch[]; stop(): Promise<void> } {
    const batches: EventBatch[] = [];
    const controller = new AbortController();
    const take = async (): Promise<void> => {
      for await (const batch of store().subscribe(filter, after, controller.signal)) batches.push(batch);
    };
    const taking = take();
    const stop = async (): Promise<void> => {
      controller.abort();
      await taking;
    };
    return { batches, stop };
  }

  const eventIds = (batches: readonly EventBatch[]): string[] => batches.flatMap(batch => ids(batch.events));

  it('gives what was there, in log order', async () => {
    const category = uniqueName('contract');
    const expected = [
      ...(await appendTo(category, 3)),
      ...(await appendTo(category, 2)),
      ...(await appendTo(category, 4)),
    ];
    expect(ids(await collect(store(), { categories: [category] }, START_OF_LOG, 9))).toStrictEqual(expected);
  });

  it('gives events of every category where all are asked for', async () => {
    const [one, other] = [uniqueName('contract'), uniqueName('contract')];
    const before = await store().lastPosition();
    const expected = [...(await appendTo(one, 2)), ...(await appendTo(other, 1)), ...(await appendTo(one, 1))];
    expect(ids(await collect(store(), 'all', before, 4))).toStrictEqual(expected);
  });

  it('gives whole events', async () => {
    const category = uniqueName('contract');
    const stream = uniqueStream(category);
    await store().append(stream, 'no_stream', newEvents(3));
    const collected = await collect(store(), { categories: [category] }, START_OF_LOG, 3);
    expect(collected).toStrictEqual([...(await store().readStream(stream))]);
  });

  it('begins after the given position', async () => {
    const category = uniqueName('contract');
    const expected = await appendTo(category, 5);
    const all = await collect(store(), { categories: [category] }, START_OF_LOG, 5);
    const rest = await collect(store(), { categories: [category] }, all[1]?.position ?? START_OF_LOG, 3);
    expect(ids(rest)).toStrictEqual(expected.slice(2));
  });

  it('goes on with what is appended later', async () => {
    const category = uniqueName('contract');
    const expected = await appendTo(category, 2);
    const { batches, stop } = follow({ categories: [category] });
    await eventually(() => eventIds(batches).length === 2);
    expected.push(...(await appendTo(category, 1)));
    await eventually(() => eventIds(batches).length === 3);
    expected.push(...(await appendTo(category, 3)));
    await eventually(() => eventIds(batches).length === 6);
    await stop();
    expect(eventIds(batches)).toStrictEqual(expected);
  });

  it('says that it is live once nothing more is waiting, even when nothing matched', async () => {
    const { batches, stop } = follow({ categories: [uniqueName('contract')] });
    await eventually(() => batches.some(batch => batch.live));
    await stop();
    expect(eventIds(batches)).toStrictEqual([]);
  });

  it('is not live before it has given all that was there', async () => {
    const category = uniqueName('contract');
    const expected: string[] = [];
    for (let stream = 0; stream < 6; stream++) expected.push(...(await appendTo(category, 300)));
    const { batches, stop } = follow({ categories: [category] });
    await eventually(() => batches.some(batch => batch.live));
    await stop();
    const firstLive = batches.findIndex(batch => batch.live);
    expect(eventIds(batches.slice(0, firstLive + 1))).toStrictEqual(expected);
  });

  it('gives big catch-ups in pages', async () => {
    const category = uniqueName('contract');
    for (let stream = 0; stream < 4; stream++) await appendTo(category, 1_000);
    const { batches, stop } = follow({ categories: [category] });
    await eventually(() => eventIds(batches).length === 4_000);
    await stop();
    expect(Math.max(...batches.map(batch => batch.events.length))).toBeLessThanOrEqual(1_024);
  });

  it('gives events of each named category and of no other', async () => {
    const [one, two, other] = [uniqueName('contract'), uniqueName('contract'), uniqueName('contract')];
    const expected = await appendTo(one, 2);
    await appendTo(other, 2);
    expected.push(...(await appendTo(two, 2)), ...(await appendTo(one, 1)));
    expect(ids(await collect(store(), { categories: [one, two] }, START_OF_LOG, 5))).toStrictEqual(expected);
  });

  it('takes a category as a whole word, not as a beginning or an end', async () => {
    const category = uniqueName('contract');
    await appendTo(`${category}_more`, 1);
    await appendTo(`more_${category}`, 1);
    await store().append(streamName('test', uniqueName('contract'), `x-test.${category}-y`), 'no_stream', newEvents(1));
    const expected = await appendTo(category, 1);
    expect(ids(await collect(store(), { categories: [category] }, START_OF_LOG, 1))).toStrictEqual(expected);
  });

  it('gives a category in every universe', async () => {
    const category = uniqueName('contract');
    const expected: string[] = [];
    for (const universe of ['live', 'test', 'platform'] as const) {
      const event = newEvent();
      await store().append(streamName(universe, category, randomUUID()), 'no_stream', [event]);
      expected.push(event.id);
    }
    expect(ids(await collect(store(), { categories: [category] }, START_OF_LOG, 3))).toStrictEqual(expected);
  });

  it('gives events of each named category, whatever their type, and of no other', async () => {
    const [one, two] = [uniqueName('contract'), uniqueName('contract')];
    const expected = await appendTo(one, 2, uniqueName('Kept'));
    await appendTo(`${one}_more`, 2);
    await appendTo(`not_${two}`, 2);
    expected.push(...(await appendTo(two, 2)));
    expect(ids(await collect(store(), { categories: [one, two] }, START_OF_LOG, 4))).toStrictEqual(expected);
  });

  it('moves its position past events that do not match', async () => {
    const { batches, stop } = follow({ categories: [uniqueName('contract')] });
    await eventually(() => batches.some(batch => batch.live));
    await appendTo(uniqueName('contract'), 3);
    const head = await store().lastPosition();
    await eventually(() => (batches.at(-1)?.position ?? START_OF_LOG) >= head);
    await stop();
    expect(eventIds(batches)).toStrictEqual([]);
  });

  it.each([1, 2, 700, 1_500])(
    'has come to the head once it has caught up, though the last %d events are of others',
    async count => {
      const category = uniqueName('contract');
      await appendTo(category, 1);
      for (let left = count; left > 0; left -= 500) await appendTo(uniqueName('contract'), Math.min(left, 500));
      const head = await store().lastPosition();
      const { batches, stop } = follow({ categories: [category] });
      await eventually(() => (batches.at(-1)?.position ?? START_OF_LOG) >= head);
      await stop();
      expect(batches.at(-1)?.live).toBe(true);
    },
  );

  it('comes to the head in the end, though the last events are of others and come as it goes live', async () => {
    const category = uniqueName('contract');
    await appendTo(category, 5);
    const followers: ReturnType<typeof follow>[] = [];
    for (let round = 0; round < 12; round++) {
      followers.push(follow({ categories: [category] }));
      for (let turn = 0; turn < round; turn++) await new Promise(resolve => setImmediate(resolve));
      await appendTo(uniqueName('contract'), 1);
    }
    const head = await store().lastPosition();
    for (const { batches, stop } of followers) {
      await eventually(() => (batches.at(-1)?.position ?? START_OF_LOG) >= head);
      await stop();
      expect(eventIds(batches)).toHaveLength(5);
    }
  });

  it('gives positions that never fall behind the events given', async () => {
    const category = uniqueName('contract');
    for (let stream = 0; stream < 5; stream++) await appendTo(category, 100);
    const { batches, stop } = follow({ categories: [category] });
    await eventually(() => eventIds(batches).length === 500);
    await stop();
    let reached = START_OF_LOG;
    for (const batch of batches) {
      for (const { position } of batch.events) {
        expect(position).toBeGreaterThan(reached);
        reached = position;
      }
      expect(batch.position).toBeGreaterThanOrEqual(reached);
      reached = batch.position;
    }
  });

  it('can be taken up at any batch without a gap or a repetition', async () => {
    const category = uniqueName('contract');
    const expected: string[] = [];
    const seen: string[] = [];
    let after = START_OF_LOG;
    for (let round = 0; round < 8; round++) {
      expected.push(...(await appendTo(category, 7)));
      const stop = new AbortController();
      for await (const batch of store().subscribe({ categories: [category] }, after, stop.signal)) {
        seen.push(...ids(batch.events));
        after = batch.position;
        if (seen.length >= expected.length) stop.abort();
      }
    }
    expect(seen).toStrictEqual(expected);
  });

  it('passes from catching up to live without a gap or a repetition while others write', async () => {
    const category = uniqueName('contract');
    for (let stream = 0; stream < 3; stream++) await appendTo(category, 200);
    const writing = Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let round = 0; round < 50; round++) await appendTo(category, 1);
      }),
    );
    const followers = [follow({ categories: [category] }), follow({ categories: [category] })];
    await writing;
    for (const { batches, stop } of followers) {
      await eventually(() => eventIds(batches).length >= 1_000);
      await stop();
    }
    const [first, second] = followers.map(({ batches }) => eventIds(batches));
    expect(new Set(first).size).toBe(1_000);
    expect(first).toHaveLength(1_000);
    expect(second).toStrictEqual(first);
  });

  it('waits for a slow reader', async () => {
    const category = uniqueName('contract');
    const expected = await appendTo(category, 20);
    const stop = new AbortController();
    const seen: string[] = [];
    for await (const batch of store().subscribe({ categories: [category] }, START_OF_LOG, stop.signal)) {
      seen.push(...ids(batch.events));
      if (expected.length < 60) expected.push(...(await appendTo(category, 20)));
      if (seen.length >= 60) stop.abort();
    }
    expect(seen).toStrictEqual(expected);
  });

  it('ends when it is stopped while waiting', async () => {
    const { batches, stop } = follow({ categories: [uniqueName('contract')] });
    await eventually(() => batches.some(batch => batch.live));
    await stop();
    expect(batches.at(-1)?.live).toBe(true);
  });

  it('gives nothing when it was stopped before it began', async () => {
    const category = uniqueName('contract');
    await appendTo(category, 2);
    const batches: EventBatch[] = [];
    for await (const batch of store().subscribe({ categories: [category] }, START_OF_LOG, AbortSignal.abort())) {
      batches.push(batch);
    }
    expect(batches).toStrictEqual([]);
  });

  it('can be left from inside the loop', async () => {
    const category = uniqueName('contract');
    const expected = await appendTo(category, 3);
    const seen: string[] = [];
    for await (const batch of store().subscribe(
      { categories: [category] },
      START_OF_LOG,
      new AbortController().signal,
    )) {
      seen.push(...ids(batch.events));
      if (seen.length === 3) break;
    }
    expect(seen).toStrictEqual(expected);
    expect(await appendTo(category, 1)).toHaveLength(1);
  });
}
