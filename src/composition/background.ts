import type { Audit } from './audit';
import type { Core } from './core';
import type { Fees } from './fees';
import type { Log } from '../kernel/ports/log';
import type { Invoicing } from './invoices';
import type { Notifying } from './notices';
import type { Payments } from './payments';
import type { Config } from '../platform/config/config';
import { Sweeper } from '../processes/expiry/sweeper';
import type { LinkPayments } from '../processes/payment-links/link-payments';
import { eachPart } from '../processes/each-part';
import { consumeGroups, type GroupHandlers } from '../processes/groups';
import type { Frontiers } from '../watchers/frontiers';
import type { Webhooks } from './webhooks';

type BackgroundParts = {
  readonly core: Core;
  readonly audit: Audit;
  readonly payments: Payments;
  readonly webhooks: Webhooks;
  readonly fees: Fees;
  readonly notifying: Notifying;
  readonly linkPayments: LinkPayments;
  readonly invoicing: Invoicing;
  readonly sweeper: Sweeper;
};

/** The loops that follow from events and from time; they run until `signal` aborts. */
export function runProcesses(parts: BackgroundParts, signal: AbortSignal): readonly Promise<void>[] {
  const { core, audit, payments, webhooks, fees, notifying, linkPayments, invoicing, sweeper } = parts;
  const handlers: GroupHandlers = {
    webhooks: message => webhooks.scheduling.handle(message),
    deliveries: message => webhooks.dispatcher.handle(message),
    consequences: eachPart([
      message => notifying.notices.handle(message),
      message => fees.group.handle(message),
      message => linkPayments.handle(message),
      message => invoicing.group.handle(message),
    ]),
    matching: message => payments.matching.group.handle(message),
    audit: message => audit.group.handle(message),
  };
  audit.log.gatherUntil(signal);
  const consuming = consumeGroups(core.store, handlers, signal);
  const following = payments.matching.followers.map(follower => follower.run(signal));
  const dispatching = notifying.dispatches.map(dispatch => dispatch.run(signal));
  const warning = core.config.modes.includes('live') ? [notifying.feeMail.run(signal)] : [];
  const telling = [webhooks.scheduling.run(signal), webhooks.dispatcher.run(signal)];
  return [
    ...consuming,
    ...following,
    ...dispatching,
    ...warning,
    ...telling,
    sweeper.run(signal),
    invoicing.deadlines.run(signal),
  ];
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
