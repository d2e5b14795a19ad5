import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext } from '../../kernel/command-context';
import { MethodSelection } from './method-selection';

export class SelectMethod extends Command<void> {
  constructor(
    readonly paymentIntent: string,
    readonly tokenId: string,
    readonly walletId: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(SelectMethod)
export class SelectMethodHandler implements ICommandHandler<SelectMethod> {
  constructor(private readonly selection: MethodSelection) {}

  async execute({ paymentIntent, tokenId, walletId, context }: SelectMethod): Promise<void> {
    await this.selection.select(paymentIntent, tokenId, walletId, context);
  }
}
