import { Command } from '@nestjs/cqrs';
import type { PlatformContext } from '../../../kernel/command-context';
import type { Mode } from '../../../vocabulary/modes';

/**
 * Puts a transfer back into the queue, so that an administrator decides anew. The transfer must be resolved, and its
 * credit refused.
 */
export class ReopenUnmatchedTransfer extends Command<void> {
  constructor(
    /** `tr_…` */
    readonly transferId: string,
    readonly reason: string,
    readonly context: PlatformContext<Mode>,
  ) {
    super();
  }
}
