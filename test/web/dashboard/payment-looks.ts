import * as h from '../../modules/payment-intents/histories';
import type { LookedAt } from '../dashboard-pages';
import { ownWallet } from './own-wallet';
import { inferredPayment, rankedTransfer, stagedPayment, stagedTransfer } from './staged-payments';

const HOME = '/dashboard/test';

/** The pages about payments and transfers, each with something to show. */
export const PAYMENT_LOOKS: readonly LookedAt[] = [
  { route: '/dashboard/{mode}/payments', at: '/dashboard/live/payments' },
  { route: '/dashboard/{mode}/payments', at: `${HOME}/payments?search=none` },
  { route: '/dashboard/{mode}/payments', at: `${HOME}/payments?amount=25` },
  {
    route: '/dashboard/{mode}/payments',
    at: async dashboard => {
      for (const status of ['created', 'expired', 'confirmed'] as const) await stagedPayment(dashboard, status);
      await stagedPayment(dashboard, 'paid_late', [h.held, h.reviewRejected]);
      return `${HOME}/payments`;
    },
  },
  { route: '/dashboard/{mode}/payments/new', at: `${HOME}/payments/new` },
  {
    route: '/dashboard/{mode}/payments/{id}',
    at: async dashboard => `${HOME}/payments/${await stagedPayment(dashboard, 'underpaid')}`,
  },
  {
    route: '/dashboard/{mode}/payments/{id}',
    at: async dashboard => `${HOME}/payments/${await stagedPayment(dashboard, 'paid_late', [h.held, h.released])}`,
  },
  {
    route: '/dashboard/{mode}/payments/{id}',
    at: async dashboard => `${HOME}/payments/${await stagedPayment(dashboard, 'failed')}?as_of=2`,
  },
  {
    route: '/dashboard/{mode}/reviews',
    at: async dashboard => {
      await inferredPayment(dashboard);
      return `${HOME}/reviews`;
    },
  },
  { route: '/dashboard/{mode}/transfers', at: '/dashboard/live/transfers' },
  {
    route: '/dashboard/{mode}/transfers/{id}',
    at: async dashboard => `${HOME}/transfers/${(await stagedTransfer(dashboard)).id}`,
  },
  {
    route: '/dashboard/{mode}/transfers/{id}',
    at: async dashboard => `${HOME}/${await rankedTransfer(dashboard, await ownWallet(dashboard.owner))}`,
  },
  { route: '/dashboard/{mode}/transfers', at: `${HOME}/transfers` },
  { route: '/dashboard/{mode}/exports', at: `${HOME}/exports` },
];
