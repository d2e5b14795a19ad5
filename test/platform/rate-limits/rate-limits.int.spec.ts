import { RATE_LIMIT_BUCKETS, RateLimits } from '../../../src/platform/rate-limits/rate-limits';
import { MemoryDocuments } from '../../support/memory-documents';
import { ManualClock, NOON } from '../../support/payment-fixture';

const RATES = { write: 100, read: 200, address: 20 };
const BURST = 200;

let clock: ManualClock;
let documents: MemoryDocuments;

beforeEach(() => {
  clock = new ManualClock(NOON);
  documents = new MemoryDocuments();
});

const open = () => RateLimits.open(documents, clock, RATES);

/** The number of admitted requests among `count`. */
function admitted(limits: RateLimits, count: number, subject = 'key_1'): number {
  return Array.from({ length: count }, () => limits.take('write', subject).allowed).filter(Boolean).length;
}

it('counts each subject and each kind of request by itself', async () => {
  const limits = await open();
  expect(admitted(limits, 250)).toBe(BURST);
  expect(limits.take('write', 'key_1')).toMatchObject({ allowed: false, remaining: 0, retryAfterSeconds: 1 });
  expect(limits.take('read', 'key_1')).toMatchObject({ allowed: true, limit: 400, remaining: 399 });
  expect(limits.take('write', 'key_2').allowed).toBe(true);
  expect(limits.look('write', 'key_2').remaining).toBe(BURST - 1);
  expect(limits.look('write', 'key_3').remaining).toBe(BURST);
});

it('takes no subject too long to be stored, which would keep all others from being shared', async () => {
  const limits = await open();
  expect(() => limits.take('form', 'x'.repeat(129))).toThrow('a form limit has a subject of 129 characters');
  expect(limits.take('form', 'x'.repeat(128)).allowed).toBe(true);
});

it('keeps one instance at its rate, shared or not', async () => {
  const limits = await open();
  admitted(limits, BURST);
  for (let second = 0; second < 10; second++) {
    await limits.share();
    clock.timeMs += 1_000;
    expect(admitted(limits, 500)).toBe(100);
  }
});

it('costs a slow client nothing by being shared', async () => {
  const limits = await open();
  for (let second = 0; second < 5; second++) {
    admitted(limits, 50);
    clock.timeMs += 500;
    await limits.share();
    clock.timeMs += 500;
    expect(limits.look('write', 'key_1').remaining).toBe(BURST);
  }
});

it('lets instances know of each other within a round, and all wait off what was too much', async () => {
  const [one, other] = [await open(), await open()];
  expect(admitted(one, 300) + admitted(other, 300)).toBe(2 * BURST);
  await one.share();
  await other.share();
  clock.timeMs += 1_000;
  // The second knows of 400 tokens taken, of which 100 have come again; the first learns of it with its next request.
  expect(other.look('write', 'key_1')).toMatchObject({ allowed: false, remaining: 0, retryAfterSeconds: 2 });
  let total = 2 * BURST;
  for (let second = 0; second < 30; second++) {
    total += admitted(one, 300) + admitted(other, 300);
    await Promise.all([one.share(), other.share()]);
    clock.timeMs += 1_000;
  }
  // 31 seconds at 100 a second, the bucket that stood full at the start, and each instance's second of ignorance.
  expect(total).toBeLessThanOrEqual(31 * 100 + BURST + 2 * 300);
});

it('loses no token where many share at once', async () => {
  const instances = await Promise.all(Array.from({ length: 4 }, open));
  for (const instance of instances) admitted(instance, 10);
  for (let round = 0; round < 4; round++) await Promise.all(instances.map(instance => instance.share()));
  const [document] = await (
    await documents.open<{ full_at_us: number }>(RATE_LIMIT_BUCKETS)
  ).list({ index: 'by_full_at', equals: {}, limit: 10 });
  expect(document?.body.full_at_us).toBe((NOON + 40 * 10) * 1_000);
});

it('keeps what it took while the store is away, and throws for its caller to try again', async () => {
  const limits = await open();
  admitted(limits, 50);
  const collection = await documents.open(RATE_LIMIT_BUCKETS);
  const get = jest.spyOn(Object.getPrototypeOf(collection) as typeof collection, 'get');
  get.mockRejectedValueOnce(new Error('away'));
  await expect(limits.share()).rejects.toThrow('away');
  await limits.share();
  expect(await collection.count()).toBe(1);
  expect(limits.look('write', 'key_1').remaining).toBe(150);
});

it('clears away what is full again', async () => {
  const limits = await open();
  admitted(limits, 5);
  await limits.share();
  const collection = await documents.open(RATE_LIMIT_BUCKETS);
  expect(await collection.count()).toBe(1);
  clock.timeMs += 62_000;
  await limits.share();
  expect(await collection.count()).toBe(0);
});

it('locks nobody out for longer than a full bucket after its clock was ahead and was set back', async () => {
  clock.timeMs = NOON + 86_400_000;
  const limits = await open();
  admitted(limits, BURST);
  await limits.share();
  clock.timeMs = NOON;
  expect(limits.look('write', 'key_1')).toMatchObject({ remaining: 0, retryAfterSeconds: 1 });
  admitted(limits, 1);
  clock.timeMs += 1_000;
  expect(admitted(limits, 500)).toBe(100);
  await limits.share();
  // Another instance learns the same from the documents.
  const other = await open();
  clock.timeMs += 2_000;
  expect(admitted(other, 1)).toBe(1);
  await other.share();
  expect(admitted(other, 500)).toBeGreaterThan(90);
});

it('believes no document of a clock that was ahead', async () => {
  clock.timeMs = NOON + 86_400_000;
  const limits = await open();
  admitted(limits, BURST);
  await limits.share();
  clock.timeMs = NOON;
  const restarted = await open();
  expect(admitted(restarted, 1)).toBe(1);
  await restarted.share();
  clock.timeMs += 3_000;
  expect(admitted(restarted, 500)).toBeGreaterThanOrEqual(100);
});
