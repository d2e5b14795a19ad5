import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Clock } from '../../../kernel/clock';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { aheadMsOf } from '../sandbox-clock.decider';
import { sandboxClocksReadModel } from '../sandbox-clocks.read-model';

export type ShownClock = {
  readonly nowMs: number;
  /** How far it is ahead of the wall's, in all. */
  readonly aheadMs: number;
  /** The wall's moment of the last advance; null where there was none. */
  readonly advancedAt: string | null;
};

/** The clock of a merchant in test mode, at this moment. */
export class GetSandboxClock extends Query<ShownClock> {
  constructor(readonly merchantId: string) {
    super();
  }
}

@QueryHandler(GetSandboxClock)
export class GetSandboxClockHandler implements IQueryHandler<GetSandboxClock> {
  constructor(
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
    @Inject(PORTS.clock) private readonly clock: Clock,
  ) {}

  async execute({ merchantId }: GetSandboxClock): Promise<ShownClock> {
    const stored = await this.readModels.get(sandboxClocksReadModel, 'test', merchantId);
    const aheadMs = stored ? aheadMsOf(stored.body) : 0;
    return { nowMs: this.clock.now() + aheadMs, aheadMs, advancedAt: stored?.body.advanced_at ?? null };
  }
}
