import type { Core } from './core';
import type { Log } from '../kernel/ports/log';
import type { Notifying } from './notices';
import type { Payments } from './payments';
import type { Config } from '../platform/config/config';
import { Sweeper } from '../processes/expiry/sweeper';
import { consumeGroups, type GroupHandlers } from '../processes/groups';
import type { Frontiers } from '../watchers/frontiers';
import type { Webhooks } from './webhooks';

type BackgroundParts = {
  readonly core: Core;
  readonly payments: Payments;
  readonly webhooks: Webhooks;
  readonly notifying: Notifying;
  readonly sweeper: Sweeper;
};

/** The loops that follow from events and from time; they run until `signal` aborts. */
export function runProcesses(parts: BackgroundParts, signal: AbortSignal): readonly Promise<void>[] {
  const { core, payments, webhooks, notifying, sweeper } = parts;
  const handlers: GroupHandlers = {
    webhooks: message => webhooks.scheduling.handle(message),
    deliveries: message => webhooks.dispatcher.handle(message),
    notices: message => notifying.notices.handle(message),
    matching: message => payments.matching.group.handle(message),
  };
  const consuming = consumeGroups(core.store, handlers, signal);
  const following = payments.matching.followers.map(follower => follower.run(signal));
  const dispatching = notifying.dispatch ? [notifying.dispatch.run(signal)] : [];
  const telling = [webhooks.scheduling.run(signal), webhooks.dispatcher.run(signal)];
  return [...consuming, ...following, ...dispatching, ...telling, sweeper.run(signal)];
}

type SweeperMeans = Pick<Core, 'readModels' | 'commands' | 'clock'> & {
  readonly config: Pick<Config, 'modes'>;
  readonly log: Log;
};

export function composeSweeper(
  { config, readModels, commands, clock, log }: SweeperMeans,
  frontiers: Pick<Frontiers, 'gaplessUntil' | 'isSlotWaiting'>,
): Sweeper {
  return new Sweeper({
    modes: config.modes,
    readModels,
    commands,
    gaplessUntil: (mode, network) => frontiers.gaplessUntil(mode, network),
    isSlotWaiting: (mode, slot) => frontiers.isSlotWaiting(mode, slot),
    clock,
    log,
  });
}
