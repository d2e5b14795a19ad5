import { MAX_DELIVERIES, START_OF_LOG, type GroupMessage } from '../../src/kernel/ports/event-store';
import { eventually, Gate, ids, newEvents, uniqueName, uniqueStream } from './contract-support';
import type { EventStoreUnderTest } from './event-store.contract';

type Consumer = { readonly messages: GroupMessage[]; stop(): Promise<void> };

export function groupCases({ store, reopen }: EventStoreUnderTest): void {
  async function appendTo(category: string, count: number): Promise<string[]> {
    const events = newEvents(count);
    await store().append(uniqueStream(category), 'no_stream', events);
    return ids(events);
  }

  async function newGroup(...categories: string[]): Promise<string> {
    const name = uniqueName('group');
    await store().ensureGroup(name, { categories });
    return name;
  }

  /** Keeps every message, then handles it. */
  function consume(
    name: string,
    handle: (message: GroupMessage) => Promise<void> | void = () => undefined,
    concurrency = 1,
  ): Consumer {
    const messages: GroupMessage[] = [];
    const controller = new AbortController();
    const handler = async (message: GroupMessage): Promise<void> => {
      messages.push(message);
      await handle(message);
    };
    const consuming = store().consume(name, handler, { concurrency, signal: controller.signal });
    const stop = async (): Promise<void> => {
      controller.abort();
      await consuming;
    };
    return { messages, stop };
  }

  const idsOf = (messages: readonly GroupMessage[]): string[] => ids(messages.map(message => message.event));
  const failing = (): Promise<never> => Promise.reject(new Error('the handler fails on purpose'));

  it('can be ensured again and again', async () => {
    const category = uniqueName('contract');
    const name = await newGroup(category);
    await store().ensureGroup(name, { categories: [category] });
    expect(await store().groupStatus(name)).toMatchObject({ name, parked: 0 });
  });

  it('gives whole events, from before it was made and from after', async () => {
    const category = uniqueName('contract');
    const stream = uniqueStream(category);
    await store().append(stream, 'no_stream', newEvents(3));
    const { messages, stop } = consume(await newGroup(category));
    await eventually(() => messages.length === 3);
    await store().append(stream, 2, newEvents(2));
    await eventually(() => messages.length === 5);
    await stop();
    const byRevision = [...messages].sort((a, b) => a.event.revision - b.event.revision);
    expect(byRevision).toStrictEqual((await store().readStream(stream)).map(event => ({ event, retries: 0 })));
  });

  it('gives the categories that its filter names and nothing else', async () => {
    const [category, second] = [uniqueName('contract'), uniqueName('contract')];
    const [both, first] = [uniqueName('group'), await newGroup(category)];
    await store().ensureGroup(both, { categories: [category, second] });
    const [one, other] = [newEvents(2), newEvents(1)];
    await store().append(uniqueStream(category), 'no_stream', one);
    await store().append(uniqueStream(second), 'no_stream', other);
    await appendTo(`${category}_more`, 1);
    const consumers = [consume(both), consume(first)] as const;
    await eventually(() => consumers[0].messages.length >= 3 && consumers[1].messages.length >= 2);
    for (const consumer of consumers) await consumer.stop();
    expect(idsOf(consumers[0].messages).sort()).toStrictEqual(ids([...one, ...other]).sort());
    expect(idsOf(consumers[1].messages).sort()).toStrictEqual(ids(one).sort());
  });

  it('gives all events to each group', async () => {
    const category = uniqueName('contract');
    const consumers = [consume(await newGroup(category)), consume(await newGroup(category))];
    const expected = await appendTo(category, 10);
    for (const { messages, stop } of consumers) {
      await eventually(() => messages.length === 10);
      await stop();
      expect(idsOf(messages).sort()).toStrictEqual([...expected].sort());
    }
  });

  it('gives what was acknowledged no second time after stopping and going on', async () => {
    const category = uniqueName('contract');
    const name = await newGroup(category);
    const expected = await appendTo(category, 5);
    const first = consume(name);
    await eventually(() => first.messages.length === 5);
    await first.stop();
    expected.push(...(await appendTo(category, 3)));
    const second = consume(name);
    await eventually(() => second.messages.length >= 3);
    await second.stop();
    expect([...idsOf(first.messages), ...idsOf(second.messages)].sort()).toStrictEqual(expected.sort());
  });

  it('goes on where it was after closing and opening', async () => {
    const category = uniqueName('contract');
    const name = await newGroup(category);
    await appendTo(category, 4);
    const first = consume(name);
    await eventually(() => first.messages.length === 4);
    await first.stop();
    await reopen();
    const expected = await appendTo(category, 2);
    const second = consume(name);
    await eventually(() => second.messages.length >= 2);
    await second.stop();
    expect(idsOf(second.messages).sort()).toStrictEqual(expected.sort());
  });

  it('tries a failed message again, and says which try it is', async () => {
    const category = uniqueName('contract');
    const { messages, stop } = consume(await newGroup(category), ({ retries }) =>
      retries < 3 ? failing() : undefined,
    );
    const [id] = await appendTo(category, 1);
    await eventually(() => messages.length === 4);
    await stop();
    expect(idsOf(messages)).toStrictEqual([id, id, id, id]);
    expect(messages.map(message => message.retries)).toStrictEqual([0, 1, 2, 3]);
  });

  it('takes an error thrown before the first await as a failure too', async () => {
    const category = uniqueName('contract');
    const { messages, stop } = consume(await newGroup(category), ({ retries }) => {
      if (retries === 0) throw new Error('the handler fails on purpose');
    });
    await appendTo(category, 1);
    await eventually(() => messages.length === 2);
    await stop();
    expect(messages.map(message => message.retries)).toStrictEqual([0, 1]);
  });

  it('lets a failing message hold up no other', async () => {
    const category = uniqueName('contract');
    const expected = await appendTo(category, 6);
    const handled: string[] = [];
    const { stop } = consume(await newGroup(category), ({ event, retries }) => {
      if (event.id === expected[0] && retries < 2) return failing();
      handled.push(event.id);
    });
    await eventually(() => handled.length === 6);
    await stop();
    expect(handled.sort()).toStrictEqual(expected.sort());
  });

  it(`parks a message that failed ${MAX_DELIVERIES} times, and goes on`, async () => {
    const category = uniqueName('contract');
    const name = await newGroup(category);
    const [poison, ...others] = await appendTo(category, 3);
    const { messages, stop } = consume(name, ({ event }) => (event.id === poison ? failing() : undefined));
    await eventually(async () => (await store().groupStatus(name)).parked === 1);
    others.push(...(await appendTo(category, 2)));
    await eventually(() => messages.length === MAX_DELIVERIES + 4);
    await stop();
    const tries = messages.filter(({ event }) => event.id === poison).map(({ retries }) => retries);
    expect(tries).toStrictEqual(Array.from({ length: MAX_DELIVERIES }, (_, index) => index));
    expect(idsOf(messages.filter(({ event }) => event.id !== poison)).sort()).toStrictEqual(others.sort());
  });

  it('tries parked messages anew when told to', async () => {
    const category = uniqueName('contract');
    const name = await newGroup(category);
    let mended = false;
    const expected = await appendTo(category, 2);
    const { messages, stop } = consume(name, () => (mended ? undefined : failing()), 2);
    await eventually(async () => (await store().groupStatus(name)).parked === 2);
    expect(idsOf((await store().parkedEvents(name, 10)).map(event => ({ event, retries: 0 }))).sort()).toStrictEqual(
      expected.toSorted(),
    );
    expect(await store().parkedEvents(name, 1)).toHaveLength(1);
    mended = true;
    const before = messages.length;
    expect(await store().replayParked(name)).toBe(2);
    await eventually(() => messages.length === before + 2);
    await stop();
    expect(idsOf(messages.slice(before)).sort()).toStrictEqual(expected.sort());
    expect((await store().groupStatus(name)).parked).toBe(0);
    expect(await store().parkedEvents(name, 10)).toStrictEqual([]);
    expect(await store().replayParked(name)).toBe(0);
  });

  it('keeps what is parked over closing and opening', async () => {
    const category = uniqueName('contract');
    const name = await newGroup(category);
    const [poison] = await appendTo(category, 1);
    const first = consume(name, failing);
    await eventually(async () => (await store().groupStatus(name)).parked === 1);
    await first.stop();
    await reopen();
    expect((await store().groupStatus(name)).parked).toBe(1);
    const [later] = await appendTo(category, 1);
    const second = consume(name);
    await eventually(() => second.messages.length === 1);
    expect(idsOf(second.messages)).toStrictEqual([later]);
    expect(await store().replayParked(name)).toBe(1);
    await eventually(() => second.messages.length === 2);
    await second.stop();
    expect(idsOf(second.messages)).toStrictEqual([later, poison]);
  });

  it('gives a message that was failing again after closing and opening', async () => {
    const category = uniqueName('contract');
    const name = await newGroup(category);
    const expected = await appendTo(category, 3);
    const first = consume(name, ({ event }) => (event.id === expected[0] ? failing() : undefined));
    await eventually(() => first.messages.length >= 4);
    await first.stop();
    await reopen();
    const second = consume(name);
    await eventually(() => idsOf(second.messages).includes(expected[0] as string));
    await second.stop();
    expect(idsOf(second.messages)).toContain(expected[0]);
  });

  it.each([1, 4, 16])('has %d handlers under way at once, and no more', async concurrency => {
    const category = uniqueName('contract');
    const gate = new Gate();
    let running = 0;
    let most = 0;
    const { messages, stop } = consume(
      await newGroup(category),
      async () => {
        most = Math.max(most, ++running);
        await gate.opened;
        running--;
      },
      concurrency,
    );
    await appendTo(category, 40);
    await eventually(() => running === concurrency);
    gate.open();
    await eventually(() => messages.length === 40 && running === 0);
    await stop();
    expect(most).toBe(concurrency);
  });

  it('shares messages between competing consumers', async () => {
    const category = uniqueName('contract');
    const name = await newGroup(category);
    const gate = new Gate();
    const consumers = [consume(name, () => gate.opened), consume(name, () => gate.opened)] as const;
    const expected = await appendTo(category, 30);
    await eventually(() => consumers.every(({ messages }) => messages.length > 0));
    gate.open();
    const all = (): string[] => consumers.flatMap(({ messages }) => idsOf(messages));
    await eventually(() => all().length >= 30);
    for (const { stop } of consumers) await stop();
    expect(all().sort()).toStrictEqual(expected.sort());
  });

  it('lets a consumer that stops leave its part to the other', async () => {
    const category = uniqueName('contract');
    const name = await newGroup(category);
    const [leaving, staying] = [consume(name), consume(name)];
    const expected = await appendTo(category, 10);
    await eventually(() => leaving.messages.length + staying.messages.length === 10);
    await leaving.stop();
    expected.push(...(await appendTo(category, 10)));
    await eventually(() => leaving.messages.length + staying.messages.length === 20);
    await staying.stop();
    expect([...idsOf(leaving.messages), ...idsOf(staying.messages)].sort()).toStrictEqual(expected.sort());
  });

  it('waits, when stopped, for the handlers under way, and starts no more', async () => {
    const category = uniqueName('contract');
    const gate = new Gate();
    let finished = 0;
    const consumer = consume(
      await newGroup(category),
      async () => {
        await gate.opened;
        finished++;
      },
      2,
    );
    await appendTo(category, 6);
    await eventually(() => consumer.messages.length === 2);
    const stopped = consumer.stop().then(() => finished);
    expect(finished).toBe(0);
    gate.open();
    expect(await stopped).toBe(2);
    expect(consumer.messages).toHaveLength(2);
  });

  it('resolves when it is stopped while nothing is waiting', async () => {
    const { messages, stop } = consume(await newGroup(uniqueName('contract')), undefined, 4);
    await stop();
    expect(messages).toStrictEqual([]);
  });

  it('reads by its new filter once that was changed', async () => {
    const [before, after] = [uniqueName('contract'), uniqueName('contract')];
    const name = await newGroup(before);
    const expected = await appendTo(before, 2);
    const first = consume(name);
    await eventually(() => first.messages.length === 2);
    await first.stop();
    await store().ensureGroup(name, { categories: [before, after] });
    expected.push(...(await appendTo(after, 2)), ...(await appendTo(before, 1)));
    const second = consume(name);
    await eventually(() => second.messages.length >= 3);
    await second.stop();
    expect([...idsOf(first.messages), ...idsOf(second.messages)].sort()).toStrictEqual(expected.sort());
  });

  it('handles each of many once in the end, though every tenth fails at first', async () => {
    const category = uniqueName('contract');
    const handled: string[] = [];
    const { stop } = consume(
      await newGroup(category),
      ({ event, retries }) => {
        if (retries === 0 && event.revision % 10 === 0) return failing();
        handled.push(event.id);
      },
      16,
    );
    const expected: string[] = [];
    for (let stream = 0; stream < 10; stream++) expected.push(...(await appendTo(category, 60)));
    await eventually(() => handled.length === expected.length);
    await stop();
    expect(handled.sort()).toStrictEqual(expected.sort());
  });

  it('tells of a new group that nothing is parked and nothing read', async () => {
    const name = await newGroup(uniqueName('contract'));
    expect(await store().groupStatus(name)).toStrictEqual({ name, parked: 0, lastPosition: START_OF_LOG });
  });

  it('can consume and append from inside a handler', async () => {
    const [category, derived] = [uniqueName('contract'), uniqueName('derived')];
    const { messages, stop } = consume(await newGroup(category, derived), async ({ event }) => {
      if (event.stream.includes(derived)) return;
      await store().append(`test.${derived}-${event.id}`, 'no_stream', newEvents(1));
    });
    await appendTo(category, 5);
    await eventually(() => messages.length === 10);
    await stop();
    expect(new Set(idsOf(messages)).size).toBe(10);
  });
}
