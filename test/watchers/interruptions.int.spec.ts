import { MINUTE_MS } from '../../src/kernel/clock';
import { refuse } from '../../src/vocabulary/errors';
import { StoreUnavailable } from '../../src/kernel/ports/event-store';
import { NOON, PaymentFixture } from '../support/payment-fixture';

const MINUTES = 5;

/** The log lines of a watcher in five minutes in which each tick, and each look at the set-aside places, ends so. */
async function linesWhile(error: Error): Promise<readonly { readonly level: string; readonly message: string }[]> {
  const fixture = new PaymentFixture();
  const stopping = new AbortController();
  fixture.clock.wait = async delayMs => {
    fixture.clock.timeMs += delayMs;
    if (fixture.clock.timeMs - NOON >= MINUTES * MINUTE_MS) stopping.abort();
    await Promise.resolve();
  };
  const watcher = await fixture.watcher();
  fixture.chain.head = () => Promise.reject(error);
  fixture.readModels.list = () => Promise.reject(error);
  await watcher.run(stopping.signal);
  return fixture.log.lines;
}

const ofLevel = (lines: readonly { readonly level: string; readonly message: string }[], level: string) =>
  lines.filter(line => line.level === level && !line.message.includes('behind its chain'));

describe('a watcher that is interrupted', () => {
  it.each([
    ['a store', new StoreUnavailable('read of $all: unavailable')],
    ['a provider', refuse('provider_unavailable')],
  ])('by an outage of %s warns once, and at most once a minute after that', async (_, error) => {
    const lines = await linesWhile(error);
    expect(ofLevel(lines, 'error')).toStrictEqual([]);
    for (const message of new Set(lines.map(line => line.message))) {
      const { length } = lines.filter(line => line.message === message);
      expect([message, length <= MINUTES]).toStrictEqual([message, true]);
    }
    expect(ofLevel(lines, 'warn').map(({ message }) => message)).toContain('watching was interrupted');
  });

  it('by a fault of its own says so each time, as an error', async () => {
    const told = ofLevel(await linesWhile(new TypeError('no such field')), 'error');
    expect(told.length).toBeGreaterThan(MINUTES);
    expect(new Set(told.map(({ message }) => message))).toContain('watching was interrupted');
  });
});
