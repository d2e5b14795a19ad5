import type { Core } from './core';
import type { Notifying } from './notices';
import type { Payments } from './payments';
import { Sweeper } from '../processes/expiry/sweeper';
import { consumeGroups, type GroupHandlers } from '../processes/groups';
import type { Webhooks } from './webhooks';

export type BackgroundParts = {
  readonly core: Core;
  readonly payments: Payments;
  readonly webhooks: Webhooks;
  readonly notifying: Notifying;
  readonly sweeper: Sweeper;
};

/** All that follows from events and from time, until `signal` aborts. */
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

export function composeSweeper(core: Core, payments: Payments): Sweeper {
  const { config, readModels, commands, clock, log } = core;
  return new Sweeper({
    modes: config.modes,
    readModels,
    commands,
    gaplessUntil: (mode, network) => payments.frontiers.gaplessUntil(mode, network),
    isHeld: (mode, slot) => payments.frontiers.isHeld(mode, slot),
    clock,
    log,
  });
}
