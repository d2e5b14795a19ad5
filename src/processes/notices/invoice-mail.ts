import type { AccessReader } from '../../kernel/access-reader';
import { isoTime, parseIsoTime, type Clock } from '../../kernel/clock';
import { parseStreamName, type RecordedEvent } from '../../kernel/event';
import { invariant } from '../../kernel/invariant';
import type { Log } from '../../kernel/ports/log';
import type { Mail } from '../../kernel/ports/mail';
import type { WritePath } from '../../kernel/write-path';
import type { Mode } from '../../vocabulary/modes';
import { formatUnits } from '../../vocabulary/money';
import { invoices } from '../../modules/invoices/invoice.decider';
import type { InvoiceDraft, InvoiceEvent, InvoiceMailed } from '../../modules/invoices/invoice.events';
import type { ExistingInvoice } from '../../modules/invoices/invoice.state';
import { paymentIntents } from '../../modules/payment-intents/payment-intent.decider';
import { settingsAsked, settingsOf } from '../../modules/merchants/merchant-settings.read-model';
import { merchantsReadModel } from '../../modules/merchants/merchants.read-model';
import { PAYMENTS_LOOKED_AT, wayOfPayments } from '../invoices/former-payment';
import { MAILS_A_DAY, type CustomerMailQuota } from './customer-mail-quota';
import type { NoticeText } from './notice-text';
import type { Outbox, OutboxMessage } from './outbox';

/** Ends of lines, behind which a text would go on as a line of the message. */
const ENDS = /[\p{Cc}\u2028\u2029]+/gu;
/** Marks that turn the direction of all that follows. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;

type InvoiceMailParts = {
  /** For the merchant. */
  readonly outbox: Outbox;
  readonly customerOutbox: Outbox;
  readonly quota: Pick<CustomerMailQuota, 'take'>;
  readonly writes: Pick<WritePath, 'load'>;
  readonly access: Pick<AccessReader, 'read'>;
  /** An invoice's page is `{invoicesUrl}/{id}`. */
  readonly invoicesUrl: string;
  readonly dashboardUrl: string;
  readonly clock: Clock;
  readonly log: Log;
};

/** The events of which somebody is told, and those after which a message would be out of date. */
type TellingEvent = Extract<
  InvoiceEvent,
  { readonly type: 'InvoiceMailed' | 'InvoicePaid' | 'InvoicePaidAgain' | 'InvoiceVoided' }
>;

export function isTelling(event: RecordedEvent): event is RecordedEvent<TellingEvent> {
  return ['InvoiceMailed', 'InvoicePaid', 'InvoicePaidAgain', 'InvoiceVoided'].includes(event.type);
}

/** An invoice with its shop, as a message tells of it. */
type Told = {
  readonly id: string;
  readonly mode: Mode;
  readonly shop: string;
  readonly state: ExistingInvoice;
  readonly url: string;
};

/**
 * E-mail about invoices: to customers where an invoice was mailed, and to merchants where one is paid once too often. A
 * second run finds the message standing, because the message's id is the event's.
 */
export class InvoiceMail {
  constructor(private readonly parts: InvoiceMailParts) {}

  /** An account that is not active tells customers nothing. No mail asks for money of an invoice that has ended. */
  async tell(event: RecordedEvent<TellingEvent>): Promise<void> {
    const { outbox, writes, access, invoicesUrl, dashboardUrl, clock } = this.parts;
    const { universe: mode, id } = parseStreamName(event.stream);
    const { merchant_id: merchantId } = event.metadata;
    invariant(mode !== 'platform' && merchantId !== null, `${event.stream} is of no merchant`);
    if (event.type === 'InvoicePaid' || event.type === 'InvoiceVoided') return this.withdraw(mode, id);
    const [{ state }, [merchant, own]] = await Promise.all([
      writes.load(invoices, mode, id),
      access.read(settingsAsked(mode, merchantId)),
    ]);
    invariant(state.status !== 'none' && merchant !== null, `${event.stream} is of no invoice`);
    const { brand } = settingsOf(merchant.body, own?.body);
    const shop = onOneLine(brand.name ?? merchant.body.name);
    const told: Told = { id, mode, shop, state, url: `${invoicesUrl}/${id}` };
    if (event.type === 'InvoicePaidAgain') {
      const text = paidAgain(told, event.data.payment_intent, dashboardUrl);
      await outbox.put({ id: event.id, to: merchant.body.email, ...text }, clock.now());
      return;
    }
    // The account may have been disabled for what it asks of people, and a closed one takes no payments.
    if (merchant.body.status !== 'active' || !isWanted(state, event.data)) return;
    if (event.data.kind === 'reminder' && (await this.isPaying(mode, state))) return;
    const to = mode === 'live' ? event.data.to : merchant.body.email;
    await this.mail({ id: event.id, to, ...mailed(told, event.data) }, mode, merchantId);
  }

  /** Counts the mail before it is put: after a crash in between it is counted twice, and sent once. */
  private async mail(mail: Mail, mode: Mode, merchantId: string): Promise<void> {
    const { customerOutbox, quota, clock, log } = this.parts;
    if ((await customerOutbox.find(mail.id)) !== null) return;
    const room = await quota.take(mode, merchantId);
    const facts = { merchant: merchantId, mode, limit: MAILS_A_DAY[mode] };
    if (room === null) {
      log.warn({ ...facts, mail: mail.id }, 'mail to a customer is not sent: the coming days are full');
      return;
    }
    if (room.opensDay) log.warn({ ...facts, due: isoTime(room.dueMs) }, 'mail to customers waits for another day');
    await customerOutbox.put({ ...mail, merchant_id: merchantId }, clock.now(), room.dueMs);
  }

