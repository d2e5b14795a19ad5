import { Module } from '@nestjs/common';
import { PaymentIntentsController } from './api/payment-intents.controller';
import { CancelPaymentIntentHandler } from './commands/cancel-payment-intent.command';
import { CreatePaymentIntentHandler } from './commands/create-payment-intent.command';
import { DecideReviewHandler } from './commands/decide-review.command';
import { PlaceHoldHandler } from './commands/place-hold.command';
import { ResolveHoldHandler } from './commands/resolve-hold.command';
import { RestartPaymentHandler } from './commands/restart-payment.command';
import { FindPaymentsHandler } from './queries/find-payments.handler';

@Module({
  controllers: [PaymentIntentsController],
  providers: [
    CreatePaymentIntentHandler,
    CancelPaymentIntentHandler,
    DecideReviewHandler,
    PlaceHoldHandler,
    ResolveHoldHandler,
    RestartPaymentHandler,
    FindPaymentsHandler,
  ],
})
export class PaymentIntentsModule {}
