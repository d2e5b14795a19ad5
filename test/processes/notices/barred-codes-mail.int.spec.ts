import type { ReadModels } from '../../../src/kernel/ports/read-models';
import type { BarredCodes } from '../../../src/modules/users/wrong-codes';
import { BarredCodesMail } from '../../../src/processes/notices/barred-codes-mail';
import { Outbox, OUTBOX_COLLECTION, type OutboxDocument } from '../../../src/modules/outbox/outbox';
import { MAIL_TEXTS } from '../../support/mail-texts';
import { MemoryDocuments } from '../../support/memory-documents';
import { ManualClock, NOON } from '../../support/payment-fixture';

const MERCHANT = 'mch_00000000000000000000000001';
const KEY = 'key_00000000000000000000000001';
const USER = 'usr_00000000000000000000000001';
const ofKey: BarredCodes = {
  merchantId: MERCHANT,
  keyId: KEY,
  barred: { kind: 'key', id: KEY, limit: 10, tally: 'wrong_at' },
  period: '2026-11-01T12:00:00.000Z',
};
const ofUser: BarredCodes = { ...ofKey, barred: { kind: 'user', id: USER, limit: 50, tally: 'wrong_at' } };
const ofRevoking: BarredCodes = { ...ofKey, barred: { ...ofKey.barred, tally: 'wrong_revoke_at' } };

const clock = new ManualClock(NOON);
let outbox: Outbox;
let mail: BarredCodesMail;

beforeEach(async () => {
  clock.timeMs = NOON;
  outbox = new Outbox(await new MemoryDocuments().open<OutboxDocument>(OUTBOX_COLLECTION), MAIL_TEXTS);
  const owner = { id: MERCHANT, version: 0, body: { email: 'owner@example.com' } };
  const readModels = { get: (_: object, __: string, id: string) => Promise.resolve(id === MERCHANT ? owner : null) };
  mail = new BarredCodesMail(outbox, readModels as unknown as ReadModels, clock);
});

const queued = async () => (await outbox.due(clock.now(), 10)).map(({ body }) => body);

it('tells the merchant which key is barred, and how to revoke it', async () => {
  await mail.tell(ofKey);
  expect(await queued()).toMatchObject([
    { to: 'owner@example.com', subject: '10 wrong one-time codes were sent within ten minutes' },
  ]);
  const [{ text } = { text: '' }] = await queued();
  expect(text).toContain(`10 wrong one-time codes were sent with the API key ${KEY}`);
  expect(text).toContain(`POST /v1/api_keys/${KEY}/revoke`);
  expect(text).toContain('https://pay.example/dashboard');
});

it('tells whose codes are barred, and the key that sent the newest wrong one', async () => {
  await mail.tell(ofUser);
  const [{ text } = { text: '' }] = await queued();
  expect(text).toContain(
    `50 wrong one-time codes were sent of the user ${USER}, the newest one with the API key ${KEY}`,
  );
});

it('tells that the key revokes none either, besides the mail of before', async () => {
  await mail.tell(ofKey);
  await mail.tell(ofRevoking);
  const texts = (await queued()).map(({ text }) => text);
  expect(texts).toHaveLength(2);
  const text = texts.find(each => each.includes('for the end of a key'));
  expect(text).toContain(`npx quittance key revoke ${KEY}`);
  expect(text).not.toContain('A right code is taken for that even now');
});

it('is sent once for a key or a user in a period, however often it is told', async () => {
  for (const barred of [ofKey, ofUser, ofKey, ofUser]) {
    await mail.tell(barred);
    clock.timeMs += 1_000;
  }
  expect(await queued()).toHaveLength(2);
  await mail.tell({ ...ofKey, period: '2026-11-01T12:10:00.000Z' });
  expect(await queued()).toHaveLength(3);
});
