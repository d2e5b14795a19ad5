import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SendSandboxTransfer, type SentTransfer } from '../../modules/sandbox/commands/send-sandbox-transfer.command';
import { SandboxTransfers } from './sandbox-transfers';

@CommandHandler(SendSandboxTransfer)
export class SendSandboxTransferHandler implements ICommandHandler<SendSandboxTransfer> {
  constructor(private readonly transfers: SandboxTransfers) {}

  execute({ order, context }: SendSandboxTransfer): Promise<SentTransfer> {
    return this.transfers.send(order, context);
  }
}
