import { DAY_MS } from '../../../src/kernel/clock';
import { WritePath } from '../../../src/kernel/write-path';
import { SetNotifications, SetNotificationsHandler } from '../../../src/modules/outbox/set-notifications.command';
import { OPTIONAL_MAILS } from '../../../src/modules/outbox/notifications.events';
import { Outbox, OUTBOX_COLLECTION, type OutboxDocument } from '../../../src/modules/outbox/outbox';
import { GetNotifications, GetNotificationsHandler } from '../../../src/modules/outbox/queries/get-notifications.query';
import {
  GetOutboxMail,
  GetOutboxMailHandler,
  ListOutbox,
  ListOutboxHandler,
  OutboxReader,
} from '../../../src/modules/outbox/queries/outbox-reader';
import type { Mode } from '../../../src/vocabulary/modes';
import { ANY_MAIL, MAIL_TEXTS } from '../../support/mail-texts';
import { MemoryDocuments } from '../../support/memory-documents';
import { MemoryEventStore } from '../../support/memory-event-store';
import { ManualClock, NOON } from '../../support/payment-fixture';

const SHOP = 'mch_shop';
const OTHER = 'mch_other';

let outbox: Outbox;
let reader: OutboxReader;

beforeEach(async () => {
  const documents = new MemoryDocuments();
  outbox = new Outbox(await documents.open<OutboxDocument>(OUTBOX_COLLECTION), MAIL_TEXTS);
  reader = await OutboxReader.open(documents);
  const put = (id: string, merchantId: string | null, atMs: number) =>
    outbox.put({ id, to: 'owner@example.com', merchantId, ...ANY_MAIL }, atMs);
  await put('a', SHOP, NOON);
  await put('b', SHOP, NOON);
  await put('c', SHOP, NOON + 1);
  await put('other', OTHER, NOON + 2);
  await put('operator', null, NOON + 3);
});

const list = (limit: number, after: string | null = null, merchant = SHOP) =>
  new ListOutboxHandler(reader).execute(new ListOutbox(merchant, limit, after));
const get = (id: string) => new GetOutboxMailHandler(reader).execute(new GetOutboxMail(SHOP, id));

it('lists the mail of one merchant by pages, the newest first and without its words', async () => {
  const first = await list(2);
  expect([first.mails.map(({ id }) => id), first.hasMore]).toEqual([['c', 'b'], true]);
  const second = await list(2, 'b');
  expect([second.mails.map(({ id }) => id), second.hasMore]).toEqual([['a'], false]);
  const { subject } = MAIL_TEXTS.render(ANY_MAIL);
  expect(second.mails).toStrictEqual([
    {
      id: 'a',
      kind: 'account_exists',
      to: 'owner@example.com',
      subject,
      status: 'queued',
      attempts: 0,
      nextAttemptAt: '2026-11-01T12:00:00.000Z',
      detail: null,
      createdAt: '2026-11-01T12:00:00.000Z',
      doneAt: null,
    },
  ]);
});

it.each(['other', 'operator', 'unknown'])('takes no cursor %s, which is no mail of the merchant', async id => {
  await expect(list(2, id)).rejects.toMatchObject({ code: 'invalid_cursor', param: 'starting_after' });
  expect(await get(id)).toBeNull();
});

it('shows one mail with its words, until it is removed', async () => {
  expect(await get('a')).toMatchObject({ id: 'a', ...MAIL_TEXTS.render(ANY_MAIL) });
  const [message] = await outbox.due(NOON, 1);
  if (message) await outbox.change(message, { status: 'sent' });
  await outbox.clean(NOON + 31 * DAY_MS, 10);
  expect(await get('a')).toBeNull();
});

it('tells which mails a merchant does without, in each mode by itself', async () => {
  const writes = new WritePath(new MemoryEventStore(), new ManualClock(NOON), () => Promise.resolve());
  const actor = { role: 'merchant', type: 'user', id: 'usr_1' } as const;
  const cause = {
    commandId: 'c-1',
    startedAt: NOON,
    requestId: null,
    correlationId: 'c-1',
    causationId: null,
    ip: null,
  };
  const context = { ...cause, actor, universe: 'live', merchantId: SHOP, now: NOON } as const;
  await new SetNotificationsHandler(writes).execute(new SetNotifications(['payment_inferred'], context));
  const muted = async (mode: Mode) => {
    const view = await new GetNotificationsHandler(writes).execute(new GetNotifications(SHOP, mode));
    expect(view.map(({ kind }) => kind)).toEqual(OPTIONAL_MAILS);
    return view.filter(({ isMailed }) => !isMailed).map(({ kind }) => kind);
  };
  expect(await muted('live')).toEqual(['payment_inferred']);
  expect(await muted('test')).toEqual([]);
});
