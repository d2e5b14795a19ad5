import { Module } from '@nestjs/common';
import { InvoicesController } from './api/invoices.controller';
import { DraftInvoiceHandler } from './commands/draft-invoice.command';

/** The composition root provides InvoiceReader, and the handlers of IssueInvoice, SendInvoice and VoidInvoice. */
@Module({
  controllers: [InvoicesController],
  providers: [DraftInvoiceHandler],
})
export class InvoicesModule {}
