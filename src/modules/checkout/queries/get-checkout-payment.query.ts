import { Query } from '@nestjs/cqrs';
import type { CheckoutView } from './checkout-view';

/** By the id alone, which nobody can guess. Null for an unknown id, and for a text that is no id. */
export class GetCheckoutPayment extends Query<CheckoutView | null> {
  constructor(readonly paymentIntent: string) {
    super();
  }
}
