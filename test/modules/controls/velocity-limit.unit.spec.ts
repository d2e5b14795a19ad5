import { velocityLimits } from '../../../src/modules/controls/velocity-limit.decider';
import { velocitySubjectOf } from '../../../src/modules/controls/velocity-limit-terms';
import type { VelocityLimitEvent } from '../../../src/modules/controls/velocity-limit.events';
import {
  countsAt,
  hasRoom,
  NOTHING_COUNTED,
  roomInMs,
  withCount,
  type Counts,
} from '../../../src/modules/controls/velocity-window';
import { isRefusal } from '../../../src/vocabulary/errors';
import { given } from '../../support/given-when-then';

const CONTEXT = { actor: { role: 'admin', type: 'admin', id: 'adm_1' }, now: 0 } as const;
const LIMIT = { windowMs: 60_000, maxCount: 3, maxAmountUsdMinorUnits: 1_000n };
const set: VelocityLimitEvent = {
  type: 'VelocityLimitSet',
  data: { subject: 'merchant', window_ms: 60_000, max_count: 3, max_amount_usd_minor_units: '1000' },
};
const lifted: VelocityLimitEvent = { type: 'VelocityLimitLifted', data: { subject: 'merchant', reason: 'Enough.' } };
const setting = (changes: object = {}) =>
  ({ type: 'set', subject: 'merchant', limit: { ...LIMIT, ...changes } }) as const;
const lifting = { type: 'lift', subject: 'merchant', reason: 'Enough.' } as const;

describe('a velocity limit', () => {
  it('is set once, lifted once, and set again', () => {
    given(velocityLimits, []).when(lifting, CONTEXT).then([]);
    given(velocityLimits, []).when(setting(), CONTEXT).then([set]);
    given(velocityLimits, [set]).when(setting(), CONTEXT).then([]);
    given(velocityLimits, [set]).when(lifting, CONTEXT).then([lifted]);
    given(velocityLimits, [set, lifted]).when(lifting, CONTEXT).then([]);
    given(velocityLimits, [set, lifted]).when(setting(), CONTEXT).then([set]);
  });

  it('takes the place of the former one', () => {
    given(velocityLimits, [set])
      .when(setting({ maxCount: 4 }), CONTEXT)
      .then([{ ...set, data: { ...set.data, max_count: 4 } }]);
  });

  it.each([
    [{ windowMs: 999 }, 'invalid_velocity_window'],
    [{ windowMs: 1_000.5 }, 'invalid_velocity_window'],
    [{ windowMs: 31 * 86_400_000 + 1 }, 'invalid_velocity_window'],
    [{ windowMs: 0, maxCount: -1 }, 'invalid_velocity_window'],
    [{ maxCount: -1 }, 'invalid_velocity_limits'],
    [{ maxCount: 0.5 }, 'invalid_velocity_limits'],
    [{ maxAmountUsdMinorUnits: -1n }, 'invalid_velocity_limits'],
    [{ maxAmountUsdMinorUnits: 10n ** 30n }, 'invalid_velocity_limits'],
  ] as const)('of %j is refused with %s', (changes, code) => {
    given(velocityLimits, []).when(setting(changes), CONTEXT).thenRefused(code);
  });

  it.each(['merchant', 'wallet', 'payer_address'])('is set for each %s', subject => {
    expect(velocitySubjectOf(subject)).toBe(subject);
  });

  it('is set for nothing else: invalid_velocity_subject', () => {
    try {
      velocitySubjectOf('country');
    } catch (error) {
      expect(isRefusal(error, 'invalid_velocity_subject')).toBe(true);
    }
    expect.assertions(1);
  });
});

describe('a window', () => {
  const paid = (name: string, nowMs: number, amountUsdMinorUnits = 1n) => ({ name, nowMs, amountUsdMinorUnits });
  const counted = (times: readonly number[]) =>
    times.reduce<Counts>((counts, at) => withCount(counts, LIMIT, paid(`at ${at}`, at)), NOTHING_COUNTED);

  it('counts a payment until all of its slice has left, and tells when there is room again', () => {
    const counts = counted([500_000, 500_100, 530_000]);
    expect(hasRoom(counts, LIMIT, paid('more', 559_999))).toBe(false);
    expect(roomInMs(counts, LIMIT, paid('more', 559_999))).toBe(1_001);
    const later = countsAt(counts, LIMIT, 561_000);
    expect(later.slices).toEqual([{ from: 530_000, to: 531_000, count: 1, amount: '1' }]);
    expect(hasRoom(later, LIMIT, paid('more', 561_000))).toBe(true);
  });

  it('counts dollars beside payments', () => {
    const counts = withCount(NOTHING_COUNTED, LIMIT, paid('first', 500_000, 600n));
    expect(hasRoom(counts, LIMIT, paid('second', 510_000, 400n))).toBe(true);
    expect(hasRoom(counts, LIMIT, paid('second', 510_000, 401n))).toBe(false);
    expect(roomInMs(counts, LIMIT, paid('second', 510_000, 401n))).toBe(51_000);
    expect(roomInMs(counts, LIMIT, paid('too much', 510_000, 1_001n))).toBeNull();
  });

  it('never lets more through than the limit, in any span of its length', () => {
    let counts: Counts = NOTHING_COUNTED;
    const through: number[] = [];
    for (let now = 1_000_000; now < 1_400_000; now += 7_001) {
      counts = countsAt(counts, LIMIT, now);
      if (!hasRoom(counts, LIMIT, paid(`${now}`, now))) continue;
      counts = withCount(counts, LIMIT, paid(`${now}`, now));
      through.push(now);
    }
    for (const from of through)
      expect(through.filter(at => at >= from && at < from + LIMIT.windowMs).length).toBeLessThanOrEqual(3);
    expect(through.length).toBeGreaterThanOrEqual(18);
    expect(counts.slices.length).toBeLessThanOrEqual(3);
  });

  it('stays small, however many are counted', () => {
    const wide = { ...LIMIT, maxCount: 1_000_000 };
    let counts: Counts = NOTHING_COUNTED;
    for (let each = 0; each < 5_000; each++) {
      const now = 1_000_000 + each * 37;
      counts = withCount(countsAt(counts, wide, now), wide, paid(`pi_${each}`, now));
    }
    expect(counts.slices.length).toBeLessThanOrEqual(61);
    expect(counts.names).toHaveLength(64);
    expect(counts.names.at(-1)).toBe('pi_4999');
  });
});
