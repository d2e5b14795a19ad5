import { Command } from '@nestjs/cqrs';
import type { PlatformContext } from '../../../kernel/command-context';
import type { Mode } from '../../../vocabulary/modes';
import type { TransferKey } from '../transfer.events';

/**
 * Puts a transfer back into the queue, so that an administrator decides anew. The transfer must be resolved, and its
 * credit refused.
 */
export class ReopenUnmatchedTransfer extends Command<void> {
  constructor(
    /** A transfer that is or was in the queue. */
    readonly key: TransferKey,
    readonly reason: string,
    readonly context: PlatformContext<Mode>,
  ) {
    super();
  }
}
