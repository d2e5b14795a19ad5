import { parseIsoTime } from '../../kernel/clock';
import { randomUuid, type Entropy } from '../../kernel/entropy';
import { parseStreamName, type RecordedEvent } from '../../kernel/event';
import type { GroupMessage } from '../../kernel/ports/event-store';
import type { SystemCommands } from '../../kernel/system-commands';
import type { WritePath } from '../../kernel/write-path';
import type { Mode } from '../../vocabulary/modes';
import { draftFrom } from '../../modules/invoices/commands/draft-invoice.command';
import { invoices } from '../../modules/invoices/invoice.decider';
import type { InvoiceIssued, InvoiceNumberAllocated } from '../../modules/invoices/invoice.events';
import { paymentIntents } from '../../modules/payment-intents/payment-intent.decider';
import type { InvoicePayments } from './invoice-payments';

/** The categories whose events invoices follow. */
export const INVOICE_CATEGORIES: readonly string[] = ['invoice_series', 'invoice', 'payment_intent'];

/**
 * Derives an invoice from its number and a payment from its issue, where a crash left that undone. Marks invoices as
 * paid. Part of the group `consequences`: safe for any message, in any order and as often as it comes.
 */
export class InvoiceGroup {
  private readonly commands: SystemCommands;

  constructor(
    private readonly writes: WritePath,
    commands: SystemCommands,
    private readonly payments: Pick<InvoicePayments, 'make'>,
    private readonly entropy: Entropy,
  ) {
    this.commands = commands.of('invoices');
  }

  async handle({ event }: GroupMessage): Promise<void> {
    const { universe: mode, id } = parseStreamName(event.stream);
    // The group hears of people and sessions as well, since its other parts write to them.
    if (mode === 'platform') return;
    switch (event.type) {
      case 'InvoiceNumberAllocated':
        await draftFrom(this.writes, event as RecordedEvent<InvoiceNumberAllocated>, randomUuid(this.entropy));
        return;
      case 'InvoiceIssued':
        return this.payments.make(event as RecordedEvent<InvoiceIssued>, id, randomUuid(this.entropy));
      case 'PaymentConfirmed':
      case 'PaymentOverpaid':
        return this.markPaid(mode, id, event);
      default:
        return;
    }
  }

  /** The invoice is paid as of the payment's own moment. */
  private async markPaid(mode: Mode, paymentIntent: string, cause: RecordedEvent): Promise<void> {
    const { state } = await this.commands.read(paymentIntents, mode, paymentIntent);
    const invoice = state.status === 'none' ? null : state.terms.invoice;
    if (invoice === null) return;
    await this.commands.execute(
      invoices,
      invoice,
      () => ({ command: { type: 'pay', paymentIntent } as const, actor: 'matcher' }),
      { mode, cause, nowMs: parseIsoTime(cause.metadata.occurred_at) },
    );
  }
}
