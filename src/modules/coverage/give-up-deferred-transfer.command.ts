import { Command } from '@nestjs/cqrs';
import type { PlatformContext } from '../../kernel/command-context';
import type { Mode } from '../../vocabulary/modes';

/**
 * Ends, for good, the wait of a deferred transfer. True where the transfer lies in the unmatched queue then. Throws
 * Refusal forbidden_actor, invalid_reason, resource_missing or invalid_state_transition.
 */
export class GiveUpDeferredTransfer extends Command<boolean> {
  constructor(
    /** The id of the deferral's stream. */
    readonly deferral: string,
    readonly reason: string,
    readonly context: PlatformContext<Mode>,
  ) {
    super();
  }
}
