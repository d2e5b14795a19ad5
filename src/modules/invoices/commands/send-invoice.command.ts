import { Command } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import type { RecordedEvent } from '../../../kernel/event';

/**
 * Mails an issued invoice to its customer. Handled by the process that counts the mails of an account. Answers the
 * invoice's history.
 */
export class SendInvoice extends Command<readonly RecordedEvent[]> {
  constructor(
    readonly invoice: string,
    readonly context: MerchantContext,
  ) {
    super();
  }
}
