import type { Audit } from './audit';
import type { Core } from './core';
import type { Fees } from './fees';
import type { Jobs } from '../kernel/jobs';
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

/** Starts the loops that follow from events and from time. */
export function startProcesses(parts: BackgroundParts, jobs: Jobs): void {
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
  jobs.start('groups', async signal => {
    audit.log.gatherUntil(signal);
    await Promise.all(consumeGroups(core.store, handlers, signal));
  });
  payments.matching.followers.forEach((follower, at) => jobs.start(`follower ${at}`, signal => follower.run(signal)));
  notifying.dispatches.forEach((dispatch, at) => jobs.start(`mail ${at}`, signal => dispatch.run(signal)));
  if (core.config.modes.includes('live')) jobs.start('fee-mail', signal => notifying.feeMail.run(signal));
  jobs.start('openings', signal => webhooks.scheduling.run(signal));
  jobs.start('deliveries', signal => webhooks.dispatcher.run(signal));
  jobs.start('deadlines', signal => sweeper.run(signal));
  jobs.start('invoices', signal => invoicing.deadlines.run(signal));
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
