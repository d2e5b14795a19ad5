import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SelectMethod } from '../../modules/payment-intents/commands/select-method.command';
import { MethodSelection } from './method-selection';

@CommandHandler(SelectMethod)
export class SelectMethodHandler implements ICommandHandler<SelectMethod> {
  constructor(private readonly selection: MethodSelection) {}

  async execute({ paymentIntent, tokenId, walletId, context }: SelectMethod): Promise<void> {
    await this.selection.select(paymentIntent, tokenId, walletId, context);
  }
}
