import { Module } from '@nestjs/common';
import { PaymentIntentsController } from './api/payment-intents.controller';
import { CancelPaymentIntentHandler } from './commands/cancel-payment-intent.command';
import { CreatePaymentIntentHandler } from './commands/create-payment-intent.command';
import { DecideReviewHandler } from './commands/decide-review.command';
import { PlaceHoldHandler } from './commands/place-hold.command';
import { ResolveHoldHandler } from './commands/resolve-hold.command';

@Module({
  controllers: [PaymentIntentsController],
  providers: [
    CreatePaymentIntentHandler,
    CancelPaymentIntentHandler,
    DecideReviewHandler,
    PlaceHoldHandler,
    ResolveHoldHandler,
  ],
})
export class PaymentIntentsModule {}
