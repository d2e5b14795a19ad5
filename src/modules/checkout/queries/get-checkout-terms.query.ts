import { Query } from '@nestjs/cqrs';
import type { CheckoutTerms } from './checkout-view';

/** By the id alone, which nobody can guess. Null for an unknown id, and for a text that is no id. */
export class GetCheckoutTerms extends Query<CheckoutTerms | null> {
  constructor(readonly paymentIntent: string) {
    super();
  }
}
