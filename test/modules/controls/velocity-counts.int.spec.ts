import { VELOCITY_COUNTS, VelocityCounts, type Subject } from '../../../src/modules/controls/velocity-counts';
import { isRefusal, refuse } from '../../../src/vocabulary/errors';
import { MemoryDocuments } from '../../support/memory-documents';
import { ManualClock, NOON } from '../../support/payment-fixture';
import { RoundTrips } from '../../support/round-trips';

const LIMIT = { windowMs: 60_000, maxCount: 5, maxAmountUsdMinorUnits: 1_000n };
const SUBJECT: Subject = { mode: 'live', kind: 'merchant', id: 'mch_1' };

let clock: ManualClock;
let documents: MemoryDocuments;
let trips: RoundTrips;

beforeEach(() => {
  clock = new ManualClock(NOON);
  documents = new MemoryDocuments();
  trips = new RoundTrips();
});

const process = () => VelocityCounts.open(trips.documents(documents), clock);
const paid = (name: string, amountUsdMinorUnits = 1n) => ({ name, amountUsdMinorUnits, nowMs: clock.now() });

async function outcome(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work;
  } catch (error) {
    if (isRefusal(error)) return [error.code, error.retryAfterSeconds];
    throw error;
  }
}
const count = (counts: VelocityCounts, name: string, subject = SUBJECT, amount = 1n) =>
  outcome(counts.counting(LIMIT, subject, paid(name, amount), () => Promise.resolve('made')));

it('asks nothing and writes nothing without a limit', async () => {
  const counts = await process();
  const asked = await trips.during(() => counts.counting(null, SUBJECT, paid('one'), () => Promise.resolve('made')));
  expect(asked).toEqual([]);
});

it('is one write for each payment, while no other process counts the same subject', async () => {
  const counts = await process();
  expect(await trips.during(() => count(counts, 'first'))).toEqual([
    'get velocity_counts',
    'insert velocity_counts',
    'list velocity_counts',
  ]);
  expect(await trips.during(() => count(counts, 'second'))).toEqual(['replace velocity_counts']);
  const other = await process();
  await count(other, 'third');
  expect(await trips.during(() => count(counts, 'fourth'))).toEqual([
    'replace velocity_counts',
    'get velocity_counts',
    'replace velocity_counts',
  ]);
});

it('lets exactly the limit through where several processes count at once', async () => {
  const processes = await Promise.all([process(), process(), process()]);
  const tries = Array.from({ length: 30 }, (_, each) => count(processes[each % 3] as VelocityCounts, `pi_${each}`));
  const outcomes = await Promise.all(tries);
  expect(outcomes.filter(each => each === 'made')).toHaveLength(LIMIT.maxCount);
  expect(outcomes.filter(each => each !== 'made')).toHaveLength(25);
});

it('refuses with the time until there is room, and lets the next one through then', async () => {
  const counts = await process();
  for (let each = 0; each < 5; each++) await count(counts, `pi_${each}`);
  expect(await count(counts, 'more')).toEqual(['rate_limit', 61]);
  clock.timeMs += 61_000;
  expect(await count(counts, 'more')).toBe('made');
});

it('counts subjects, kinds and modes apart, and dollars as well', async () => {
  const counts = await process();
  expect(await count(counts, 'dear', SUBJECT, 1_000n)).toBe('made');
  expect(await count(counts, 'more')).toEqual(['rate_limit', 61]);
  expect(await count(counts, 'more', { ...SUBJECT, id: 'mch_2' })).toBe('made');
  expect(await count(counts, 'more', { ...SUBJECT, mode: 'test' })).toBe('made');
  expect(await count(counts, 'more', { ...SUBJECT, kind: 'wallet' })).toBe('made');
  expect(await count(counts, 'never', { ...SUBJECT, id: 'mch_3' }, 1_001n)).toEqual(['rate_limit', null]);
});

it('counts the same payment once, and no payment that is refused', async () => {
  const counts = await process();
  for (let each = 0; each < 10; each++) expect(await count(counts, 'again')).toBe('made');
  for (let each = 0; each < 10; each++) {
    const work = () => Promise.reject(refuse('no_route_configured'));
    expect(await outcome(counts.counting(LIMIT, SUBJECT, paid(`${each}`), work))).toEqual([
      'no_route_configured',
      null,
    ]);
  }
  for (let each = 0; each < 4; each++) expect(await count(counts, `pi_${each}`)).toBe('made');
  expect(await count(counts, 'more')).toEqual(['rate_limit', 61]);
});

it('keeps the count of a payment whose outcome nobody knows', async () => {
  const counts = await process();
  const failing = () => counts.counting(LIMIT, SUBJECT, paid('lost'), () => Promise.reject(new Error('no answer')));
  await expect(failing()).rejects.toThrow('no answer');
  for (let each = 0; each < 4; each++) expect(await count(counts, `pi_${each}`)).toBe('made');
  expect(await count(counts, 'more')).toEqual(['rate_limit', 61]);
});

it('sees that another process has taken a count back before it refuses', async () => {
  const [here, there] = [await process(), await process()];
  let refuseNow: (error: Error) => void = () => {};
  const held = outcome(
    there.counting(LIMIT, SUBJECT, paid('held'), () => new Promise((_, reject) => (refuseNow = reject))),
  );
  for (let each = 0; each < 4; each++) expect(await count(here, `pi_${each}`)).toBe('made');
  expect(await count(here, 'more')).toEqual(['rate_limit', 61]);
  refuseNow(refuse('no_route_configured'));
  await held;
  expect(await count(here, 'more')).toBe('made');
});

it('removes what counts no more, and does not count on from a removed document', async () => {
  const [here, there] = [await process(), await process()];
  await count(here, 'old');
  clock.timeMs += 200_000;
  await count(there, 'other', { ...SUBJECT, id: 'mch_2' });
  const stored = await (await documents.open(VELOCITY_COUNTS)).list({ index: 'by_lapse', equals: {}, limit: 10 });
  expect(stored.map(({ id }) => id)).toEqual(['live/merchant/mch_2']);
  // The process still remembers the removed document, and another one has begun anew.
  for (let each = 0; each < 3; each++) await count(there, `there ${each}`);
  for (let each = 0; each < 2; each++) expect(await count(here, `here ${each}`)).toBe('made');
  expect(await count(here, 'more')).toEqual(['rate_limit', 61]);
});

it('tells of a payer once for each payment whether the payer is over the limit', async () => {
  const counts = await process();
  const payer: Subject = { mode: 'live', kind: 'payer_address', id: '0xabc' };
  const over = (name: string) => counts.isOver(LIMIT, payer, paid(name));
  for (let each = 0; each < 5; each++) expect(await over(`pi_${each}`)).toBe(false);
  expect(await over('pi_0')).toBe(false);
  expect([await over('pi_5'), await over('pi_5')]).toEqual([true, true]);
});

it('adds the amount alone of a further part of a payment', async () => {
  const counts = await process();
  const payer: Subject = { mode: 'live', kind: 'payer_address', id: '0xdef' };
  const limit = { ...LIMIT, maxCount: 1, maxAmountUsdMinorUnits: 5_000n };
  const over = (name: string, isFurther: boolean) =>
    counts.isOver(limit, payer, { ...paid(name), amountUsdMinorUnits: 2_000n, isFurther });
  expect([await over('tr_1', false), await over('tr_2', true), await over('tr_2', true)]).toEqual([
    false,
    false,
    false,
  ]);
  expect(await over('tr_3', true)).toBe(true);
});
