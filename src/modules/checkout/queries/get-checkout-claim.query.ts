import { Query } from '@nestjs/cqrs';
import type { CheckoutClaim } from './checkout-view';

/** Null for a claim of another payment, for an unknown one, and for texts that are no ids. */
export class GetCheckoutClaim extends Query<CheckoutClaim | null> {
  constructor(
    readonly paymentIntent: string,
    readonly claim: string,
  ) {
    super();
  }
}
