import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { PlatformContext } from '../../kernel/command-context';
import { WritePath } from '../../kernel/write-path';
import type { Mode } from '../../vocabulary/modes';
import { coverageHoles } from './coverage-hole.decider';

/** Gives up, for good, blocks that were passed unread. Deadlines that wait for them pass. */
export class CloseCoverageHole extends Command<void> {
  constructor(
    /** The id of the hole's stream. */
    readonly hole: string,
    readonly note: string,
    readonly context: PlatformContext<Mode>,
  ) {
    super();
  }
}

@CommandHandler(CloseCoverageHole)
export class CloseCoverageHoleHandler implements ICommandHandler<CloseCoverageHole> {
  constructor(private readonly writes: WritePath) {}

  /** Throws Refusal forbidden_actor, invalid_reason, resource_missing or invalid_state_transition. */
  async execute({ hole, note, context }: CloseCoverageHole): Promise<void> {
    await this.writes.execute(coverageHoles, hole, { type: 'close', note }, context);
  }
}
