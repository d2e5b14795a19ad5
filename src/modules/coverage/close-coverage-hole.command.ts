import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { parseIsoTime } from '../../kernel/clock';
import type { PlatformContext } from '../../kernel/command-context';
import type { RecordedEvent } from '../../kernel/event';
import { WritePath } from '../../kernel/write-path';
import { refuse } from '../../vocabulary/errors';
import type { Mode } from '../../vocabulary/modes';
import { coverageHoles } from './coverage-hole.decider';
import type { CoverageHoleEvent } from './coverage-hole.events';

/** The events after which a hole may hold more blocks than before. */
const GROWTH: readonly CoverageHoleEvent['type'][] = ['CoverageHoleOpened', 'CoverageHoleExtended'];

/** Gives up, for good, blocks that were passed unread. Deadlines that wait for them pass. */
export class CloseCoverageHole extends Command<void> {
  constructor(
    /** The id of the hole's stream. */
    readonly hole: string,
    readonly note: string,
    /** The moment, in milliseconds, at which somebody agreed to give up the blocks that the hole held then. */
    readonly agreedAtMs: number,
    readonly context: PlatformContext<Mode>,
  ) {
    super();
  }
}

@CommandHandler(CloseCoverageHole)
export class CloseCoverageHoleHandler implements ICommandHandler<CloseCoverageHole> {
  constructor(private readonly writes: WritePath) {}

  /**
   * Throws Refusal forbidden_actor, invalid_reason or resource_missing. Throws invalid_state_transition also for a hole
   * that has grown since.
   */
  async execute({ hole, note, agreedAtMs, context }: CloseCoverageHole): Promise<void> {
    const command = { type: 'close', note } as const;
    await this.writes.executePlan(
      coverageHoles,
      hole,
      ({ history }) => {
        if (history.some(event => isGrowthAfter(event, agreedAtMs)))
          throw refuse('invalid_state_transition', {
            message: 'The hole has grown since. Propose to give it up anew.',
          });
        return { command, context };
      },
      context,
    );
  }
}

function isGrowthAfter({ type, metadata }: RecordedEvent<CoverageHoleEvent>, timeMs: number): boolean {
  return GROWTH.includes(type) && parseIsoTime(metadata.recorded_at) > timeMs;
}
