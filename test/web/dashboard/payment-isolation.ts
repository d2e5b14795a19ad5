import type { DashboardStage } from '../dashboard-stage';
import type { IsolationRow } from './isolation-rows';
import { ownWallet } from './own-wallet';
import { stagedPayment, stagedTransfer } from './staged-payments';

const UNKNOWN_PAYMENT = 'pi_00000000000000000000000000';
const UNKNOWN_TRANSFER = 'tr_00000000000000000000000000';
const HOME = '/dashboard/{mode}';
const FORMS = '/dashboard/test/payments/new';

const paymentForm = (route: string, fields: Readonly<Record<string, string>> = {}): IsolationRow => ({
  ...{ method: 'POST', route: `${HOME}/${route}`, fields, unknown: UNKNOWN_PAYMENT, from: FORMS },
  object: dashboard => stagedPayment(dashboard, 'underpaid'),
});

async function transferOf(dashboard: DashboardStage): Promise<string> {
  await ownWallet(dashboard.owner);
  return (await stagedTransfer(dashboard)).id;
}

const transferForm = (route: string, fields: Readonly<Record<string, string>>): IsolationRow => ({
  ...{ method: 'POST', route: `${HOME}/${route}`, fields, unknown: UNKNOWN_TRANSFER, from: FORMS },
  object: transferOf,
});

/** The pages and forms that name a payment or a transfer. */
export const PAYMENT_ISOLATION: readonly IsolationRow[] = [
  {
    ...{ method: 'GET', route: `${HOME}/payments/{id}`, unknown: UNKNOWN_PAYMENT },
    object: dashboard => stagedPayment(dashboard, 'confirmed'),
  },
  { ...paymentForm('payments/{id}/cancel'), object: dashboard => stagedPayment(dashboard, 'created') },
  paymentForm('payments/{id}/accept', { note: 'fine' }),
  paymentForm('payments/{id}/reject', { note: 'sent back' }),
  paymentForm('payments/{id}/transaction', { tx_hash: `0x${'12'.repeat(32)}`, log_index: '' }),
  paymentForm('reviews/{id}/accept', { note: 'fine' }),
  paymentForm('reviews/{id}/reject', { note: 'sent back' }),
  { method: 'GET', route: `${HOME}/transfers/{id}`, unknown: UNKNOWN_TRANSFER, object: transferOf },
  transferForm('transfers/{id}/attribute', { payment_intent: UNKNOWN_PAYMENT }),
  transferForm('transfers/{id}/set-aside', { outcome: 'kept', note: 'ours' }),
];
