import { isRefusal } from '../../src/vocabulary/errors';
import { canonicalTimestamp, timeRange } from '../../src/kernel/timestamp';

function outcome(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    if (isRefusal(error)) return [error.code, error.param];
    throw error;
  }
}

describe('a timestamp from a client', () => {
  it.each([
    ['2026-11-01T12:00:00.000Z', '2026-11-01T12:00:00.000Z'],
    ['2026-11-01T12:00:00Z', '2026-11-01T12:00:00.000Z'],
    ['2028-02-29T23:59:59.5Z', '2028-02-29T23:59:59.500Z'],
  ])('%s is stored as %s', (text, stored) => {
    expect(canonicalTimestamp(text, 'x')).toBe(stored);
  });

  it.each([
    ['2026-02-29T12:00:00Z'], ['2026-02-30T12:00:00Z'], ['2026-11-01'], ['2026-11-01T12:00:00'], ['2026-11-01T12:00:00+01:00'],
    ['2026-11-01 12:00:00Z'], ['2026-13-01T12:00:00Z'], ['2026-11-01T24:00:00Z'], ['2026-11-01T12:00:60Z'], ['1793534400'], [''], ['now'],
  ])('%s is refused', text => {
    expect(outcome(() => canonicalTimestamp(text, 'created_from'))).toStrictEqual(['invalid_timestamp', 'created_from']);
  }); // prettier-ignore
});

describe('a range of times', () => {
  const early = '2026-11-01T12:00:00.000Z';
  const late = '2026-11-02T12:00:00.000Z';
  const range = (from?: string, to?: string) =>
    outcome(() => timeRange({ text: from, param: 'created_from' }, { text: to, param: 'created_to' }));

  it('is open at the ends that are not given', () => {
    expect(range()).toBeUndefined();
    expect(range(early)).toStrictEqual({ from: early });
    expect(range(undefined, late)).toStrictEqual({ to: late });
    expect(range(early, late)).toStrictEqual({ from: early, to: late });
    expect(range(early, early)).toStrictEqual({ from: early, to: early });
  });

  it('is refused when reversed or malformed, naming the end', () => {
    expect(range(late, early)).toStrictEqual(['invalid_range', 'created_from']);
    expect(range(early, 'soon')).toStrictEqual(['invalid_timestamp', 'created_to']);
  });
});
