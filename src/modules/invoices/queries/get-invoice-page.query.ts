import { Query } from '@nestjs/cqrs';
import type { InvoiceView } from './invoice-view';

/** By the id alone, which nobody can guess. Null for an unknown id, for a draft, and for a text that is no id. */
export class GetInvoicePage extends Query<InvoiceView | null> {
  constructor(readonly invoice: string) {
    super();
  }
}
