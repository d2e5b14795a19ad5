import { Command } from '@nestjs/cqrs';
import type { PlatformContext } from '../../../kernel/command-context';
import type { Mode } from '../../../kernel/event';

/** Back into the queue, for an administrator to decide anew: only what was resolved and could not be credited. */
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
