import { Command } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';

/** Mails an issued invoice to its customer. Handled by the process that counts the mails of an account. */
export class SendInvoice extends Command<void> {
  constructor(
    readonly invoice: string,
    readonly context: MerchantContext,
  ) {
    super();
  }
}
