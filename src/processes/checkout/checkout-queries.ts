import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { CheckoutClaim, CheckoutView } from '../../modules/checkout/queries/checkout-view';
import { GetCheckoutClaim } from '../../modules/checkout/queries/get-checkout-claim.query';
import { GetCheckoutPayment } from '../../modules/checkout/queries/get-checkout-payment.query';
import { CheckoutPayments } from './checkout-payments';

@QueryHandler(GetCheckoutPayment)
export class GetCheckoutPaymentHandler implements IQueryHandler<GetCheckoutPayment> {
  constructor(private readonly payments: CheckoutPayments) {}

  execute({ paymentIntent }: GetCheckoutPayment): Promise<CheckoutView | null> {
    return this.payments.view(paymentIntent);
  }
}

@QueryHandler(GetCheckoutClaim)
export class GetCheckoutClaimHandler implements IQueryHandler<GetCheckoutClaim> {
  constructor(private readonly payments: CheckoutPayments) {}

  execute({ paymentIntent, claim }: GetCheckoutClaim): Promise<CheckoutClaim | null> {
    return this.payments.claim(paymentIntent, claim);
  }
}
