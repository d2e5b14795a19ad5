import { Query } from '@nestjs/cqrs';
import type { CustomerTerms } from '../../../vocabulary/customer-terms';

/** By the id alone, which nobody can guess. Null for an unknown id, for a draft, and for a text that is no id. */
export class GetInvoiceTerms extends Query<CustomerTerms | null> {
  constructor(readonly invoice: string) {
    super();
  }
}
