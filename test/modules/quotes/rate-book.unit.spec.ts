import type { Clock } from '../../../src/kernel/clock';
import { isoTime } from '../../../src/kernel/clock';
import { refuse } from '../../../src/vocabulary/errors';
import type { Entropy } from '../../../src/kernel/entropy';
import type { Log } from '../../../src/kernel/ports/log';
import type { RateObservation, RateSource } from '../../../src/kernel/ports/rate-source';
import { createLogger } from '../../../src/platform/logging/logger';
import { RateBook } from '../../../src/modules/quotes/rate-book';

const REFRESH_INTERVAL_MS = 20_000;
const REFRESH_JITTER_MS = 10_000;
const SOURCE_TIMEOUT_MS = 10_000;

type Waiter = { readonly dueMs: number; readonly wake: () => void };

/** The clock stands still until it is moved on; a waiting caller is woken when its time has come. */
class HandClock implements Clock {
  private nowMs = 1_790_000_000_000;
  private readonly waiters = new Set<Waiter>();

  now(): number {
    return this.nowMs;
  }

  wait(delayMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const waiter = { dueMs: this.nowMs + delayMs, wake: resolve };
      this.waiters.add(waiter);
      const stop = (): void => {
        this.waiters.delete(waiter);
        resolve();
      };
      if (signal?.aborted) stop();
      signal?.addEventListener('abort', stop, { once: true });
    });
  }

  get waiting(): number {
    return this.waiters.size;
  }

  async advance(byMs: number): Promise<void> {
    this.nowMs += byMs;
    for (const waiter of [...this.waiters]) {
      if (waiter.dueMs > this.nowMs) continue;
      this.waiters.delete(waiter);
      waiter.wake();
    }
    await allDone();
  }
}

async function allDone(): Promise<void> {
  await new Promise(resolve => setImmediate(resolve));
}

class RecordingLog implements Log {
  readonly lines: string[] = [];
  info(facts: object, message: string): void {
    this.lines.push(`info ${(facts as { source: string }).source}: ${message}`);
  }
  warn(facts: object, message: string): void {
    this.lines.push(`warn ${(facts as { source: string }).source}: ${message}`);
  }
  error(facts: object, message: string): void {
    this.lines.push(`error ${(facts as { source: string }).source}: ${message}`);
  }
}

class ScriptedSource implements RateSource {
  readonly freshForMs = 60_000;
  asked = 0;
  signal: AbortSignal | null = null;
  answer: () => Promise<Readonly<Record<string, string>>> = async () => ({ USD: '1', EUR: '1.08' });

  constructor(
    readonly name: string,
    readonly family: string,
    readonly currencies: readonly string[],
    private readonly clock: Clock,
    private readonly asset: RateObservation['asset'] = 'USDT',
  ) {}

  async observe(signal: AbortSignal): Promise<readonly RateObservation[]> {
    this.asked++;
    this.signal = signal;
    const rates = await this.answer();
    return Object.entries(rates).map(([currency, rate]) => {
      const observed_at = isoTime(this.clock.now());
      return { source: this.name, family: this.family, asset: this.asset, currency, rate, observed_at };
    });
  }
}

let chance = 0;
const entropy: Entropy = {
  bytes: count => {
    const bytes = Buffer.alloc(count);
    bytes.writeUInt32BE(chance);
    return bytes;
  },
};

function given() {
  chance = 0;
  const clock = new HandClock();
  const log = new RecordingLog();
  const a = new ScriptedSource('a', 'a', ['USD', 'EUR', 'GBP'], clock);
  const b = new ScriptedSource('b', 'b', ['EUR', 'USD', 'JPY'], clock);
  const book = new RateBook({ test: [], live: [a, b] }, clock, log, entropy);
  return { clock, log, a, b, book };
}

const refusal = (code: string): Error => expect.objectContaining({ code });

test('quotes from what the sources last said, without asking them', async () => {
  const { a, book } = given();
  await book.refresh();
  expect(book.quote('live', 'USDT', 'EUR')).toMatchObject({
    rate: '1.08',
    observations: [{ source: 'a' }, { source: 'b' }],
  });
  expect(a.asked).toBe(1);
});

