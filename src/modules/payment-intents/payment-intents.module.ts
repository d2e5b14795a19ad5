import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { SelectMethodHandler } from '../../processes/method-selection/select-method.command';
import { PaymentIntentsController } from './api/payment-intents.controller';
import { CancelPaymentIntentHandler } from './commands/cancel-payment-intent.command';
import { CreatePaymentIntentHandler } from './commands/create-payment-intent.command';
import { DecideReviewHandler } from './commands/decide-review.command';

@Module({
  imports: [CqrsModule],
  controllers: [PaymentIntentsController],
  providers: [CreatePaymentIntentHandler, CancelPaymentIntentHandler, DecideReviewHandler, SelectMethodHandler],
})
export class PaymentIntentsModule {}
