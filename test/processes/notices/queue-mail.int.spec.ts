import { merchantsProjection } from '../../../projections/merchants.projection';
import { unmatchedTransfersProjection } from '../../../projections/unmatched-transfers.projection';
import { walletsProjection } from '../../../projections/wallets.projection';
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from '../../../src/kernel/clock';
import type { RecordedEvent } from '../../../src/kernel/event';
import { WritePath } from '../../../src/kernel/write-path';
import type { Mode } from '../../../src/vocabulary/modes';
import type { PaymentIntentEvent, Remainder } from '../../../src/modules/payment-intents/payment-intent.events';
import type { OutboxMessage } from '../../../src/modules/outbox/outbox';
import { outboxStanding } from '../../../src/modules/outbox/outbox-standing';
import { transferId } from '../../../src/modules/transfers/transfer.decider';
import { NOTICE_CATEGORIES, Notices } from '../../../src/processes/notices/notices';
import { OperatorMail } from '../../../src/processes/notices/operator-mail';
import { QueueMail } from '../../../src/processes/notices/queue-mail';
import * as h from '../../modules/payment-intents/histories';
import { NOON, PAYER } from '../../support/payment-fixture';
import { NoticeStage } from './notice-stage';

const SHOP = 'mch_00000000000000000000000001';
const PARTNER = 'mch_00000000000000000000000002';
const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const ELSEWHERE = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';

let stage: NoticeStage;
/** The actor who decides reviews. */
let reviewer: 'merchant' | 'admin';

beforeEach(async () => {
  reviewer = 'merchant';
  stage = await NoticeStage.open([merchantsProjection, walletsProjection, unmatchedTransfersProjection]);
  await merchant(SHOP, 'owner@example.com');
});
afterEach(() => stage.server.stop());

function record(
  universe: 'platform' | Mode,
  stream: string,
  type: string,
  data: object,
  merchantId: string | null = null,
): Promise<RecordedEvent> {
  // The merchant's own clock may tell another time: messages go by the wall's.
  const times = { occurred_at: '2020-01-01T00:00:00.000Z', recorded_at: isoTime(stage.clock.timeMs) };
  const role = type === 'ReviewResolved' ? reviewer : 'watcher';
  const actor = { role, type: 'system', id: 'x' } as const;
  return stage.record(universe, stream, { type, data }, { actor, merchant_id: merchantId, ...times });
}

async function merchant(id: string, email: string): Promise<void> {
  await record('platform', `merchant-${id}`, 'MerchantRegistered', { name: 'Shop', email }, id);
}

async function wallet(id: string, owner: string, mode: Mode = 'live', address = ADDRESS): Promise<string> {
  const data = { network_id: 'base', address, label: 'Till', controls_private_key: true, dedicated: false };
  await record(mode, `wallet-wal_${id}`, 'WalletRegistered', data, owner);
  return `wallet-wal_${id}`;
}

async function verified(id: string, owner: string, mode: Mode = 'live', address = ADDRESS): Promise<void> {
  const stream = await wallet(id, owner, mode, address);
  const data = { method: 'signed_message', verified_at: isoTime(NOON) };
  await record(mode, stream, 'WalletVerified', data, owner);
}

function parts() {
  const { readModels, outbox, clock, log } = stage;
  const writes = new WritePath(stage.store, clock, () => Promise.resolve());
  return { readModels, outbox, clock, log, writes };
}

function notices(): Notices {
  const { readModels, outbox, clock, log, writes } = parts();
  const queueMail = new QueueMail(parts());
  const operatorMail = new OperatorMail(outbox, null, clock, log);
  const feeMail = { tell: () => Promise.reject(new Error('no fee is told here')) };
  const invoiceMail = { tell: () => Promise.reject(new Error('no invoice is told here')) };
  const told = { outbox, invoiceMail, operatorMail, queueMail, feeMail, readModels, writes };
  return new Notices({ ...told, canSend: true, clock, log });
}

const sweep = () => stage.dispatch(message => new QueueMail(parts()).whyNot(message)).sweep();

const idOf = (number: number) => transferId({ network: 'base', txHash: `0x${number}`, ordinal: 0 });
const streamOf = (number: number) => `transfer-base:0x${number}:0`;

async function queued(number: number, { mode = 'live' as Mode, to = ADDRESS } = {}): Promise<RecordedEvent> {
  const seen = {
    token_id: 'usdc-base',
    from: PAYER,
    to,
    value_base_units: '12340000',
    block_number: 7,
    block_hash: '0x07',
    block_time: isoTime(NOON),
  };
  await record(mode, streamOf(number), 'TransferSeen', seen);
  return record(mode, streamOf(number), 'TransferUnmatched', { reason: 'no_reservation', candidate: null });
}

