import { Command } from '@nestjs/cqrs';
import type { PlatformContext } from '../../../kernel/command-context';
import type { Mode } from '../../../vocabulary/modes';

/**
 * An administrator gives a transfer of the queue to a payment. The process that credits the transfer handles the
 * command.
 */
export class ResolveUnmatchedTransfer extends Command<void> {
  constructor(
    /** `tr_…` */
    readonly transferId: string,
    readonly paymentIntent: string,
    readonly note: string,
    readonly context: PlatformContext<Mode>,
  ) {
    super();
  }
}
