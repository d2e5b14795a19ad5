import { Command } from '@nestjs/cqrs';
import type { CommandContext } from '../../../kernel/command-context';

/** An administrator gives a transfer of the queue to a payment. Handled by the process that credits it. */
export class ResolveUnmatchedTransfer extends Command<void> {
  constructor(
    /** `tr_…` */
    readonly transferId: string,
    readonly paymentIntent: string,
    readonly note: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}
