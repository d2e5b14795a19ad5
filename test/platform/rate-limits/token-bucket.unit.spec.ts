import { TokenBucket } from '../../../src/platform/rate-limits/token-bucket';

const NOW = Date.parse('2026-11-01T12:00:00.000Z');

it('holds two seconds of its rate, and fills at its rate', () => {
  const bucket = new TokenBucket(100);
  const empty = bucket.after(0, 200, NOW);
  expect(bucket.stateAt(0, NOW)).toEqual({
    allowed: true,
    limit: 200,
    remaining: 200,
    resetSeconds: 0,
    retryAfterSeconds: 0,
  });
  expect(bucket.stateAt(empty, NOW)).toEqual({
    allowed: false,
    limit: 200,
    remaining: 0,
    resetSeconds: 2,
    retryAfterSeconds: 1,
  });
  expect(bucket.stateAt(empty, NOW + 9).allowed).toBe(false);
  expect(bucket.stateAt(empty, NOW + 10)).toMatchObject({ allowed: true, remaining: 1, resetSeconds: 2 });
  expect(bucket.stateAt(empty, NOW + 2_000)).toMatchObject({ remaining: 200, resetSeconds: 0 });
});

it('holds whole tokens at a rate that divides no second', () => {
  const bucket = new TokenBucket(3);
  expect(bucket.stateAt(bucket.after(0, 5, NOW), NOW)).toMatchObject({ allowed: true, limit: 6, remaining: 1 });
  expect(bucket.stateAt(bucket.after(0, 6, NOW), NOW).allowed).toBe(false);
});

it('tells how long a debt is waited off', () => {
  const bucket = new TokenBucket(10);
  expect(bucket.stateAt(bucket.after(0, 50, NOW), NOW)).toMatchObject({
    remaining: 0,
    resetSeconds: 5,
    retryAfterSeconds: 4,
  });
});

it.each([0, -1, 1.5, Number.NaN, 100_001])('refuses a rate of %p', perSecond => {
  expect(() => new TokenBucket(perSecond)).toThrow(expect.objectContaining({ code: 'invalid_rate_limit' }));
});