test('has no rate before the first refresh, and none for another mode', async () => {
  const { book } = given();
  expect(() => book.quote('live', 'USDT', 'EUR')).toThrow(refusal('insufficient_rate_sources'));
  await book.refresh();
  expect(() => book.quote('test', 'USDT', 'EUR')).toThrow(refusal('insufficient_rate_sources'));
});

test('lists what two families quote, whether or not they answer', () => {
  const { book, clock, log } = given();
  expect(book.listedCurrencies('live')).toEqual(['EUR', 'USD']);
  expect([book.isListed('live', 'EUR'), book.isListed('live', 'GBP'), book.isListed('test', 'EUR')]).toEqual([
    true,
    false,
    false,
  ]);
  const twins = ['x', 'y'].map(name => new ScriptedSource(name, 'one family', ['EUR'], clock));
  expect(new RateBook({ test: twins, live: [] }, clock, log, entropy).listedCurrencies('test')).toEqual([]);
});

test('two sources of one name and unknown currencies are refused at once', () => {
  const { clock, log, a } = given();
  for (const sources of [
    { test: [a, a], live: [] },
    { test: [], live: [a, a] },
  ])
    expect(() => new RateBook(sources, clock, log, entropy)).toThrow('the same name');
  const odd = new ScriptedSource('odd', 'odd', ['XYZ'], clock);
  expect(() => new RateBook({ test: [odd], live: [] }, clock, log, entropy)).toThrow('XYZ');
});

test('a failing source is logged once a change, and its last observation ages', async () => {
  const { clock, log, a, book } = given();
  await book.refresh();
  const answer = a.answer;
  a.answer = () => Promise.reject(refuse('provider_unavailable'));
  await clock.advance(30_000);
  await book.refresh();
  await book.refresh();
  expect(log.lines).toEqual(['warn a: rate source fails']);
  expect(book.quote('live', 'USDT', 'EUR').rate).toBe('1.08');
  await clock.advance(30_001);
  await book.refresh();
  expect(() => book.quote('live', 'USDT', 'EUR')).toThrow(refusal('insufficient_rate_sources'));
  a.answer = () => Promise.reject(refuse('provider_response_invalid'));
  await book.refresh();
  a.answer = answer;
  await book.refresh();
  await book.refresh();
  expect(log.lines.slice(1)).toEqual(['warn a: rate source fails', 'info a: rate source answers again']);
  expect(book.quote('live', 'USDT', 'EUR').rate).toBe('1.08');
});

test('a source of both modes is told of once, while it fails in either of them', async () => {
  const { clock, log, a } = given();
  const twin = new ScriptedSource('a', 'a', ['EUR'], clock);
  const book = new RateBook({ test: [a], live: [twin] }, clock, log, entropy);
  const { answer } = a;
  a.answer = twin.answer = () => Promise.reject(refuse('provider_unavailable'));
  await book.refresh();
  a.answer = answer;
  await book.refresh();
  expect(log.lines).toEqual(['warn a: rate source fails']);
  twin.answer = answer;
  await book.refresh();
  expect(log.lines.slice(1)).toEqual(['info a: rate source answers again']);
});

