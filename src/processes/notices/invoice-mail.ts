import type { AccessReader } from '../../kernel/access-reader';
import { parseIsoTime, type Clock } from '../../kernel/clock';
import { parseStreamName, type RecordedEvent } from '../../kernel/event';
import { invariant } from '../../kernel/invariant';
import type { WritePath } from '../../kernel/write-path';
import type { Mode } from '../../vocabulary/modes';
import { formatUnits } from '../../vocabulary/money';
import { invoices } from '../../modules/invoices/invoice.decider';
import type { InvoiceDraft, InvoiceMailed, InvoicePaidAgain } from '../../modules/invoices/invoice.events';
import type { ExistingInvoice } from '../../modules/invoices/invoice.state';
import { settingsAsked, settingsOf } from '../../modules/merchants/merchant-settings.read-model';
import type { NoticeText } from './notice-text';
import type { Outbox } from './outbox';

type InvoiceMailParts = {
  readonly outbox: Outbox;
  readonly writes: Pick<WritePath, 'load'>;
  readonly access: Pick<AccessReader, 'read'>;
  /** An invoice's page is `{invoicesUrl}/{id}`. */
  readonly invoicesUrl: string;
  readonly dashboardUrl: string;
  readonly clock: Clock;
};

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

  /** Nothing is sent where the invoice has ended since, and the message would ask for money. */
  async tell(event: RecordedEvent<InvoiceMailed | InvoicePaidAgain>): Promise<void> {
    const { outbox, writes, access, invoicesUrl, dashboardUrl, clock } = this.parts;
    const { universe: mode, id } = parseStreamName(event.stream);
    const { merchant_id: merchantId } = event.metadata;
    invariant(mode !== 'platform' && merchantId !== null, `${event.stream} is of no merchant`);
    const [{ state }, [merchant, own]] = await Promise.all([
      writes.load(invoices, mode, id),
      access.read(settingsAsked(mode, merchantId)),
    ]);
    invariant(state.status !== 'none' && merchant !== null, `${event.stream} is of no invoice`);
    const shop = settingsOf(merchant.body, own?.body).brand.name ?? merchant.body.name;
    const told: Told = { id, mode, shop, state, url: `${invoicesUrl}/${id}` };
    if (event.type === 'InvoicePaidAgain') {
      const text = paidAgain(told, event.data.payment_intent, dashboardUrl);
      await outbox.put({ id: event.id, to: merchant.body.email, ...text }, clock.now());
      return;
    }
    const isWanted = state.status === 'open' || (state.status === 'paid' && event.data.kind === 'sent');
    if (!isWanted) return;
    await outbox.put({ id: event.id, to: event.data.to, ...mailed(told, event.data) }, clock.now());
  }
}

function mailed({ mode, shop, state, url }: Told, { kind, reminder_days: days }: InvoiceMailed['data']): NoticeText {
  const { number, draft } = state.terms;
  const subject = `${kind === 'reminder' ? 'Reminder: invoice' : 'Invoice'} ${number} from ${shop}`;
  return {
    subject: mode === 'test' ? `${subject} (test)` : subject,
    text: lines(
      ...(mode === 'test' ? ['This message is a test: no money is due.', ''] : []),
      ...(draft.customer === null ? [] : [`Hello ${draft.customer.name},`, '']),
      opening(shop, kind, days),
      '',
      `Invoice: ${number}`,
      ...(draft.description === null ? [] : [`For: ${draft.description}`]),
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
