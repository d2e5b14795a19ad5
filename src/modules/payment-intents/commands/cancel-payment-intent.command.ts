import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import { WritePath } from '../../../kernel/write-path';
import { paymentIntents } from '../payment-intent.decider';

export class CancelPaymentIntent extends Command<void> {
  constructor(
    readonly paymentIntent: string,
    readonly context: MerchantContext,
  ) {
    super();
  }
}

@CommandHandler(CancelPaymentIntent)
export class CancelPaymentIntentHandler implements ICommandHandler<CancelPaymentIntent> {
  constructor(private readonly writes: WritePath) {}

  async execute({ paymentIntent, context }: CancelPaymentIntent): Promise<void> {
    await this.writes.execute(paymentIntents, paymentIntent, { type: 'cancel' }, context);
  }
}
