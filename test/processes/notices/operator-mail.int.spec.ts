import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from '../../../src/kernel/clock';
import type { Collection } from '../../../src/kernel/ports/documents';
import type { SetAsideNotice } from '../../../src/modules/outbox/mail-kinds';
import { OperatorMail } from '../../../src/processes/notices/operator-mail';
import { Outbox, OUTBOX_COLLECTION, type OutboxDocument } from '../../../src/modules/outbox/outbox';
import { MAIL_TEXTS } from '../../support/mail-texts';
import { MemoryDocuments } from '../../support/memory-documents';
import { ManualClock, NOON, RecordingLog } from '../../support/payment-fixture';

const HOLE = 'live.coverage_hole-bnb:56:7:0x07';
const CLOSED = { mode: 'live', stream: HOLE, why: 'lost by all', givenUpBy: 'cli:alice', at: isoTime(NOON) } as const;
const notice: SetAsideNotice = {
  mode: 'live',
  network: 'bnb',
  holes: 1,
  deferred: 2,
  isFull: false,
  since: isoTime(NOON),
};

let clock: ManualClock;
let log: RecordingLog;
let messages: Collection<OutboxDocument>;

beforeEach(async () => {
  clock = new ManualClock(NOON);
  log = new RecordingLog();
  messages = await new MemoryDocuments().open<OutboxDocument>(OUTBOX_COLLECTION);
});

function mail(address: string | null = 'operator@pay.example'): OperatorMail {
  return new OperatorMail(new Outbox(messages, MAIL_TEXTS), address, clock, log);
}

async function queued(): Promise<readonly OutboxDocument[]> {
  const found = await messages.list({ index: 'by_due', equals: { status: 'queued' }, limit: 100 });
  return found.map(({ body }) => body);
}

describe('mail to the operator', () => {
  it('says on which network how much is set aside, and since when', async () => {
    await mail().tellSetAside(notice);
    const [message] = await queued();
    expect(message).toMatchObject({ to: 'operator@pay.example' });
    expect(message?.subject).toBe('Blocks or transfers are set aside on BNB Smart Chain (live mode)');
    expect(message?.text).toContain('Blocks that cannot be read: 1\n');
    expect(message?.text).toContain('Transfers that cannot be placed: 2\n');
    expect(message?.text).toContain('`coverage close` (a block) or `coverage give-up` (a transfer)');
    expect(message?.text).toContain('Since: 2026-11-01T12:00:00.000Z\n');
  });

  it('is sent once by however many processes, and once more each day that it lasts', async () => {
    for (let minute = 0; minute < 60; minute++) {
      clock.timeMs = NOON + minute * MINUTE_MS;
      await mail().tellSetAside({ ...notice, holes: minute });
    }
    expect(await queued()).toHaveLength(1);
    clock.timeMs = NOON + DAY_MS - 1;
    await mail().tellSetAside(notice);
    expect(await queued()).toHaveLength(1);
    clock.timeMs = NOON + DAY_MS;
    await mail().tellSetAside(notice);
    await mail().tellSetAside(notice);
    expect(await queued()).toHaveLength(2);
  });

  it('is one an hour at most, whatever comes and goes', async () => {
    for (let minute = 0; minute < 120; minute++)
      await mail().tellSetAside({ ...notice, since: isoTime(NOON + minute * MINUTE_MS) });
    expect(await queued()).toHaveLength(2);
    await mail().tellSetAside({ ...notice, network: 'base', since: isoTime(NOON + HOUR_MS) });
    expect(await queued()).toHaveLength(3);
  });

  it('says so where scanning stands still', async () => {
    await mail().tellSetAside(notice);
    await mail().tellSetAside({ ...notice, isFull: true });
    const subjects = (await queued()).map(({ subject }) => subject);
    expect(subjects).toContain('Scanning stands still on BNB Smart Chain (live mode)');
  });

  it('tells of a block that was given up, with the note', async () => {
    await mail().tellHoleClosed(CLOSED);
    const [message] = await queued();
    expect(message?.text).toContain(`Hole: ${HOLE}\nNote: lost by all\nClosed by: cli:alice\n`);
  });

  it('is none where nobody is named', async () => {
    await mail(null).tellSetAside(notice);
    await mail(null).tellHoleClosed(CLOSED);
    expect(await queued()).toStrictEqual([]);
  });
});
