import { Command } from '@nestjs/cqrs';
import type { PlatformContext } from '../../../kernel/command-context';
import type { Mode } from '../../../vocabulary/modes';
import type { TransferKey } from '../transfer.events';

/**
 * An administrator gives a transfer of the queue to a payment. The process that credits the transfer handles the
 * command.
 */
export class ResolveUnmatchedTransfer extends Command<void> {
  constructor(
    /** A transfer that is or was in the queue. */
    readonly key: TransferKey,
    readonly paymentIntent: string,
    readonly note: string,
    readonly context: PlatformContext<Mode>,
  ) {
    super();
  }
}
