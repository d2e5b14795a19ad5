import { DAY_MS } from '../../../src/kernel/clock';
import { systemContext, type MerchantContext } from '../../../src/kernel/command-context';
import type { Collection, Document, Documents } from '../../../src/kernel/ports/documents';
import { isRefusal } from '../../../src/vocabulary/errors';
import { addressSubject } from '../../../src/platform/rate-limits/client-address';
import { UNPAID_LIMIT, UNPAID_QUOTAS, UnpaidQuota } from '../../../src/processes/method-selection/unpaid-quota';
import { MemoryDocuments } from '../../support/memory-documents';
import { ManualClock, MERCHANT, NOON } from '../../support/payment-fixture';

const ADDRESS = '203.0.113.7';
const OTHER_ADDRESS = '203.0.113.8';

let clock: ManualClock;
let documents: MemoryDocuments;
let quota: UnpaidQuota;
let asked: number;

beforeEach(async () => {
  clock = new ManualClock(NOON);
  documents = new MemoryDocuments();
  asked = 0;
  quota = await quotaOver(documents);
});

/** No payment is known, and so none is paid. */
function quotaOver(of: Documents): Promise<UnpaidQuota> {
  const readModels = { get: () => Promise.resolve(((asked += 1), null)) };
  const secretBox = { deriveKey: () => Promise.resolve(new Uint8Array(32)) };
  return UnpaidQuota.open(of, { readModels, secretBox, subjectOf: addressSubject, clock });
}

const stored = async () => (await documents.open(UNPAID_QUOTAS)).list({ index: 'by_lapse', equals: {}, limit: 100 });
const contextOf = (commandId: string, ip: string | null, changes: Partial<MerchantContext> = {}): MerchantContext => ({
  ...systemContext(commandId, { actor: 'watcher', mode: 'test', merchantId: MERCHANT, now: clock.now() }),
  ip,
  ...changes,
});

async function count(commandId: string, ip: string | null = ADDRESS, changes = {}): Promise<number | 'counted' | null> {
  try {
    await quota.count(`pi of ${commandId}`, DAY_MS, contextOf(commandId, ip, changes));
    return 'counted';
  } catch (error) {
    if (isRefusal(error, 'rate_limit')) return error.retryAfterSeconds;
    throw error;
  }
}
async function fill(): Promise<void> {
  for (let each = 0; each < UNPAID_LIMIT; each++) await count(`${each}`);
}

it('refuses until the first entry ends, and counts each merchant, mode and network apart', async () => {
  await fill();
  clock.timeMs += 3_600_000;
  expect(await count('one more')).toBe(23 * 3_600);
  expect(await count('one more', OTHER_ADDRESS)).toBe('counted');
  expect(await count('one more', null)).toBe('counted');
  expect(await count('one more', ADDRESS, { universe: 'live' })).toBe('counted');
  expect(await count('one more', ADDRESS, { merchantId: 'mch_00000000000000000000000009' })).toBe('counted');
  clock.timeMs += DAY_MS;
  expect(await count('one more')).toBe('counted');
});

it('counts a command once, and takes it back where it reserves nothing', async () => {
  await fill();
  expect(await count('7')).toBe('counted');
  await quota.discount(contextOf('7', ADDRESS));
  expect(await count('one more')).toBe('counted');
  expect(typeof (await count('yet another'))).toBe('number');
});

it('looks for paid payments once in a while, however often somebody tries', async () => {
  await fill();
  for (let each = 0; each < 5; each++) await count(`more ${each}`);
  expect(asked).toBe(UNPAID_LIMIT);
  clock.timeMs += 30_000;
  await count('more');
  expect(asked).toBe(2 * UNPAID_LIMIT);
});

it('counts all that come at once', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, (_, each) => count(`${each}`)));
  expect(answers).toEqual(new Array(10).fill('counted'));
  expect((await stored()).map(({ body }) => (body.unpaid as unknown[]).length)).toEqual([10]);
});

it('gives up where others write all the time', async () => {
  const busy = { ...documents, open: async () => ({ get: () => null, insert: () => false }) as unknown as Collection };
  quota = await quotaOver(busy as unknown as Documents);
  expect(await count('one')).toBe(1);
});

it('keeps no address, and removes documents once they have lapsed', async () => {
  await count('one');
  const [before] = (await stored()) as [Document];
  expect(JSON.stringify(before)).not.toContain('203.0.113');
  clock.timeMs += DAY_MS;
  await count('two', OTHER_ADDRESS);
  expect((await stored()).map(({ id }) => id)).not.toContain(before.id);
  expect(await stored()).toHaveLength(1);
});
