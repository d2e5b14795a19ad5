import { operatorContext } from '../../../src/cli/operator-context';
import { DAY_MS, isoTime } from '../../../src/kernel/clock';
import { START_OF_LOG } from '../../../src/kernel/ports/event-store';
import { invoices } from '../../../src/modules/invoices/invoice.decider';
import { notifications } from '../../../src/modules/outbox/notifications.decider';
import {
  CUSTOMER_OUTBOX_COLLECTION,
  OUTBOX_COLLECTION,
  type OutboxDocument,
  type OutboxMessage,
} from '../../../src/modules/outbox/outbox';
import { DAYS_AHEAD, MAILS_A_DAY } from '../../../src/processes/notices/customer-mail-quota';
import { InvoiceMail } from '../../../src/processes/notices/invoice-mail';
import { merchants } from '../../../src/modules/merchants/merchant.decider';
import { systemContext } from '../../../src/kernel/command-context';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import { transfer } from '../../modules/payment-intents/histories';
import { ApiStage, type ApiInstance } from '../../support/api-stage';
import type { StagedMerchant } from '../../support/staged-merchant';

const LIMIT_MS = 60_000;
const ADA = { name: 'Ada Byron', email: 'ada@example.com' };

let stage: ApiStage;
let instance: ApiInstance;
let merchant: StagedMerchant;

beforeAll(async () => {
  stage = await ApiStage.open();
  instance = await stage.startInstance({ takesLive: true });
}, LIMIT_MS);
beforeEach(async () => {
  merchant = await stage.register(instance);
});
afterAll(() => stage.close());

const inDays = (days: number) => isoTime(stage.clock.now() + days * DAY_MS);
async function issued(changes: object = {}, key = merchant.registered.keys.test) {
  const body = { currency: 'EUR', amount: '2975', customer: ADA, description: 'Tea of November', ...changes };
  const { id } = await merchant.done('POST /v1/invoices', { body, key });
  return merchant.done(`POST /v1/invoices/${id}/issue`, { key });
}
const advance = (byMs: number) => merchant.done('POST /v1/sandbox/clock', { body: { advance_ms: byMs } });
const typesOf = async (id: string) => (await stage.core.store.readStream(`test.invoice-${id}`)).map(({ type }) => type);

/** The messages with this part on their way, after the group has read all events so far. */
async function mailAbout(part: string): Promise<readonly OutboxDocument[]> {
  const reading = new AbortController();
  const { notices } = instance.parts.notifying;
  for await (const { events, live } of stage.core.store.subscribe(
    { categories: ['invoice'] },
    START_OF_LOG,
    reading.signal,
  )) {
    for (const event of events) await notices.handle({ event, retries: 0 });
    if (live) reading.abort();
  }
  return [...(await queued(OUTBOX_COLLECTION, part)), ...(await queued(CUSTOMER_OUTBOX_COLLECTION, part))];
}

async function queued(
  of: typeof OUTBOX_COLLECTION,
  part: string,
  status: OutboxDocument['status'] = 'queued',
): Promise<readonly OutboxDocument[]> {
  const outbox = await stage.core.documents.open<OutboxDocument>(of);
  const listed = await outbox.list({ index: 'by_due', equals: { status }, limit: 1_000 });
  return listed.map(({ body }) => body).filter(({ subject, text }) => `${subject}\n${text}`.includes(part));
}

it('brings the invoice to its customer at the issue, once', async () => {
  const due_at = '2030-12-01T23:30:00.000Z';
  await merchant.done('POST /v1/settings', { body: { time_zone: 'Europe/Paris', brand: { name: 'Tea House' } } });
  const { id, number, hosted_url } = await issued({ due_at });
  await mailAbout(id);
  const mails = await mailAbout(id);
  expect(mails).toHaveLength(1);
  expect(mails[0]).toMatchObject({
    to: expect.stringMatching(/^owner\d+@/) as string,
    subject: `Invoice ${number} from Tea House (test)`,
  });
  const lines = mails[0]?.text.split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'This message is a test: no money is due.',
      'In live mode it goes to ada@example.com.',
      'Hello Ada Byron,',
      'Tea House has sent you an invoice.',
      'For: Tea of November',
      'Amount: 29.75 EUR',
      // Paris is one hour ahead, and has the next day.
      'Due: December 2, 2030',
      `See, print and pay it here: ${hosted_url}?lang=en`,
    ]),
  );
});

