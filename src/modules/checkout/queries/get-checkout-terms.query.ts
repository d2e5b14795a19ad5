import { Query } from '@nestjs/cqrs';
import type { CustomerTerms } from '../../../vocabulary/customer-terms';

/** By the id alone, which nobody can guess. Null for an unknown id, and for a text that is no id. */
export class GetCheckoutTerms extends Query<CustomerTerms | null> {
  constructor(readonly paymentIntent: string) {
    super();
  }
}
