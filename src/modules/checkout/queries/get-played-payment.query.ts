import { Query } from '@nestjs/cqrs';
import type { AccountNow } from '../../merchants/read-account';
import type { CheckoutView } from './checkout-view';

/** A payment of test mode as its customer sees it, for the merchant who plays the customer. */
export class GetPlayedPayment extends Query<CheckoutView | null> {
  /** Null for a payment of another merchant or mode, for an unknown id, and for a text that is no id. */
  constructor(
    readonly paymentIntent: string,
    readonly merchantId: string,
    readonly account: AccountNow,
  ) {
    super();
  }
}
