import { DAY_MS, HOUR_MS } from '../../../src/kernel/clock';
import { CustomerMailQuota, DAYS_AHEAD, MAILS_A_DAY } from '../../../src/processes/notices/customer-mail-quota';
import { MemoryDocuments } from '../../support/memory-documents';
import { ManualClock, MERCHANT, NOON } from '../../support/payment-fixture';

const MIDNIGHT = NOON + 12 * HOUR_MS;

let clock: ManualClock;
let quota: CustomerMailQuota;

beforeEach(async () => {
  clock = new ManualClock(NOON);
  quota = await CustomerMailQuota.open(new MemoryDocuments(), clock);
});

async function takeAll(mails: number): Promise<(number | null)[]> {
  const due = [];
  for (let each = 0; each < mails; each++) due.push((await quota.take('test', MERCHANT))?.dueMs ?? null);
  return due;
}
const each = (count: number, value: number) => new Array<number>(count).fill(value);

it('gives each day its mails, and the next day those beyond', async () => {
  const limit = MAILS_A_DAY.test;
  expect(await takeAll(limit)).toEqual(each(limit, NOON));
  expect(await quota.waitSeconds('test', MERCHANT)).toBe(12 * 3_600);
  expect(await quota.waitSeconds('live', MERCHANT)).toBeNull();
  expect(await quota.take('test', MERCHANT)).toEqual({ dueMs: MIDNIGHT, opensDay: true });
  expect(await quota.take('test', MERCHANT)).toEqual({ dueMs: MIDNIGHT, opensDay: false });
  clock.timeMs = MIDNIGHT;
  expect(await quota.waitSeconds('test', MERCHANT)).toBeNull();
  expect(await takeAll(limit - 2)).toEqual(each(limit - 2, MIDNIGHT));
  expect(await quota.take('test', MERCHANT)).toEqual({ dueMs: MIDNIGHT + DAY_MS, opensDay: true });
});

it('has no room once a week is full, and room again the next day', async () => {
  const week = await takeAll(MAILS_A_DAY.test * (DAYS_AHEAD + 1));
  expect(week.at(-1)).toBe(MIDNIGHT + (DAYS_AHEAD - 1) * DAY_MS);
  expect(await takeAll(1)).toEqual([null]);
  clock.timeMs += DAY_MS;
  expect(await takeAll(1)).toEqual([MIDNIGHT + DAYS_AHEAD * DAY_MS]);
});

it('does not wait for a day that a clock was ahead for', async () => {
  clock.timeMs += 365 * DAY_MS;
  await takeAll(MAILS_A_DAY.test);
  clock.timeMs = NOON;
  expect(await quota.waitSeconds('test', MERCHANT)).toBeNull();
  expect(await takeAll(1)).toEqual([NOON]);
});

it('counts all that come at once', async () => {
  await takeAll(MAILS_A_DAY.test - 5);
  const rooms = await Promise.all(Array.from({ length: 10 }, () => quota.take('test', MERCHANT)));
  expect(rooms.filter(room => room?.dueMs === NOON)).toHaveLength(5);
  expect(rooms.filter(room => room?.opensDay)).toHaveLength(1);
});
