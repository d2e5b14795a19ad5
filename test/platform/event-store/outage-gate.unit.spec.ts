import type { Entropy } from '../../../src/kernel/entropy';
import { judge } from '../../../src/platform/event-store/handler-failure';
import { holdPauseMs, pauseAfter } from '../../../src/platform/event-store/message-pauses';
import { OutageGate } from '../../../src/platform/event-store/outage-gate';
import { StoreUnavailable } from '../../../src/kernel/ports/event-store';
import { refuse } from '../../../src/vocabulary/errors';
import { SteppedClock } from '../../projections/runner/stepped-clock';

/** The pause is the longest with zeros, and the shortest with the number that leaves half. */
const zeros: Entropy = { bytes: count => new Uint8Array(count) };
const number = (value: number): Entropy => ({
  bytes: count => {
    const bytes = Buffer.alloc(count);
    bytes.writeUInt32BE(value);
    return bytes;
  },
});

const LONGEST_PAUSES = [100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 15_000, 15_000, 15_000];

describe('the gate of a group', () => {
  let clock: SteppedClock;
  let gate: OutageGate;
  let openings: number;
  const stop = new AbortController();

  beforeEach(() => {
    clock = new SteppedClock();
    openings = 0;
    gate = new OutageGate(clock, zeros, () => openings++);
  });

  /** Whether it opens after that pause and not before. */
  async function opensAfter(pauseMs: number): Promise<boolean> {
    const before = openings;
    clock.step(pauseMs - 1);
    await Promise.resolve();
    if (gate.isOpen) return false;
    clock.step(1);
    await Promise.resolve();
    return gate.isOpen && openings === before + 1;
  }

  it('opens after pauses that grow to a quarter of a minute', async () => {
    for (const pauseMs of LONGEST_PAUSES) {
      gate.close(stop.signal);
      expect([pauseMs, await opensAfter(pauseMs)]).toStrictEqual([pauseMs, true]);
    }
  });

  it('takes the failures of what was begun before it closed for one', async () => {
    for (let failure = 0; failure < 16; failure++) gate.close(stop.signal);
    expect(await opensAfter(100)).toBe(true);
    gate.close(stop.signal);
    expect(await opensAfter(200)).toBe(true);
  });

  it('begins with a short pause again once what was held has come to its end', async () => {
    for (const pauseMs of [100, 200, 400]) {
      gate.close(stop.signal);
      await opensAfter(pauseMs);
    }
    gate.ended();
    gate.close(stop.signal);
    expect(await opensAfter(100)).toBe(true);
  });

  it('keeps nobody waiting who stops', async () => {
    const stopping = new AbortController();
    gate.close(stopping.signal);
    stopping.abort();
    await Promise.resolve();
    expect(openings).toBe(1);
  });
});

describe('the pause before the next try', () => {
  it.each(LONGEST_PAUSES.map((longestMs, index) => [index + 1, longestMs] as const))(
    'is after outage %d in a row between half of %d ms and the whole',
    (holds, longestMs) => {
      const failure = judge(refuse('provider_unavailable'), 0);
      expect(pauseAfter(failure, holds, zeros)).toBe(longestMs);
      expect(pauseAfter(failure, holds, number(longestMs / 2))).toBe(longestMs / 2);
      expect(pauseAfter(failure, holds, number(longestMs / 2 + 1))).toBe(longestMs);
    },
  );

  it('is a number for an outage that nobody has seen the beginning of', () => {
    expect(holdPauseMs(5_000, zeros)).toBe(15_000);
  });

  it('is none where a store is away, since the gate holds the message', () => {
    expect(pauseAfter(judge(new StoreUnavailable('away'), 3), 7, zeros)).toBe(0);
  });

  it('doubles with each failure of the message itself, to five seconds', () => {
    const pauses = Array.from({ length: 9 }, (_, failures) =>
      pauseAfter(judge(new Error('at fault'), failures), 0, zeros),
    );
    expect(pauses).toStrictEqual([50, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
  });
});

it('parks what failed ten times by itself, and nothing else', () => {
  expect(judge(new Error('at fault'), 8)).toStrictEqual({ fate: 'retried', failures: 9, outage: null });
  expect(judge(new Error('at fault'), 9)).toStrictEqual({ fate: 'parked', failures: 10, outage: null });
  expect(judge(new StoreUnavailable('away'), 9)).toStrictEqual({ fate: 'held', failures: 9, outage: 'engine' });
});
