import { feeInvoicesProjection } from '../../../projections/fee-invoices.projection';
import { merchantsProjection } from '../../../projections/merchants.projection';
import type { RecordedEvent } from '../../../src/kernel/event';
import { DAY_MS } from '../../../src/kernel/clock';
import { WritePath } from '../../../src/kernel/write-path';
import type { OutboxDocument } from '../../../src/modules/outbox/outbox';
import { FeeMail } from '../../../src/processes/notices/fee-mail';
import { OperatorMail } from '../../../src/processes/notices/operator-mail';
import type { Mode } from '../../../src/vocabulary/modes';
import { NOON } from '../../support/payment-fixture';
import { NoticeStage } from './notice-stage';

const MERCHANT = 'mch_00000000000000000000000001';
const INVOICE = 'finv_00000000000000000000000001';
const PAYMENT = 'pi_00000000000000000000000001';
const FACTS = {
  number: 'FEE-00000001-000001',
  currency: 'EUR',
  amount_minor_units: '1250',
  due_at: new Date(NOON + 30 * DAY_MS).toISOString(),
};
/** As the mails write 30 and 44 days from then. */
const DUE = 'Dec 1, 2026, 12:00 UTC';
const PAUSE = 'Dec 15, 2026, 12:00 UTC';

let stage: NoticeStage;
let mail: FeeMail;

beforeEach(async () => {
  stage = await NoticeStage.open([merchantsProjection, feeInvoicesProjection]);
  const { readModels, outbox, clock, log, store } = stage;
  const writes = new WritePath(store, clock, () => Promise.resolve());
  const operatorMail = new OperatorMail(outbox, 'operator@pay.example', clock, log);
  mail = new FeeMail({
    outbox,
    operatorMail,
    readModels,
    writes,
    clock,
    log,
  });
  await record('platform', `merchant-${MERCHANT}`, 'MerchantRegistered', { name: 'Shop', email: 'owner@example.com' });
});
afterEach(() => stage.server.stop());

function record(universe: 'platform' | Mode, stream: string, type: string, data: object): Promise<RecordedEvent> {
  const metadata = { merchant_id: MERCHANT, occurred_at: new Date(NOON).toISOString() };
  return stage.record(universe, stream, { type, data }, metadata);
}

const issue = () => record('live', `fee_invoice-${INVOICE}`, 'FeeInvoiceIssued', FACTS);
const pay = () =>
  record('live', `fee_invoice-${INVOICE}`, 'FeeInvoicePaid', {
    currency: 'EUR',
    amount_minor_units: '1250',
    reference: 'Bank 17',
  });
const lose = (mode: Mode) => record(mode, `payment_intent-${PAYMENT}`, 'SettledTransferLost', { transfer_id: 'tr_1' });
const accrue = (mode: Mode) =>
  record(mode, `fee_accrual-${PAYMENT}`, 'FeeAccrued', {
    currency: 'EUR',
    reckoned_on_minor_units: '2500',
    fee_bps: 50,
    fee_minor_units: '12',
  });

async function queued(): Promise<readonly OutboxDocument[]> {
  const messages = await stage.messages.list({ index: 'by_due', equals: { status: 'queued' }, limit: 10 });
  return messages.map(({ body }) => body);
}

it('tells the merchant of a fee invoice once, with its number, amount, term and consequence', async () => {
  const event = await issue();
  await mail.tell(event as never);
  await mail.tell(event as never);
  const [message, ...others] = await queued();
  expect(others).toEqual([]);
  expect(message).toMatchObject({ to: 'owner@example.com', subject: 'Fee invoice FEE-00000001-000001 over 12.50 EUR' });
  for (const fact of [DUE, PAUSE, INVOICE, '12.50 EUR']) expect(message?.text).toContain(fact);
});

it('warns a merchant once, seven days before the pause', async () => {
  await issue();
  stage.clock.timeMs = NOON + 37 * DAY_MS - 1;
  await mail.warn();
  expect(await queued()).toEqual([]);
  stage.clock.timeMs += 1;
  await mail.warn();
  await mail.warn();
  const [message, ...others] = await queued();
  expect(others).toEqual([]);
  expect(message?.subject).toBe('Live payments will be paused: fee invoice FEE-00000001-000001 is not paid');
  expect(message?.text).toContain(PAUSE);
});

it('warns nobody who has paid, also where the documents do not tell it yet', async () => {
  await issue();
  const before = await stage.readModels.get(feeInvoicesProjection, 'live', INVOICE);
  await pay();
  stage.clock.timeMs = NOON + 40 * DAY_MS;
  await mail.warn();
  const late = Object.assign(stage.readModels, { list: () => Promise.resolve(before ? [before] : []) });
  expect((await late.list()).map(({ body }) => body.status)).toEqual(['open']);
  await mail.warn();
  expect(await queued()).toEqual([]);
});

it('suggests to the operator, once, to give back the fee of a payment that was lost on chain', async () => {
  await accrue('live');
  const event = await lose('live');
  await mail.tell(event as never);
  await mail.tell(event as never);
  const [message, ...others] = await queued();
  expect(others).toEqual([]);
  expect(message).toMatchObject({ to: 'operator@pay.example', subject: 'A fee of 0.12 EUR may have to be given back' });
  expect(message?.text).toContain(
    `npx quittance fee adjust ${MERCHANT} --currency EUR --amount -12 --payment-intent ${PAYMENT} --memo "The payment was lost on chain" --id lost-${PAYMENT}`,
  );
  expect(await stage.store.readStream(`live.fee_account-${MERCHANT}`)).toEqual([]);
});

it('suggests nothing for test mode, or where no fee was booked', async () => {
  await accrue('test');
  await mail.tell((await lose('test')) as never);
  await mail.tell((await lose('live')) as never);
  expect(await queued()).toEqual([]);
});
