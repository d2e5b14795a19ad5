import type { AccessReader } from '../../kernel/access-reader';
import { isoTime, type Clock } from '../../kernel/clock';
import { parseStreamName, type RecordedEvent } from '../../kernel/event';
import { invariant } from '../../kernel/invariant';
import type { Log } from '../../kernel/ports/log';
import type { MailFacts } from '../../modules/outbox/mail-kinds';
import type { WritePath } from '../../kernel/write-path';
import type { Mode } from '../../vocabulary/modes';
import { invoices } from '../../modules/invoices/invoice.decider';
import type { InvoiceDraft, InvoiceEvent, InvoiceMailed } from '../../modules/invoices/invoice.events';
import type { ExistingInvoice } from '../../modules/invoices/invoice.state';
import { paymentIntents } from '../../modules/payment-intents/payment-intent.decider';
import { settingsAsked, settingsOf } from '../../modules/merchants/merchant-settings.read-model';
import { merchantsReadModel } from '../../modules/merchants/merchants.read-model';
import { PAYMENTS_LOOKED_AT, wayOfPayments } from '../invoices/former-payment';
import { isMuted } from './recipient';
import { MAILS_A_DAY, type CustomerMailQuota } from './customer-mail-quota';
import type { Outbox, OutboxMail, OutboxMessage } from '../../modules/outbox/outbox';

type InvoiceMailParts = {
  /** For the merchant. */
  readonly outbox: Outbox;
  readonly customerOutbox: Outbox;
  readonly quota: Pick<CustomerMailQuota, 'take'>;
  readonly writes: Pick<WritePath, 'load'>;
  readonly access: Pick<AccessReader, 'read'>;
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

/**
 * E-mail about invoices: to customers where an invoice was mailed, and to merchants where one is paid once too often. A
 * second run finds the message standing, because the message's id is the event's.
 */
export class InvoiceMail {
  constructor(private readonly parts: InvoiceMailParts) {}

  /** An account that is not active tells customers nothing. No mail asks for money of an invoice that has ended. */
  async tell(event: RecordedEvent<TellingEvent>): Promise<void> {
    const { outbox, writes, access, clock } = this.parts;
    const { universe: mode, id } = parseStreamName(event.stream);
    const { merchant_id: merchantId } = event.metadata;
    invariant(mode !== 'platform' && merchantId !== null, `${event.stream} is of no merchant`);
    if (event.type === 'InvoicePaid' || event.type === 'InvoiceVoided') return this.withdraw(mode, id);
    const [{ state }, [merchant, own]] = await Promise.all([
      writes.load(invoices, mode, id),
      access.read(settingsAsked(mode, merchantId)),
    ]);
    invariant(state.status !== 'none' && merchant !== null, `${event.stream} is of no invoice`);
    const { email, name, status } = merchant.body;
    if (event.type === 'InvoicePaidAgain') {
      if (await isMuted(writes, mode, merchantId, 'invoice_paid_again')) return;
      const facts = paidAgain(mode, id, state, event.data.payment_intent);
      await outbox.put({ id: event.id, to: email, merchantId, kind: 'invoice_paid_again', facts }, clock.now());
      return;
    }
    // The account may have been disabled for what it asks of people, and a closed one takes no payments.
    if (status !== 'active' || !isWanted(state, event.data)) return;
    if (event.data.kind === 'reminder' && (await this.isPaying(mode, state))) return;
    const to = mode === 'live' ? event.data.to : email;
    const shop = settingsOf(merchant.body, own?.body).brand.name ?? name;
    const facts = { mode, invoice: id, shop, ...mailed(state, event.data) };
    await this.mail({ id: event.id, to, merchantId, kind: 'invoice_mailed', facts }, mode, merchantId);
  }

  /** Counts the mail before it is put: after a crash in between it is counted twice, and sent once. */
  private async mail(mail: OutboxMail, mode: Mode, merchantId: string): Promise<void> {
    const { customerOutbox, quota, clock, log } = this.parts;
    if ((await customerOutbox.find(mail.id)) !== null) return;
    const room = await quota.take(mode, merchantId);
    const facts = { merchant: merchantId, mode, limit: MAILS_A_DAY[mode] };
    if (room === null) {
      log.warn({ ...facts, mail: mail.id }, 'mail to a customer is not sent: the coming days are full');
      return;
    }
    if (room.opensDay) log.warn({ ...facts, due: isoTime(room.dueMs) }, 'mail to customers waits for another day');
    await customerOutbox.put(mail, clock.now(), room.dueMs);
  }

  /** A message can wait for days, and its account may have been disabled or closed meanwhile. */
  async whyNot({ body }: OutboxMessage): Promise<string | null> {
    const id = body.merchant_id ?? null;
    if (id === null) return null;
    const asked = { readModel: merchantsReadModel, universe: 'platform', id } as const;
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
      await customerOutbox.change(message, { status: 'withheld', detail, done_at: isoTime(clock.now()) });
    }
  }
}

function isWanted({ status }: ExistingInvoice, { kind }: InvoiceMailed['data']): boolean {
  return status === 'open' || (status === 'paid' && kind === 'sent');
}

function mailed(
  state: ExistingInvoice,
  { kind, to: liveTo, reminder_days: reminderDays }: InvoiceMailed['data'],
): Omit<MailFacts['invoice_mailed'], 'mode' | 'invoice' | 'shop'> {
  const { number, draft } = state.terms;
  return {
    language: draft.language,
    number,
    customer: draft.customer?.name ?? null,
    liveTo,
    description: draft.description,
    amount: moneyOf(draft),
    due: draft.due_at === null ? null : { at: draft.due_at, timeZone: draft.time_zone },
    isPaid: state.status === 'paid',
    isReminder: kind === 'reminder',
    reminderDays,
  };
}

function paidAgain(
  mode: Mode,
  invoice: string,
  state: ExistingInvoice,
  paymentIntent: string,
): MailFacts['invoice_paid_again'] {
  const { number, draft } = state.terms;
  const isVoid = state.status === 'void';
  const paidBy = state.status === 'paid' ? state.paidBy : null;
  return { mode, invoice, number, amount: moneyOf(draft), isVoid, paidBy, paymentIntent };
}

function moneyOf(draft: InvoiceDraft): MailFacts['invoice_mailed']['amount'] {
  const { amount_minor_units: minorUnits, currency, currency_decimals: decimals } = draft;
  return { currency, minorUnits, decimals };
}
