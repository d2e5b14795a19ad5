import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RecordedEvent } from '../../kernel/event';
import { SelectMethod } from '../../modules/payment-intents/commands/select-method.command';
import { MethodSelection } from './method-selection';

@CommandHandler(SelectMethod)
export class SelectMethodHandler implements ICommandHandler<SelectMethod> {
  constructor(private readonly selection: MethodSelection) {}

  execute({ paymentIntent, tokenId, walletId, context }: SelectMethod): Promise<readonly RecordedEvent[]> {
    return this.selection.select(paymentIntent, tokenId, walletId, context);
  }
}
