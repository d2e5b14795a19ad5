import { refuse } from '../../src/vocabulary/errors';
import {
  MAX_DELIVERIES,
  OutcomeUnknown,
  StoreUnavailable,
  WAITING_MESSAGES_LIMIT,
  type GroupMessage,
} from '../../src/kernel/ports/event-store';
import { eventually, ids, newEvents, uniqueName, uniqueStream } from './contract-support';
import type { EventStoreUnderTest } from './event-store.contract';

const storeAway = (): Error => new StoreUnavailable('the store is away on purpose');
const providerAway = (): Error => refuse('provider_unavailable');
const atFault = (): Error => new Error('the message is at fault on purpose');

/** The fate of messages while a store that their handlers need is away. */
export function outageCases({ store, reopen }: EventStoreUnderTest): void {
  /** A new group and that many events for it in one stream. */
  async function grouped(count: number): Promise<{ readonly name: string; readonly expected: string[] }> {
    const [category, name] = [uniqueName('contract'), uniqueName('group')];
    await store().ensureGroup(name, { categories: [category] });
    const events = newEvents(count);
    await store().append(uniqueStream(category), 'no_stream', events);
    return { name, expected: ids(events) };
  }

  /** Tells of each try, which fails with the error of `fault`; `handled` is in the order of success. */
  function consume(
    name: string,
    fault: (message: GroupMessage) => Error | null | Promise<Error | null>,
    concurrency = 1,
  ) {
    const tries: GroupMessage[] = [];
    const handled: string[] = [];
    const controller = new AbortController();
    const handler = async (message: GroupMessage): Promise<void> => {
      tries.push(message);
      // Errors of stores and networks come after a turn of the event loop.
      await new Promise(resolve => setImmediate(resolve));
      const error = await fault(message);
      if (error) throw error;
      handled.push(message.event.id);
    };
    const consuming = store().consume(name, handler, { concurrency, signal: controller.signal });
    const stop = async (): Promise<void> => {
      controller.abort();
      await consuming;
    };
    return { tries, handled, stop };
  }

  it.each<[string, () => Error]>([
    ['a store is away', storeAway],
    ['an append stays without an answer', () => new OutcomeUnknown('no answer on purpose')],
    ['a provider is away', providerAway],
  ])('parks nothing while %s, however often that is met', async (_, away) => {
    const { name, expected } = await grouped(1);
    const { tries, handled, stop } = consume(name, () => (tries.length <= MAX_DELIVERIES + 2 ? away() : null));
    await eventually(() => handled.length === 1);
    await stop();
    expect(handled).toStrictEqual(expected);
    expect(tries.map(({ retries }) => retries)).toStrictEqual(Array.from({ length: MAX_DELIVERIES + 3 }, () => 0));
    expect((await store().groupStatus(name)).parked).toBe(0);
  });

  it('counts what the message itself did wrong, and no outage between', async () => {
    const { name } = await grouped(1);
    const { tries, stop } = consume(name, () => (tries.length % 2 === 1 ? storeAway() : atFault()));
    await eventually(async () => (await store().groupStatus(name)).parked === 1);
    await stop();
    const counted = Array.from({ length: MAX_DELIVERIES }, (__, failures) => [failures, failures]);
    expect(tries.map(({ retries }) => retries)).toStrictEqual(counted.flat());
  });

  it('begins no later message while a store is away, and goes on in the order of the log', async () => {
    const { name, expected } = await grouped(6);
    const { tries, handled, stop } = consume(name, () => (tries.length <= 5 ? storeAway() : null));
    await eventually(() => handled.length === 6);
    await stop();
    const [first] = expected;
    expect(ids(tries.map(({ event }) => event))).toStrictEqual([first, first, first, first, first, ...expected]);
    expect(handled).toStrictEqual(expected);
  });

  it('lets the others pass while a provider that one of them needs is away', async () => {
    const { name, expected } = await grouped(6);
    const [held, ...others] = expected;
    const isHeld = ({ event }: GroupMessage): boolean => event.id === held && handled.length < others.length;
    const { handled, stop } = consume(name, message => (isHeld(message) ? providerAway() : null));
    await eventually(() => handled.length === 6);
    await stop();
    expect(handled).toStrictEqual([...others, held]);
  });

  it('lets the others pass beside a thousand that wait for a provider', async () => {
    const { name, expected } = await grouped(WAITING_MESSAGES_LIMIT);
    const others = new Set(expected.slice(-8));
    const isHeld = ({ event }: GroupMessage): boolean => !others.has(event.id) && handled.length < others.size;
    const { handled, stop } = consume(name, message => (isHeld(message) ? providerAway() : null), 8);
    await eventually(() => handled.length === expected.length);
    await stop();
    expect(new Set(handled.slice(0, others.size))).toStrictEqual(others);
    expect(handled.sort()).toStrictEqual(expected.sort());
  });

  it('lets the others pass where trying those that wait takes all the time that there is', async () => {
    const { name, expected } = await grouped(72);
    const others = new Set(expected.slice(-8));
    const isHeld = ({ event }: GroupMessage): boolean => !others.has(event.id) && handled.length < others.size;
    const slowly = async (message: GroupMessage): Promise<Error | null> => {
      if (!isHeld(message) || tries.length > 5 * expected.length) return null;
      await new Promise(resolve => setTimeout(resolve, 10));
      return providerAway();
    };
    const { tries, handled, stop } = consume(name, slowly);
    await eventually(() => handled.length === expected.length);
    await stop();
    expect(new Set(handled.slice(0, others.size))).toStrictEqual(others);
  });

  it('lets the others pass beside one that alone finds a store away', async () => {
    const { name, expected } = await grouped(8);
    const [broken, ...others] = expected;
    const { handled, stop } = consume(name, ({ event }) => (event.id === broken ? storeAway() : null), 2);
    await eventually(() => handled.length === others.length);
    await stop();
    expect(handled.sort()).toStrictEqual(others.sort());
    expect((await store().groupStatus(name)).parked).toBe(0);
  });

  it('gives what it held again after stopping, closing and opening in the middle of an outage', async () => {
    const { name, expected } = await grouped(4);
    const first = consume(name, storeAway, 2);
    await eventually(() => first.tries.length >= 4);
    await first.stop();
    await reopen();
    const second = consume(name, () => null);
    await eventually(() => second.handled.length === 4);
    await second.stop();
    expect(second.handled.sort()).toStrictEqual(expected.sort());
    expect(second.tries.map(({ retries }) => retries)).toStrictEqual([0, 0, 0, 0]);
  });
}
