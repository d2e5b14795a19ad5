import { Command } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import type { PaymentSettings } from '../../../vocabulary/payment-settings';

/**
 * Makes the payment of an invoice, and another one once the last has ended unpaid. Answers the payment's id. Refused
 * with the reason where the last payment may still pay the invoice, or has paid it.
 */
export class IssueInvoice extends Command<string> {
  constructor(
    readonly invoice: string,
    readonly settings: PaymentSettings,
    readonly context: MerchantContext,
  ) {
    super();
  }
}

/** Ends an unpaid invoice, and cancels its payment. Refused where money for it is under way, or has come. */
export class VoidInvoice extends Command<void> {
  constructor(
    readonly invoice: string,
    readonly context: MerchantContext,
  ) {
    super();
  }
}
