import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { CheckoutNaming, CheckoutView } from '../../modules/checkout/queries/checkout-view';
import { GetCheckoutNaming } from '../../modules/checkout/queries/get-checkout-naming.query';
import { GetCheckoutPayment } from '../../modules/checkout/queries/get-checkout-payment.query';
import { CheckoutPayments } from './checkout-payments';

@QueryHandler(GetCheckoutPayment)
export class GetCheckoutPaymentHandler implements IQueryHandler<GetCheckoutPayment> {
  constructor(private readonly payments: CheckoutPayments) {}

  execute({ paymentIntent }: GetCheckoutPayment): Promise<CheckoutView | null> {
    return this.payments.view(paymentIntent);
  }
}

@QueryHandler(GetCheckoutNaming)
export class GetCheckoutNamingHandler implements IQueryHandler<GetCheckoutNaming> {
  constructor(private readonly payments: CheckoutPayments) {}

  execute({ paymentIntent, namingId }: GetCheckoutNaming): Promise<CheckoutNaming | null> {
    return this.payments.naming(paymentIntent, namingId);
  }
}