it('is in the language of the invoice, or else of the settings at its draft', async () => {
  await merchant.done('POST /v1/settings', { body: { customer_language: 'fr', brand: { name: 'Tea House' } } });
  const [named, unnamed] = [await issued({ language: 'de' }), await issued()];
  await merchant.done('POST /v1/settings', { body: { customer_language: 'es' } });
  expect((await mailAbout(named.id))[0]?.text).toContain('Tea House hat Ihnen eine Rechnung geschickt.');
  expect((await mailAbout(unnamed.id))[0]?.text).toContain('Tea House vous a envoyé une facture.');
});

it('is sent once more on request, and goes to nobody without an address', async () => {
  const { id } = await issued();
  await merchant.done(`POST /v1/invoices/${id}/send`);
  expect(await mailAbout(id)).toHaveLength(2);
  const nameless = await issued({ customer: { name: 'Ada' } });
  expect(await mailAbout(nameless.id)).toHaveLength(0);
});

it('asks for no money once the invoice has ended', async () => {
  const { id } = await issued();
  await merchant.done(`POST /v1/invoices/${id}/void`);
  expect(await mailAbout(id)).toHaveLength(0);
});

it('lies apart from mail to accounts, which does not wait behind it', async () => {
  const { id } = await issued();
  expect(await mailAbout(id)).toHaveLength(1);
  expect(await queued(OUTBOX_COLLECTION, id)).toHaveLength(0);
});

it('goes to the customer in live mode', async () => {
  const { id, number } = await issued({}, merchant.registered.keys.live);
  const [mail] = await mailAbout(id);
  expect(mail).toMatchObject({
    to: ADA.email,
    subject: `Invoice ${number} from Corner Shop`,
    merchant_id: merchant.id,
  });
  expect(mail?.text).not.toContain('live mode');
});

it('does not go out for an account that was disabled while the mail waited', async () => {
  const { id } = await issued();
  await mailAbout(id);
  const messages = await stage.core.documents.open<OutboxDocument>(CUSTOMER_OUTBOX_COLLECTION);
  const own = { index: 'by_merchant', equals: { status: 'queued', merchant_id: merchant.id }, limit: 1 };
  const [message] = (await messages.list(own)) as [OutboxMessage];
  const { whyNot } = InvoiceMail.prototype;
  const why = () => whyNot.call({ parts: stage.core } as never, message);
  expect(await why()).toBeNull();
  const context = { ...operatorContext({ ...stage.core, user: 'alice' }), merchantId: merchant.id };
  await stage.core.writes.execute(merchants, merchant.id, { type: 'disable', reason: 'a complaint' }, context);
  expect(await why()).toBe('the account is disabled');
});

describe('a message that waits for its mail server', () => {
  it('does not go out once the invoice is void', async () => {
    const { id } = await issued();
    await merchant.done(`POST /v1/invoices/${id}/send`);
    expect(await mailAbout(id)).toHaveLength(2);
    await merchant.done(`POST /v1/invoices/${id}/void`);
    expect(await mailAbout(id)).toHaveLength(0);
    const unwanted = { detail: 'the invoice is void meanwhile' };
    expect(await queued(CUSTOMER_OUTBOX_COLLECTION, id, 'withheld')).toMatchObject([unwanted, unwanted]);
  });

  it('asks for no money once the invoice is paid, and goes out where the merchant has sent it', async () => {
    const { id, payment_intent: paymentIntent } = await issued();
    await merchant.done(`POST /v1/invoices/${id}/send`);
    expect(await mailAbout(id)).toHaveLength(2);
    const facts = { actor: 'matcher', mode: 'test', merchantId: merchant.id, now: stage.clock.now() } as const;
    const pay = { type: 'pay', paymentIntent } as const;
    await instance.parts.core.writes.execute(invoices, id, pay, systemContext(`pay-${id}`, facts));
    expect(await mailAbout(id)).toHaveLength(1);
  });
});