const told = async (event: RecordedEvent) => {
  await notices().handle({ event, retries: 0 });
  await sweep();
};
const recipients = () => stage.server.received.map(({ to }) => to[0]);

describe('mail about transfers in the queue', () => {
  it('goes at once to the merchant of the address, with what there is to look for', async () => {
    await verified('1', SHOP);
    await told(await queued(1));
    expect(recipients()).toStrictEqual(['owner@example.com']);
    const source = stage.server.received[0]?.source.replaceAll('=\r\n', '');
    expect(source).toContain('Subject: Money has come that matches no payment (live mode)');
    for (const fact of ['12.340000 USDC', 'Base', idOf(1), '0x1', PAYER, ADDRESS, 'https://pay.example/dashboard'])
      expect(source).toContain(fact);
  });

  it('is sent once, however often the event is given, and to whichever process', async () => {
    await verified('1', SHOP);
    const event = await queued(1);
    await Promise.all([told(event), told(event)]);
    stage.clock.timeMs += 3 * HOUR_MS;
    await told(event);
    stage.clock.timeMs += 3 * HOUR_MS;
    await sweep();
    expect(recipients()).toHaveLength(1);
  });

  it('is one of an hour: the transfers that follow are told as the next hour begins', async () => {
    await verified('1', SHOP);
    const events: RecordedEvent[] = [];
    for (let minute = 0; minute < 30; minute++) {
      stage.clock.timeMs = NOON + minute * MINUTE_MS;
      events.push(await queued(minute));
      await told(events.at(-1) as RecordedEvent);
    }
    stage.clock.timeMs = NOON + HOUR_MS - 1;
    await sweep();
    expect(recipients()).toHaveLength(1);
    stage.clock.timeMs = NOON + HOUR_MS;
    await sweep();
    expect(recipients()).toHaveLength(2);
    expect(stage.server.received[1]?.source).toContain(idOf(1));
    for (const event of events) await told(event);
    stage.clock.timeMs = NOON + 9 * HOUR_MS;
    await sweep();
    expect(recipients()).toHaveLength(2);
  });

  it('goes on so, each hour, while transfers come', async () => {
    await verified('1', SHOP);
    for (let half = 0; half < 8; half++) {
      stage.clock.timeMs = NOON + half * (HOUR_MS / 2);
      await told(await queued(half));
    }
    expect(recipients()).toHaveLength(4);
    stage.clock.timeMs = NOON + 9 * HOUR_MS;
    await sweep();
    expect(recipients()).toHaveLength(5);
  });

  it('goes to each merchant of the address, for each mode by itself, and to nobody else', async () => {
    await merchant(PARTNER, 'partner@example.com');
    await verified('1', SHOP);
    await verified('2', SHOP, 'test');
    await verified('3', PARTNER);
    await wallet('4', PARTNER, 'test');
    await verified('5', PARTNER, 'test', ELSEWHERE);
    await told(await queued(1));
    expect(recipients().sort()).toStrictEqual(['owner@example.com', 'partner@example.com']);
    await told(await queued(2, { mode: 'test' }));
    expect(recipients().slice(2)).toStrictEqual(['owner@example.com']);
    expect(stage.server.received[2]?.source).toContain('(test mode)');
  });

  it('is not sent for a transfer that has left the queue since, nor for other news of transfers', async () => {
    await verified('1', SHOP);
    const event = await queued(1);
    const resolved = { payment_intent: 'pi_1', note: 'phoned the customer' };
    const taken = await record('live', streamOf(1), 'TransferResolved', resolved);
    for (const each of [event, taken]) await told(each);
    expect(recipients()).toStrictEqual([]);
  });

  describe('that waits for the next hour', () => {
    const atNextHour = async () => {
      stage.clock.timeMs = NOON + HOUR_MS;
      await sweep();
      await sweep();
    };
    const taken = (number: number) =>
      record('live', streamOf(number), 'TransferResolved', { payment_intent: 'pi_1', note: 'phoned the customer' });

    beforeEach(async () => {
      await verified('1', SHOP);
      await told(await queued(1));
      stage.clock.timeMs = NOON + MINUTE_MS;
    });

    it('is not sent where its transfer has left the queue by then', async () => {
      await told(await queued(2));
      await taken(2);
      await atNextHour();
      expect(recipients()).toHaveLength(1);
      expect(await stage.messages.list({ index: 'by_due', equals: { status: 'withheld' }, limit: 2 })).toMatchObject([
        { body: { detail: 'the transfer has left the queue', done_at: isoTime(NOON + HOUR_MS) } },
      ]);
      expect(stage.log.lines).toContainEqual(expect.objectContaining({ level: 'info', message: 'mail withheld' }));
      expect(stage.log.lines).not.toContainEqual(expect.objectContaining({ level: 'error' }));
      expect(await outboxStanding(stage.messages)).toMatchObject({ queued: 0, given_up: 0 });
      await stage.outbox.clean(NOON + 31 * DAY_MS, 9);
      expect(await stage.messages.list({ index: 'by_due', equals: { status: 'withheld' }, limit: 2 })).toEqual([]);
    });

    it('tells of another transfer of the hour that waits still, once', async () => {
      for (const number of [2, 3, 4]) await told(await queued(number));
      await taken(2);
      await taken(4);
      await atNextHour();
      await atNextHour();
      expect(recipients()).toHaveLength(2);
      expect(stage.server.received[1]?.source).toContain(idOf(3));
    });

    it('tells of another transfer of the hour where the group has come to it in a later hour', async () => {
      const late = [await queued(2), await queued(3)];
      stage.clock.timeMs = NOON + HOUR_MS + MINUTE_MS;
      for (const event of late) await notices().handle({ event, retries: 0 });
      await taken(2);
      await sweep();
      await sweep();
      expect(recipients()).toHaveLength(2);
      expect(stage.server.received[1]?.source).toContain(idOf(3));
    });

    it('tells of yet another one where that transfer has left the queue as well', async () => {
      for (const number of [2, 3, 4]) await told(await queued(number));
      await taken(2);
      stage.clock.timeMs = NOON + HOUR_MS;
      await sweep();
      await taken(4);
      await atNextHour();
      expect(recipients()).toHaveLength(2);
      expect(stage.server.received[1]?.source).toContain(idOf(3));
    });

    it('leaves the transfers of a later hour to their own messages', async () => {
      for (const number of [2, 3]) await told(await queued(number));
      stage.clock.timeMs = NOON + HOUR_MS;
      const later = await queued(4);
      await taken(2);
      await atNextHour();
      expect(stage.server.received[1]?.source).toContain(idOf(3));
      await told(later);
      stage.clock.timeMs = NOON + 2 * HOUR_MS;
      await sweep();
      expect(recipients()).toHaveLength(3);
      expect(stage.server.received[2]?.source).toContain(idOf(4));
    });

    it('is not sent where it was stored without its hour and its transfer has left the queue', async () => {
      for (const number of [2, 3]) await told(await queued(number));
      const [message] = (await stage.outbox.due(NOON + HOUR_MS, 1)) as [OutboxMessage];
      const { hour, ...body } = message.body;
      expect(hour).toBe(Math.floor(NOON / HOUR_MS));
      await stage.messages.replace({ ...message, version: message.version + 1, body }, message.version);
      await taken(2);
      await atNextHour();
      expect(recipients()).toHaveLength(1);
    });

    it('is sent where its transfer could not be given to a payment', async () => {
      await told(await queued(2));
      await taken(2);
      await record('live', streamOf(2), 'AttributionFailed', { payment_intent: 'pi_1', refusal: 'payment_expired' });
      await atNextHour();
      expect(recipients()).toHaveLength(2);
    });
  });

  it('is not sent in a mode in which the merchant does without it', async () => {
    await verified('1', SHOP);
    await verified('2', SHOP, 'test');
    await record('live', `notifications-${SHOP}`, 'NotificationsSet', { muted: ['transfer_queued'] }, SHOP);
    await told(await queued(1));
    expect(recipients()).toStrictEqual([]);
    await told(await queued(2, { mode: 'test' }));
    expect(recipients()).toStrictEqual(['owner@example.com']);
  });

  it('is read by the group from the transfers', () => {
    expect(NOTICE_CATEGORIES).toContain('transfer');
  });
});

