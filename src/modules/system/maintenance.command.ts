import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { PlatformContext } from '../../kernel/command-context';
import type { EventStore } from '../../kernel/ports/event-store';
import { PORTS } from '../../kernel/ports/injection';
import { WritePath } from '../../kernel/write-path';
import { refuse } from '../../vocabulary/errors';
import { isGroupName } from './group-names';
import { groupWorkId, maintenance, readModelWorkId } from './maintenance.decider';
import { ReadModelRebuilds } from './read-model-rebuilds';

/** Has the parked messages of a group tried anew. */
export class ReplayParkedMessages extends Command<void> {
  constructor(
    readonly group: string,
    readonly reason: string,
    readonly context: PlatformContext<'platform'>,
  ) {
    super();
  }
}

/** Has a read model built anew from the log. */
export class RebuildReadModel extends Command<void> {
  constructor(
    readonly readModel: string,
    readonly reason: string,
    readonly context: PlatformContext<'platform'>,
  ) {
    super();
  }
}

@CommandHandler(ReplayParkedMessages)
export class ReplayParkedMessagesHandler implements ICommandHandler<ReplayParkedMessages> {
  constructor(
    private readonly writes: WritePath,
    @Inject(PORTS.eventStore) private readonly store: Pick<EventStore, 'groupStatus' | 'replayParked'>,
  ) {}

  /** Throws Refusal resource_missing, invalid_reason, or invalid_state_transition where nothing is parked. */
  async execute({ group, reason, context }: ReplayParkedMessages): Promise<void> {
    if (!isGroupName(group)) throw refuse('resource_missing', { message: `There is no group ${group}.` });
    const { parked: messages } = await this.store.groupStatus(group);
    await this.writes.execute(maintenance, groupWorkId(group), { type: 'replay', group, messages, reason }, context);
    await this.store.replayParked(group);
  }
}

@CommandHandler(RebuildReadModel)
export class RebuildReadModelHandler implements ICommandHandler<RebuildReadModel> {
  constructor(
    private readonly writes: WritePath,
    private readonly rebuilds: ReadModelRebuilds,
  ) {}

  /** Throws Refusal resource_missing, invalid_state_transition or invalid_reason. */
  async execute({ readModel, reason, context }: RebuildReadModel): Promise<void> {
    const standing = await this.rebuilds.standing(readModel);
    if (standing === null) throw refuse('resource_missing', { message: `There is no read model ${readModel}.` });
    if (standing === 'under_way') {
      const message = `${readModel} is being built already.`;
      throw refuse('invalid_state_transition', { message });
    }
    const command = { type: 'rebuild', readModel, reason } as const;
    await this.writes.execute(maintenance, readModelWorkId(readModel), command, context);
    this.rebuilds.start(readModel);
  }
}
