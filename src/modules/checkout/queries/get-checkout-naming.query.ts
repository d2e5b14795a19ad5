import { Query } from '@nestjs/cqrs';
import type { CheckoutNaming, CheckoutView } from './checkout-view';

export type NamedCheckout = { readonly view: CheckoutView; readonly naming: CheckoutNaming };

/**
 * The payment with one of its namings. Null for a naming for another payment, for an unknown one, and for texts that
 * are no ids.
 */
export class GetCheckoutNaming extends Query<NamedCheckout | null> {
  constructor(
    readonly paymentIntent: string,
    readonly namingId: string,
  ) {
    super();
  }
}
