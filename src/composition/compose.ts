import { ALL_PROJECTIONS } from '../../projections/all';
import { ProjectionRunner } from '../../projections/runner/projection-runner';
import { ProjectionWatch } from '../../projections/runner/projection-watch';
import { Rebuilds } from '../../projections/runner/rebuilds';
import { RateBook } from '../modules/quotes/rate-book';
import type { Config } from '../platform/config/config';
import { LinkPayments } from '../processes/payment-links/link-payments';
import { composeAudit } from './audit';
import { composeSweeper } from './background';
import { composeCheckout } from './checkout';
import { composeCore } from './core';
import { composeFees } from './fees';
import { composeInvoices } from './invoices';
import { composeNotices } from './notices';
import { composePayments } from './payments';
import type { Ports } from './ports';
import { Service } from './service';
import { composeStreams } from './streams';
import { composeWalletProofs } from './wallet-proofs';
import { composeWebhooks } from './webhooks';

/**
 * The service over its ports. No part of it runs before its `start`, and its `stop` closes the ports. Where this
 * function rejects, the ports are still open.
 */
export async function compose(config: Config, ports: Ports): Promise<Service> {
  const core = composeCore(config, ports);
  const audit = await composeAudit(core);
  const networks = ports.networks.watched;
  const rates = new RateBook(ports.rates, core.clock, core.log, core.entropy);
  const walletProofs = composeWalletProofs(core, networks);
  const notifying = await composeNotices(core, ports.mail);
  const { addresses } = walletProofs;
  const payments = await composePayments(core, networks, ports.screening, rates, addresses, notifying.operatorMail);
  const webhooks = composeWebhooks(core, ports.webhooks);
  const fees = composeFees(core);
  const checkout = await composeCheckout(core, payments, ports.images);
  const { velocity } = payments;
  const linkPayments = new LinkPayments({ ...core, rates, velocity });
  const invoicing = composeInvoices(core, rates, velocity);
  const sweeper = composeSweeper(core, payments.frontiers);
  const { store, documents, clock, log, mirrors } = core;
  const followed = { store, documents, clock, log, mirrors, projections: ALL_PROJECTIONS };
  const [runner, watch] = [new ProjectionRunner(followed), new ProjectionWatch(followed)];
  const parts = {
    core,
    audit,
    streams: composeStreams(core.recordedStore),
    rebuilds: new Rebuilds(followed),
    networks,
    rates,
    payments,
    checkout,
    webhooks,
    fees,
    walletProofs,
    notifying,
    linkPayments,
    invoicing,
    countries: ports.countries,
    sweeper,
  };
  return new Service({ ...parts, runner, watch }, ports);
}