it('has no line that a text of the merchant makes, and none that a text turns around', async () => {
  await merchant.done('POST /v1/settings', { body: { brand: { name: 'Tea\u202e House' } } });
  const customer = { name: 'Ada\u2028Amount: 1.00 EUR', email: ADA.email };
  const { id } = await issued({ customer, description: 'Tea\nAmount: 1.00 EUR\r\n\u2066Paid: yes' });
  const [mail] = await mailAbout(id);
  expect(`${mail?.subject}${mail?.text}`).not.toMatch(/[\u2028\u2029\u202a-\u202e\u2066-\u2069\r]/);
  expect(mail?.text.split('\n').filter(line => /^(?:Amount|Paid)/.test(line))).toEqual(['Amount: 29.75 EUR']);
});

it('is not sent for an account that was disabled', async () => {
  const { id } = await issued();
  const context = { ...operatorContext({ ...stage.core, user: 'alice' }), merchantId: merchant.id };
  await stage.core.writes.execute(merchants, merchant.id, { type: 'disable', reason: 'a complaint' }, context);
  expect(await mailAbout(id)).toHaveLength(0);
});

it('reminds by the setting at the draft and by the clock of the merchant, each time once', async () => {
  await merchant.done('POST /v1/settings', { body: { reminders: [-3, 7] } });
  const { id } = await issued({ due_at: inDays(10) });
  await merchant.done('POST /v1/settings', { body: { reminders: [1] } });
  await stage.project();
  await advance(6 * DAY_MS);
  expect(await typesOf(id)).toEqual(['InvoiceDrafted', 'InvoiceIssued', 'InvoiceMailed']);
  await advance(1.5 * DAY_MS);
  await advance(DAY_MS);
  expect(await typesOf(id)).toEqual(['InvoiceDrafted', 'InvoiceIssued', 'InvoiceMailed', 'InvoiceMailed']);
  await advance(2 * DAY_MS);
  expect((await typesOf(id)).at(-1)).toBe('InvoiceFellOverdue');
  expect(await merchant.done(`GET /v1/invoices/${id}`)).toMatchObject({ overdue: true });
  await advance(7 * DAY_MS);
  await instance.parts.invoicing.deadlines.sweep();
  await advance(30 * DAY_MS);
  const texts = (await mailAbout(id)).map(({ text }) => text);
  expect(texts.filter(text => text.includes('will be due soon'))).toHaveLength(1);
  expect(texts.filter(text => text.includes('is overdue'))).toHaveLength(1);
  expect(texts).toHaveLength(3);
});

it('reminds nobody whose money is under way', async () => {
  const { id: wallet } = await merchant.registerWallet();
  await merchant.verifyWallet(wallet);
  await merchant.routeTo(wallet);
  await merchant.done('POST /v1/settings', { body: { reminders: [-3] } });
  const { id, payment_intent: payment } = await issued({ due_at: inDays(10) });
  await stage.project();
  const body = { token_id: 'usdc-base', wallet_id: wallet };
  await merchant.done(`POST /v1/payment_intents/${payment}/select_method`, { body });
  const { state } = await stage.core.writes.load(paymentIntents, 'test', payment);
  if (state.status !== 'awaiting_payment') throw new Error('no quote');
  const facts = { actor: 'watcher', mode: 'test', merchantId: merchant.id, now: stage.clock.now() } as const;
  const paid = { ...transfer('tr_1', state.quote.due_base_units), attribution: 'exact' } as const;
  const see = { type: 'see_transfer', transfer: paid } as const;
  await stage.core.writes.execute(paymentIntents, payment, see, systemContext(`see-${id}`, facts));
  await advance(8 * DAY_MS);
  expect(await typesOf(id)).toEqual(['InvoiceDrafted', 'InvoiceIssued', 'InvoiceMailed', 'InvoiceMailed']);
  expect((await mailAbout(id)).map(({ subject }) => subject)).toEqual([expect.stringMatching(/^Invoice /)]);
});

