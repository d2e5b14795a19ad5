import { Query } from '@nestjs/cqrs';
import type { CheckoutNaming } from './checkout-view';

/** Null for a naming for another payment, for an unknown one, and for texts that are no ids. */
export class GetCheckoutNaming extends Query<CheckoutNaming | null> {
  constructor(
    readonly paymentIntent: string,
    readonly namingId: string,
  ) {
    super();
  }
}
