import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import { WritePath } from '../../../kernel/write-path';
import { invoices } from '../invoice.decider';

/** Mails an issued invoice to its customer. */
export class SendInvoice extends Command<void> {
  constructor(
    readonly invoice: string,
    readonly context: MerchantContext,
  ) {
    super();
  }
}

@CommandHandler(SendInvoice)
export class SendInvoiceHandler implements ICommandHandler<SendInvoice> {
  constructor(private readonly writes: WritePath) {}

  async execute({ invoice, context }: SendInvoice): Promise<void> {
    await this.writes.execute(invoices, invoice, { type: 'send' }, context);
  }
}