it('tells by itself that an invoice is overdue by the wall’s clock', async () => {
  const { id } = await issued({ due_at: inDays(1), customer: undefined });
  await stage.project();
  await instance.parts.invoicing.deadlines.sweep();
  expect(await typesOf(id)).not.toContain('InvoiceFellOverdue');
  stage.clock.pass(DAY_MS);
  await instance.parts.invoicing.deadlines.sweep();
  await instance.parts.invoicing.deadlines.sweep();
  expect((await typesOf(id)).filter(type => type === 'InvoiceFellOverdue')).toHaveLength(1);
});

it('tells the merchant of a second payment, and not of the first', async () => {
  const { id, payment_intent: first } = await issued();
  const facts = { actor: 'matcher', mode: 'test', merchantId: merchant.id, now: stage.clock.now() } as const;
  const pay = (paymentIntent: string) =>
    instance.parts.core.writes.execute(
      invoices,
      id,
      { type: 'pay', paymentIntent },
      systemContext(`pay-${paymentIntent}`, facts),
    );
  await pay(first);
  expect((await mailAbout(id)).some(({ subject }) => subject.includes('second time'))).toBe(false);
  await pay('pi_00000000000000000000000009');
  const tellings = async () => (await mailAbout(id)).filter(({ subject }) => subject.includes('second time'));
  const [told] = await tellings();
  expect(told?.to).toMatch(/^owner\d+@example\.com$/);
  expect(told?.text).toContain('pi_00000000000000000000000009');
  const mute = { type: 'set', muted: ['invoice_paid_again'] } as const;
  await stage.core.writes.execute(notifications, merchant.id, mute, systemContext(`mute-${id}`, facts));
  await pay('pi_00000000000000000000000010');
  expect(await tellings()).toHaveLength(1);
});

describe('an account that has mailed its customers as often as it may on a day', () => {
  const useUp = async (mode: 'live' | 'test') => {
    const { mailQuota } = instance.parts.notifying;
    for (let mails = 0; mails < MAILS_A_DAY[mode]; mails++) await mailQuota.take(mode, merchant.id);
  };
  const linesAbout = (text: string) =>
    stage.logged.filter(line => line.includes(text) && line.includes(merchant.id)).length;

  it.each(['live', 'test'] as const)('is refused to send an invoice in %s mode until the next day', async mode => {
    const key = merchant.registered.keys[mode];
    const { id } = await issued({}, key);
    await useUp(mode);
    const { status, code, headers } = await merchant.call(`POST /v1/invoices/${id}/send`, { key });
    expect([status, code]).toEqual([429, 'rate_limit']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(86_400);
    const other = merchant.registered.keys[mode === 'live' ? 'test' : 'live'];
    await merchant.done(`POST /v1/invoices/${(await issued({}, other)).id}/send`, { key: other });
    stage.clock.pass(DAY_MS);
    await merchant.done(`POST /v1/invoices/${id}/send`, { key });
  });

  it('has its other mail wait for the next day, and one line of the log says so', async () => {
    await useUp('test');
    const [one, other] = [await issued(), await issued()];
    const dayMs = (Math.floor(stage.clock.now() / DAY_MS) + 1) * DAY_MS;
    const mails = [...(await mailAbout(one.id)), ...(await mailAbout(other.id))];
    expect(mails.map(({ next_attempt_at }) => next_attempt_at)).toEqual([isoTime(dayMs), isoTime(dayMs)]);
    expect(linesAbout('mail to customers waits for another day')).toBe(1);
  });

  it('has no mail wait for longer than a week', async () => {
    for (let days = 0; days <= DAYS_AHEAD; days++) await useUp('test');
    const { id } = await issued();
    expect(await mailAbout(id)).toEqual([]);
    expect(linesAbout('mail to a customer is not sent')).toBeGreaterThan(0);
  });
});