describe('mail about an inferred transfer', () => {
  const PAYMENT = 'pi_00000000000000000000000001';
  const SHORT = '26865119';
  const underpaid = (remainder: Remainder | null): PaymentIntentEvent => ({
    type: 'PaymentUnderpaid',
    data: { received_base_units: SHORT, received_minor_units: '2487', remainder },
  });
  const settled = (transfer: PaymentIntentEvent, end = underpaid(null)): readonly PaymentIntentEvent[] => [
    h.created,
    h.selected,
    transfer,
    h.confirmation,
    h.screened(h.PAYER, 'clear'),
    h.depth('tr_1'),
    end,
  ];

  /** The event at the end of the payment's history so far. */
  async function payment(events: readonly PaymentIntentEvent[]): Promise<RecordedEvent> {
    let last: RecordedEvent | null = null;
    for (const { type, data } of events) last = await record('live', `payment_intent-${PAYMENT}`, type, data, SHOP);
    return last as RecordedEvent;
  }

  it('asks the merchant once to decide on the payment', async () => {
    const event = await payment(settled(h.inferred('tr_1', SHORT)));
    await Promise.all([told(event), told(event)]);
    await told(event);
    expect(recipients()).toStrictEqual(['owner@example.com']);
    const source = stage.server.received[0]?.source.replaceAll('=\r\n', '');
    expect(source).toContain('Subject: A payment waits for your decision (live mode)');
    for (const fact of [PAYMENT, '27.000120 USDC', '26.865119 USDC', 'tr_1', h.PAYER, 'https://pay.example/dashboard'])
      expect(source).toContain(fact);
  });

  it('is not sent where the merchant does without it', async () => {
    const event = await payment(settled(h.inferred('tr_1', SHORT)));
    await record('live', `notifications-${SHOP}`, 'NotificationsSet', { muted: ['payment_inferred'] }, SHOP);
    await told(event);
    expect(recipients()).toStrictEqual([]);
  });

  it('is not sent where the merchant has decided since', async () => {
    const event = await payment(settled(h.inferred('tr_1', SHORT)));
    await payment([{ type: 'ReviewResolved', data: { resolution: 'rejected', note: 'not ours' } }]);
    await told(event);
    expect(recipients()).toStrictEqual([]);
  });

  describe('that came late', () => {
    const again: PaymentIntentEvent = {
      type: 'PaidLate',
      data: { received_base_units: '54000240', received_minor_units: '5000', transfer_id: 'tr_2' },
    };

    it('asks the merchant once to decide on the payment', async () => {
      const first = await payment(h.HISTORIES.paid_late);
      await told(first);
      await told(first);
      await told(await payment([again]));
      expect(recipients()).toStrictEqual(['owner@example.com']);
      const source = stage.server.received[0]?.source.replaceAll('=\r\n', '');
      expect(source).toContain('Subject: Money has come late for a payment (live mode)');
      for (const fact of [PAYMENT, '27.000120 USDC', 'tr_1']) expect(source).toContain(fact);
    });

    it('asks nothing where the merchant has decided since, or does without such mail', async () => {
      const late = await payment(h.HISTORIES.paid_late);
      await record('live', `notifications-${SHOP}`, 'NotificationsSet', { muted: ['payment_inferred'] }, SHOP);
      await told(late);
      await record('live', `notifications-${SHOP}`, 'NotificationsSet', { muted: [] }, SHOP);
      await payment([{ type: 'ReviewResolved', data: { resolution: 'rejected', note: 'sent back' } }]);
      await told(late);
      expect(recipients()).toStrictEqual([]);
    });
  });

  it('does not tell the merchant of the transfer that its own rejection has put into the queue', async () => {
    await verified('1', SHOP);
    await payment([...settled(h.inferred('tr_1', SHORT)), h.reviewRejected]);
    const refused = { reason: 'credit_refused', candidate: PAYMENT };
    await queued(1);
    await record('live', streamOf(1), 'TransferClaimed', { payment_intent: PAYMENT, evidence: { refusal: null } });
    await told(await record('live', streamOf(1), 'TransferUnmatched', refused));
    expect(recipients()).toStrictEqual([]);
    await queued(2);
    await told(await record('live', streamOf(2), 'TransferUnmatched', refused));
    expect(recipients()).toStrictEqual(['owner@example.com']);
  });

  it('tells the merchant of a transfer that an administrator’s rejection has put into the queue', async () => {
    reviewer = 'admin';
    await verified('1', SHOP);
    await payment([...settled(h.inferred('tr_1', SHORT)), h.reviewRejected]);
    await queued(1);
    await record('live', streamOf(1), 'TransferClaimed', { payment_intent: PAYMENT, evidence: { refusal: null } });
    const refused = { reason: 'credit_refused', candidate: PAYMENT };
    await told(await record('live', streamOf(1), 'TransferUnmatched', refused));
    expect(recipients()).toStrictEqual(['owner@example.com']);
  });

  it('is not sent for a payment that is short by a transfer of its own', async () => {
    await told(await payment(settled(h.detected('tr_1', SHORT))));
    expect(recipients()).toStrictEqual([]);
  });
});
