import { Module } from '@nestjs/common';
import { PaymentLinksController } from './api/payment-links.controller';
import { CreatePaymentLinkHandler } from './commands/create-payment-link.command';
import { DeactivatePaymentLinkHandler } from './commands/deactivate-payment-link.command';

/** The composition root provides PaymentLinkReader, and the handler that opens payments. */
@Module({
  controllers: [PaymentLinksController],
  providers: [CreatePaymentLinkHandler, DeactivatePaymentLinkHandler],
})
export class PaymentLinksModule {}