  /** A message can wait for days, and its account may have been disabled or closed meanwhile. */
  async whyNot({ body }: OutboxMessage): Promise<string | null> {
    if (body.merchant_id === undefined) return null;
    const asked = { readModel: merchantsReadModel, universe: 'platform', id: body.merchant_id } as const;
    const [merchant] = await this.parts.access.read([asked]);
    const status = merchant?.body.status ?? 'active';
    return status === 'active' ? null : `the account is ${status}`;
  }

  /** Money of the customer's is under way, or waits for the merchant's word. */
  private async isPaying(mode: Mode, { payments }: ExistingInvoice): Promise<boolean> {
    const { writes } = this.parts;
    const newest = payments.slice(-PAYMENTS_LOOKED_AT);
    const states = await Promise.all(newest.map(async id => (await writes.load(paymentIntents, mode, id)).state));
    return wayOfPayments(states).paying === 'under_way';
  }

  /** A message can wait for days for its mail server: those that nobody wants any more do not go out. */
  private async withdraw(mode: Mode, id: string): Promise<void> {
    const { customerOutbox, writes, clock } = this.parts;
    const { state, history } = await writes.load(invoices, mode, id);
    invariant(state.status !== 'none', `${id} has ended, and is no invoice`);
    for (const event of history) {
      if (event.type !== 'InvoiceMailed' || isWanted(state, event.data)) continue;
      const message = await customerOutbox.find(event.id);
      if (message === null || message.body.status !== 'queued') continue;
      const detail = `the invoice is ${state.status} meanwhile`;
      await customerOutbox.change(message, { status: 'given_up', detail, done_at: isoTime(clock.now()) });
    }
  }
}

function isWanted({ status }: ExistingInvoice, { kind }: InvoiceMailed['data']): boolean {
  return status === 'open' || (status === 'paid' && kind === 'sent');
}

/** A text of the merchant's own, which can neither make a line that it does not begin nor turn one around. */
function onOneLine(text: string): string {
  return text.replaceAll(ENDS, ' ').replaceAll(DIRECTIONS, '');
}

function mailed(
  { mode, shop, state, url }: Told,
  { kind, to, reminder_days: days }: InvoiceMailed['data'],
): NoticeText {
  const { number, draft } = state.terms;
  const subject = `${kind === 'reminder' ? 'Reminder: invoice' : 'Invoice'} ${number} from ${shop}`;
  return {
    subject: mode === 'test' ? `${subject} (test)` : subject,
    text: lines(
      ...(mode === 'test' ? ['This message is a test: no money is due.', `In live mode it goes to ${to}.`, ''] : []),
      ...(draft.customer === null ? [] : [`Hello ${onOneLine(draft.customer.name)},`, '']),
      opening(shop, kind, days),
      '',
      `Invoice: ${number}`,
      ...(draft.description === null ? [] : [`For: ${onOneLine(draft.description)}`]),
      `Amount: ${money(draft)}`,
      ...(draft.due_at === null ? [] : [`Due: ${day(draft.due_at, draft.time_zone)}`]),
      ...(state.status === 'paid' ? ['Paid: yes'] : []),
      '',
      state.status === 'paid' ? `See and print it here: ${url}` : `See, print and pay it here: ${url}`,
    ),
  };
}

function opening(shop: string, kind: InvoiceMailed['data']['kind'], days: number | null): string {
  if (kind !== 'reminder' || days === null) return `${shop} has sent you an invoice.`;
  if (days < 0) return `The invoice from ${shop} below will be due soon.`;
  if (days === 0) return `The invoice from ${shop} below is due today.`;
  return `The invoice from ${shop} below is overdue. If you have paid it meanwhile, there is nothing to do.`;
}

function paidAgain({ id, mode, state }: Told, paymentIntent: string, dashboardUrl: string): NoticeText {
  const { number, draft } = state.terms;
  const isVoid = state.status === 'void';
  return {
    subject: `The invoice ${number} was paid ${isVoid ? 'though it is void' : 'a second time'} (${mode} mode)`,
    text: lines(
      isVoid
        ? 'A payment of an invoice was confirmed after you had voided the invoice.'
        : 'A further payment of an invoice was confirmed, though the invoice was paid already.',
      '',
      `Invoice: ${number} (${id})`,
      `Amount: ${money(draft)}`,
      ...(state.status === 'paid' ? [`Paid by: ${state.paidBy}`] : []),
      `Payment that came on top: ${paymentIntent}`,
      '',
      `The money lies in your wallet. Clear it up with your customer: ${dashboardUrl}`,
    ),
  };
}

function money({ amount_minor_units: amount, currency, currency_decimals: decimals }: InvoiceDraft): string {
  return `${formatUnits(BigInt(amount), decimals, decimals)} ${currency}`;
}

function day(at: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone }).format(parseIsoTime(at));
}

function lines(...each: readonly string[]): string {
  return `${each.join('\n')}\n`;
}
