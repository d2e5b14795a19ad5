import type { Core } from './core';
import type { EventFilter, GroupMessage } from './kernel/ports/event-store';
import { SystemCommands } from './kernel/system-commands';
import type { Notifying } from './notices';
import type { Payments } from './payments';
import { Sweeper } from './processes/expiry/sweeper';
import { MATCHING_CATEGORIES } from './processes/matching/matching-group';
import { NOTICE_CATEGORIES } from './processes/notices/notices';
import { MESSAGES_AT_ONCE } from './processes/webhook-delivery/openings/webhook-scheduling';
import type { Webhooks } from './webhooks';

export type BackgroundParts = {
  readonly core: Core;
  readonly payments: Payments;
  readonly webhooks: Webhooks;
  readonly notifying: Notifying;
  /** Shared with whoever else sweeps in this process; made here where it is left out. */
  readonly sweeper?: Sweeper;
};

type Group = {
  readonly filter: EventFilter;
  /** Messages under way at once. */
  readonly concurrency: number;
};

const GROUPS = {
  webhooks: { filter: { categories: ['payment_intent'] }, concurrency: MESSAGES_AT_ONCE },
  deliveries: { filter: { categories: ['webhook_delivery'] }, concurrency: 8 },
  notices: { filter: { categories: NOTICE_CATEGORIES }, concurrency: 4 },
  matching: { filter: { categories: MATCHING_CATEGORIES }, concurrency: 8 },
} as const satisfies Record<string, Group>;

/** To be called before the first append, so that no event is older than its reader. */
export async function ensureGroups({ store }: Pick<Core, 'store'>): Promise<void> {
  for (const [name, { filter }] of Object.entries(GROUPS)) await store.ensureGroup(name, filter);
}

/** All that follows from events and from time, until `signal` aborts. */
export function runProcesses(parts: BackgroundParts, signal: AbortSignal): readonly Promise<void>[] {
  const { core, payments, webhooks, notifying, sweeper = sweeperOf(parts) } = parts;
  const handlers: Readonly<Record<keyof typeof GROUPS, (message: GroupMessage) => Promise<void>>> = {
    webhooks: message => webhooks.scheduling.handle(message),
    deliveries: message => webhooks.dispatcher.handle(message),
    notices: message => notifying.notices.handle(message),
    matching: message => payments.matching.group.handle(message),
  };
  const consuming = Object.entries(GROUPS).map(([name, { concurrency }]) =>
    core.store.consume(name, handlers[name as keyof typeof GROUPS], { concurrency, signal }),
  );
  const following = payments.matching.followers.map(follower => follower.run(signal));
  const dispatching = notifying.dispatch ? [notifying.dispatch.run(signal)] : [];
  const telling = [webhooks.scheduling.run(signal), webhooks.dispatcher.run(signal)];
  return [...consuming, ...following, ...dispatching, ...telling, sweeper.run(signal)];
}

export function sweeperOf({ core, payments }: Pick<BackgroundParts, 'core' | 'payments'>): Sweeper {
  const { config, readModels, writes, clock, entropy, log } = core;
  return new Sweeper({
    modes: config.modes,
    readModels,
    commands: new SystemCommands(writes, clock, entropy),
    gaplessUntil: (mode, network) => payments.frontiers.gaplessUntil(mode, network),
    isHeld: (mode, slot) => payments.frontiers.isHeld(mode, slot),
    clock,
    log,
  });
}
