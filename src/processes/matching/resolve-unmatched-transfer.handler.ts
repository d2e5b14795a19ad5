import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ResolveUnmatchedTransfer } from '../../modules/transfers/commands/resolve-unmatched-transfer.command';
import { QueueDecisions } from './queue-decisions';

@CommandHandler(ResolveUnmatchedTransfer)
export class ResolveUnmatchedTransferHandler implements ICommandHandler<ResolveUnmatchedTransfer> {
  constructor(private readonly decisions: QueueDecisions) {}

  execute({ transferId, paymentIntent, note, context }: ResolveUnmatchedTransfer): Promise<void> {
    return this.decisions.resolve(transferId, paymentIntent, note, context);
  }
}
