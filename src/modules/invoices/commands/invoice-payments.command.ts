import { Command } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import type { RecordedEvent } from '../../../kernel/event';
import type { PaymentSettings } from '../../../vocabulary/payment-settings';

/** The id of the payment, and the history of the invoice. */
export type IssuedInvoice = { readonly paymentIntent: string; readonly history: readonly RecordedEvent[] };

/**
 * Makes the payment of an invoice, and another one once the last has ended unpaid. Refused with the reason where the
 * last payment may still pay the invoice, or has paid it.
 */
export class IssueInvoice extends Command<IssuedInvoice> {
  constructor(
    readonly invoice: string,
    readonly settings: PaymentSettings,
    readonly context: MerchantContext,
  ) {
    super();
  }
}

/**
 * Ends an unpaid invoice, and cancels its payment. Refused where money for it is under way, or has come. Answers the
 * invoice's history.
 */
export class VoidInvoice extends Command<readonly RecordedEvent[]> {
  constructor(
    readonly invoice: string,
    readonly context: MerchantContext,
  ) {
    super();
  }
}
