import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import type { RecordedEvent } from '../../../kernel/event';
import { WritePath } from '../../../kernel/write-path';
import { paymentIntents } from '../payment-intent.decider';

/** Answers the payment's whole history. */
export class CancelPaymentIntent extends Command<readonly RecordedEvent[]> {
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

  async execute({ paymentIntent, context }: CancelPaymentIntent): Promise<readonly RecordedEvent[]> {
    const { history } = await this.writes.execute(paymentIntents, paymentIntent, { type: 'cancel' }, context);
    return history;
  }
}
