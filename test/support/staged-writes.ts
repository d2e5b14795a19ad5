import type { CommandContext } from '../../src/kernel/command-context';
import type { DomainEvent } from '../../src/kernel/event';
import type { MerchantClocks } from '../../src/kernel/merchant-clocks';
import { SystemCommands } from '../../src/kernel/system-commands';
import type { Loaded } from '../../src/kernel/loaded';
import type { Executor, Plan, PlanExecution, WritePath } from '../../src/kernel/write-path';
import { CountingEntropy } from './fixture-doubles';

type Aggregate = { readonly category: string };
type Stage = {
  readonly load: (aggregate: Aggregate, mode: never, id: string) => Promise<object>;
  readonly execute: (aggregate: Aggregate, id: string, command: never, context: CommandContext) => Promise<unknown>;
};

/** A write path of a stage that reads and decides by itself: a plan runs once, on the stage's reads. */
export function stagedWrites(stage: Stage): WritePath {
  const load = async (aggregate: Aggregate, mode: never, id: string) => ({
    history: [],
    revision: -1,
    ...(await stage.load(aggregate, mode, id)),
  });
  const executePlan = async (
    aggregate: Aggregate,
    id: string,
    plan: Plan<unknown, unknown, DomainEvent, unknown>,
    { universe }: Executor,
    { find }: PlanExecution<unknown, DomainEvent, unknown> = {},
  ) => {
    const loaded = await load(aggregate, universe as never, id);
    const read = loaded as unknown as Loaded<unknown, DomainEvent>;
    const planned = plan(read, await find?.(read));
    if (planned === null) return { ...loaded, events: [] };
    const executed = await stage.execute(aggregate, id, planned.command as never, planned.context);
    return { ...(await load(aggregate, universe as never, id)), events: [], ...(executed as object | undefined) };
  };
  return { load, execute: stage.execute, executePlan } as unknown as WritePath;
}

export function stagedCommands(stage: Stage, clock: Pick<MerchantClocks, 'merchantNow'>): SystemCommands {
  return new SystemCommands(stagedWrites(stage), clock as MerchantClocks, new CountingEntropy());
}