test('a source that cannot be reached is told of in one line, without a stack', async () => {
  const { clock, a, b } = given();
  const lost = new TypeError('fetch failed', { cause: new Error('getaddrinfo EAI_AGAIN rates.example') });
  a.answer = () => Promise.reject(refuse('provider_unavailable', { message: 'a gave no answer.', cause: lost }));
  b.answer = () => Promise.reject(new TypeError('a bug of ours'));
  const lines: string[] = [];
  const logger = createLogger({ level: 'info' }, { write: line => void lines.push(line) });
  await new RateBook({ test: [a, b], live: [] }, clock, logger, entropy).refresh();
  const [unreachable, broken] = lines.map(line => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toHaveLength(2);
  expect(unreachable).toMatchObject({
    source: 'a',
    code: 'provider_unavailable',
    reason: 'a gave no answer: fetch failed: getaddrinfo EAI_AGAIN rates.example',
  });
  expect(lines[0]).not.toContain('    at ');
  expect(broken).toMatchObject({ source: 'b', err: { stack: expect.stringContaining('    at ') as string } });
});

test('a currency that a source stops quoting ages, the others stay fresh', async () => {
  const { clock, a, b, book } = given();
  await book.refresh();
  a.answer = b.answer = async () => ({ USD: '1' });
  await clock.advance(60_001);
  await book.refresh();
  expect(book.quote('live', 'USDT', 'USD').rate).toBe('1');
  expect(() => book.quote('live', 'USDT', 'EUR')).toThrow(refusal('insufficient_rate_sources'));
});

test('a source that hangs is given up after its time, and the others count', async () => {
  const { clock, log, a, b, book } = given();
  a.answer = () => new Promise(() => undefined);
  const refreshed = book.refresh();
  await allDone();
  await clock.advance(SOURCE_TIMEOUT_MS);
  await refreshed;
  expect(a.signal?.aborted).toBe(true);
  expect(log.lines).toEqual(['warn a: rate source fails']);
  expect(b.asked).toBe(1);
  expect(clock.waiting).toBe(0);
});

test('who is told to stop before the sources are asked waits for none of them', async () => {
  const { log, a, book } = given();
  a.answer = () => new Promise(() => undefined);
  await book.refresh(AbortSignal.abort());
  expect(log.lines).toEqual([]);
});

test('crosses a central bank’s rate with a dollar rate, in either mode', async () => {
  const { clock, log, a } = given();
  a.answer = async () => ({ GBP: '1.25' });
  const dollars = new ScriptedSource('b', 'b', ['USD'], clock);
  const bank = new ScriptedSource('ecb', 'central_bank', ['GBP'], clock, 'USD');
  dollars.answer = async () => ({ USD: '1' });
  bank.answer = async () => ({ GBP: '1.25' });
  for (const mode of ['test', 'live'] as const) {
    const book = new RateBook({ test: [], live: [], [mode]: [a, dollars, bank] }, clock, log, entropy);
    await book.refresh();
    expect(book.quote(mode, 'USDT', 'GBP')).toMatchObject({
      rate: '1.25',
      observations: [{ source: 'a' }, { source: 'b' }, { source: 'ecb' }],
    });
  }
});

test('a source that throws at once is a failure like any other', async () => {
  const { log, a, book } = given();
  a.observe = () => {
    throw new TypeError('broken');
  };
  await book.refresh();
  expect(log.lines).toEqual(['warn a: rate source fails']);
});

test('asks every 20 seconds, and up to ten later by chance, until it is stopped, even while a source is asked', async () => {
  const { clock, log, a, book } = given();
  const stop = new AbortController();
  const run = book.run(stop.signal);
  await clock.advance(REFRESH_INTERVAL_MS - 1);
  expect(a.asked).toBe(0);
  chance = REFRESH_JITTER_MS;
  await clock.advance(1);
  expect(a.asked).toBe(1);
  await clock.advance(REFRESH_INTERVAL_MS + REFRESH_JITTER_MS - 1);
  expect(a.asked).toBe(1);
  chance = REFRESH_JITTER_MS + 1;
  await clock.advance(1);
  expect(a.asked).toBe(2);
  a.answer = () => new Promise(() => undefined);
  await clock.advance(REFRESH_INTERVAL_MS);
  expect(a.asked).toBe(3);
  stop.abort();
  await run;
  expect(log.lines).toEqual([]);
  expect(clock.waiting).toBe(0);
});

test('a source that hangs does not keep the others waiting for their next turn', async () => {
  const { clock, a, b, book } = given();
  const stop = new AbortController();
  const run = book.run(stop.signal);
  a.answer = () => new Promise(() => undefined);
  await clock.advance(REFRESH_INTERVAL_MS);
  expect([a.asked, b.asked]).toEqual([1, 1]);
  // The one is given up after ten seconds and waits its twenty from then on.
  await clock.advance(SOURCE_TIMEOUT_MS);
  await clock.advance(REFRESH_INTERVAL_MS - SOURCE_TIMEOUT_MS);
  expect([a.asked, b.asked]).toEqual([1, 2]);
  await clock.advance(SOURCE_TIMEOUT_MS);
  expect([a.asked, b.asked]).toEqual([2, 2]);
  stop.abort();
  await run;
  expect([a.asked, b.asked]).toEqual([2, 2]);
});

test('says once which pairs a source has begun to leave out', async () => {
  const { log, a, book } = given();
  await book.refresh();
  const { answer } = a;
  a.answer = async () => ({ USD: '1' });
  await book.refresh();
  const told = ['warn a: rate source leaves out pairs that it gave before'];
  expect(log.lines).toEqual(told);
  await book.refresh();
  a.answer = answer;
  await book.refresh();
  expect(log.lines).toEqual(told);
});

test('lists a currency of one family and a central bank where a third has the dollar rate', () => {
  const { clock, log, a, b } = given();
  const bank = new ScriptedSource('ecb', 'central_bank', ['GBP', 'JPY', 'NOK'], clock);
  const others = [new ScriptedSource('a', 'a', ['USD', 'GBP'], clock), new ScriptedSource('b', 'b', ['JPY'], clock)];
  const book = new RateBook({ test: [a, b, bank], live: [...others, bank] }, clock, log, entropy);
  expect(book.listedCurrencies('test')).toEqual(['EUR', 'GBP', 'JPY', 'USD']);
  // Among the sources of GBP, only `a` itself has the dollar rate; NOK has the central bank alone.
  expect(book.listedCurrencies('live')).toEqual(['JPY']);
});

test('judges rates once, and anew when another one comes', async () => {
  const { a, book } = given();
  await book.refresh();
  const quote = book.quote('live', 'USDT', 'EUR');
  expect(book.quote('live', 'USDT', 'EUR')).toBe(quote);
  a.answer = async () => ({ USD: '1', EUR: '1.09' });
  await book.refresh();
  expect(book.quote('live', 'USDT', 'EUR').rate).toBe('1.085');
  a.answer = async () => ({ USD: '1', EUR: '1.2' });
  await book.refresh();
  const refused = [0, 1].map(() => {
    try {
      return book.quote('live', 'USDT', 'EUR');
    } catch (error) {
      return error;
    }
  });
  expect(refused[0]).toEqual(refusal('rate_divergence'));
  expect(refused[1]).toBe(refused[0]);
});

test('a verdict ends with the freshness of its oldest rate, and where the clock goes back', async () => {
  const { clock, a, book } = given();
  await book.refresh();
  a.answer = () => Promise.reject(refuse('provider_unavailable'));
  await clock.advance(10_000);
  await book.refresh();
  await clock.advance(50_000);
  const quote = book.quote('live', 'USDT', 'EUR');
  await clock.advance(1);
  expect(() => book.quote('live', 'USDT', 'EUR')).toThrow(refusal('insufficient_rate_sources'));
  await clock.advance(-1);
  expect(book.quote('live', 'USDT', 'EUR')).toEqual(quote);
  // Now the rate of `b` is further ahead of the clock than it may be old.
  await clock.advance(-50_000 - 60_001);
  expect(() => book.quote('live', 'USDT', 'EUR')).toThrow(refusal('insufficient_rate_sources'));
});

it('tells how each source answers', async () => {
  const { book, clock, a } = given();
  expect(book.health('live')[0]).toMatchObject({ source: 'a', newest_at: null, is_fresh: false, failure: null });
  await book.refresh();
  expect(book.health('live')[0]).toMatchObject({
    ...{ source: 'a', family: 'a', currencies: 3, is_fresh: true, failure: null, missing_pairs: [] },
    newest_at: isoTime(clock.now()),
  });
  a.answer = () => Promise.reject(refuse('provider_unavailable'));
  await book.refresh();
  expect(book.health('live')[0]).toMatchObject({ is_fresh: true, failure: 'provider_unavailable' });
  expect(book.health('test')).toEqual([]);
});
