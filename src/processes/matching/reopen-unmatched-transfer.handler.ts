import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ReopenUnmatchedTransfer } from '../../modules/transfers/commands/reopen-unmatched-transfer.command';
import { QueueDecisions } from './queue-decisions';

@CommandHandler(ReopenUnmatchedTransfer)
export class ReopenUnmatchedTransferHandler implements ICommandHandler<ReopenUnmatchedTransfer> {
  constructor(private readonly decisions: QueueDecisions) {}

  execute({ transferId, reason, context }: ReopenUnmatchedTransfer): Promise<void> {
    return this.decisions.reopen(transferId, reason, context);
  }
}
