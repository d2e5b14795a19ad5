import type { ProjectionRunner } from '../../projections/runner/projection-runner';
import type { ProjectionWatch } from '../../projections/runner/projection-watch';
import type { RateBook } from '../modules/quotes/rate-book';
import type { Sweeper } from '../processes/expiry/sweeper';
import type { Core } from './core';
import type { Notifying } from './notices';
import type { Payments } from './payments';
import type { WatchedNetwork } from './ports';
import type { WalletProofs } from './wallet-proofs';
import type { Webhooks } from './webhooks';

/** The parts of one process of the service. */
export type ServiceParts = {
  readonly core: Core;
  readonly networks: readonly WatchedNetwork[];
  readonly rates: RateBook;
  readonly payments: Payments;
  readonly webhooks: Webhooks;
  readonly walletProofs: WalletProofs;
  readonly notifying: Notifying;
  readonly sweeper: Sweeper;
  readonly runner: ProjectionRunner;
  readonly watch: ProjectionWatch;
};
