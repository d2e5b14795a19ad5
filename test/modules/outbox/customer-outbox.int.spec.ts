import { DAY_MS } from '../../../src/kernel/clock';
import { CustomerOutbox } from '../../../src/modules/outbox/customer-outbox';
import { CUSTOMER_OUTBOX_COLLECTION, type OutboxDocument } from '../../../src/modules/outbox/outbox';
import { ANY_MAIL, MAIL_TEXTS } from '../../support/mail-texts';
import { MemoryDocuments } from '../../support/memory-documents';
import { NOON } from '../../support/payment-fixture';

const LIMIT = 10;

let outbox: CustomerOutbox;
let mails = 0;

beforeEach(async () => {
  const messages = await new MemoryDocuments().open<OutboxDocument>(CUSTOMER_OUTBOX_COLLECTION);
  outbox = new CustomerOutbox(messages, MAIL_TEXTS);
  mails = 0;
});

async function put(merchant: string | null, count: number, dueMs = NOON): Promise<void> {
  for (let each = 0; each < count; each++) {
    const id = `mail ${String((mails += 1)).padStart(4, '0')}`;
    await outbox.put({ id, to: 'ada@example.com', merchantId: merchant, ...ANY_MAIL }, NOON, dueMs);
  }
}

/** Sends what is due, and answers the merchants whose mail it was. */
async function sweep(): Promise<readonly string[]> {
  const due = await outbox.due(NOON + 1, LIMIT);
  for (const message of due) await outbox.change(message, { status: 'sent' });
  return due.map(({ body }) => body.merchant_id ?? 'nobody');
}

it('lets each merchant have a turn, whoever has put more and earlier', async () => {
  await put('mch_flood', 500, NOON - 1);
  await put('mch_small', 2);
  expect(await sweep()).toEqual([
    'mch_flood',
    'mch_small',
    'mch_flood',
    'mch_small',
    ...new Array(3).fill('mch_flood'),
  ]);
  expect(await sweep()).toEqual(new Array(LIMIT).fill('mch_flood'));
});

it('comes round to every merchant where there are more than one look takes', async () => {
  const merchants = Array.from({ length: 2.5 * LIMIT }, (_, each) => `mch_${String(each).padStart(2, '0')}`);
  for (const merchant of merchants) await put(merchant, 3);
  const seen = [...(await sweep()), ...(await sweep()), ...(await sweep())];
  expect([...new Set(seen)].sort()).toEqual(merchants);
});

it('passes over merchants whose mail is for another day, and sends mail that names no merchant', async () => {
  await put(null, 1);
  for (let each = 0; each < LIMIT / 2; each++) await put(`mch_later_${each}`, 1, NOON + DAY_MS);
  await put('mch_now', LIMIT);
  expect(await sweep()).toEqual(['nobody', ...new Array(LIMIT - 1).fill('mch_now')]);
  expect(await sweep()).toEqual(['mch_now']);
  expect(await sweep()).toEqual([]);
});

it('is the oldest mail of all where one look takes everything', async () => {
  await put('mch_one', 2, NOON);
  await put('mch_other', 2, NOON - 1);
  expect(await sweep()).toEqual(['mch_other', 'mch_other', 'mch_one', 'mch_one']);
});
