import type { ProjectionRunner } from '../../projections/runner/projection-runner';
import type { ProjectionWatch } from '../../projections/runner/projection-watch';
import type { Rebuilds } from '../../projections/runner/rebuilds';
import type { Countries } from '../kernel/ports/countries';
import type { RateBook } from '../modules/quotes/rate-book';
import type { StreamReader } from '../modules/streams/stream-reader';
import type { Sweeper } from '../processes/expiry/sweeper';
import type { LinkPayments } from '../processes/payment-links/link-payments';
import type { Audit } from './audit';
import type { Checkout } from './checkout';
import type { Core } from './core';
import type { Fees } from './fees';
import type { Invoicing } from './invoices';
import type { Notifying } from './notices';
import type { Payments } from './payments';
import type { WatchedNetwork } from './ports';
import type { WalletProofs } from './wallet-proofs';
import type { Webhooks } from './webhooks';

/** The parts of one process of the service. */
export type ServiceParts = {
  readonly core: Core;
  readonly audit: Audit;
  readonly streams: StreamReader;
  readonly rebuilds: Rebuilds;
  readonly networks: readonly WatchedNetwork[];
  readonly rates: RateBook;
  readonly payments: Payments;
  readonly checkout: Checkout;
  readonly webhooks: Webhooks;
  readonly fees: Fees;
  readonly walletProofs: WalletProofs;
  readonly notifying: Notifying;
  readonly linkPayments: LinkPayments;
  readonly invoicing: Invoicing;
  /** Null where no database of countries is configured. */
  readonly countries: Countries | null;
  readonly sweeper: Sweeper;
  readonly runner: ProjectionRunner;
  readonly watch: ProjectionWatch;
};
