import { Module } from '@nestjs/common';
import { InvoicesController } from './api/invoices.controller';
import { DraftInvoiceHandler } from './commands/draft-invoice.command';
import { SendInvoiceHandler } from './commands/send-invoice.command';

/** The composition root provides InvoicePresenter, and the handlers of IssueInvoice and VoidInvoice. */
@Module({
  controllers: [InvoicesController],
  providers: [DraftInvoiceHandler, SendInvoiceHandler],
})
export class InvoicesModule {}
