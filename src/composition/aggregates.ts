import type { Upcasts, UpcastsByCategory } from '../kernel/upcasting';
import { adminOwners } from '../modules/admins/admin-owners.decider';
import { admins } from '../modules/admins/admin.decider';
import { amountSlots } from '../modules/amount-slots/amount-slot.decider';
import { apiKeys } from '../modules/api-keys/api-key.decider';
import { approvals } from '../modules/approvals/approval.decider';
import { balances } from '../modules/books/balance.decider';
import { geoBlocks } from '../modules/controls/geo-block.decider';
import { sanctionedAddresses } from '../modules/controls/sanctioned-address.decider';
import { screeningSettings } from '../modules/controls/screening-settings.decider';
import { velocityLimits } from '../modules/controls/velocity-limit.decider';
import { coverage } from '../modules/coverage/coverage.decider';
import { coverageHoles } from '../modules/coverage/coverage-hole.decider';
import { deferredTransfers } from '../modules/coverage/deferred-transfer.decider';
import { feeAccounts } from '../modules/fees/fee-account.decider';
import { feeAccruals } from '../modules/fees/fee-accrual.decider';
import { feeInvoices } from '../modules/fees/fee-invoice.decider';
import { invoices } from '../modules/invoices/invoice.decider';
import { invoiceSeries } from '../modules/invoices/invoice-series.decider';
import { killSwitches } from '../modules/kill-switches/kill-switch.decider';
import { kybCases } from '../modules/kyb/kyb-case.decider';
import { dataKeys } from '../modules/keyring/keyring.decider';
import { merchantSettings } from '../modules/merchants/merchant-settings.decider';
import { merchants } from '../modules/merchants/merchant.decider';
import type { FoldedCategory } from '../modules/streams/stream-states';
import { maintenance } from '../modules/system/maintenance.decider';
import { users } from '../modules/users/user.decider';
import { passkeys } from '../modules/passkeys/passkey.decider';
import { paymentIntents } from '../modules/payment-intents/payment-intent.decider';
import { paymentLinks } from '../modules/payment-links/payment-link.decider';
import { routes } from '../modules/routes/routes.decider';
import { notifications } from '../modules/outbox/notifications.decider';
import { namings } from '../modules/transfers/naming.decider';
import { sandboxClocks } from '../modules/sandbox/sandbox-clock.decider';
import { sessionPolicies } from '../modules/sessions/session-policy.decider';
import { adminSessions, sessions } from '../modules/sessions/session.decider';
import { signInRefusals } from '../modules/sessions/sign-in-refusals.decider';
import { transfers } from '../modules/transfers/transfer.decider';
import { exchangeWallets } from '../modules/wallets/exchange-wallet.decider';
import { microDeposits } from '../modules/wallets/micro-deposit.decider';
import { wallets } from '../modules/wallets/wallet.decider';
import { deferredWebhooks } from '../modules/webhooks/deferred-webhook.decider';
import { unheardWebhooks } from '../modules/webhooks/unheard-webhook.decider';
import { webhookDeliveries } from '../modules/webhooks/webhook-delivery.decider';
import { webhookEndpoints } from '../modules/webhooks/webhook-endpoint.decider';

type AnyAggregate = FoldedCategory & { readonly upcasts?: Upcasts };

/** The rules of all streams that the service writes: a test reads the folders and finds none left out. */
export const AGGREGATES: readonly AnyAggregate[] = [
  admins,
  adminOwners,
  adminSessions,
  amountSlots,
  apiKeys,
  approvals,
  balances,
  coverage,
  coverageHoles,
  deferredTransfers,
  deferredWebhooks,
  dataKeys,
  geoBlocks,
  killSwitches,
  kybCases,
  exchangeWallets,
  feeAccounts,
  feeAccruals,
  feeInvoices,
  invoices,
  invoiceSeries,
  maintenance,
  merchants,
  merchantSettings,
  microDeposits,
  sanctionedAddresses,
  screeningSettings,
  users,
  passkeys,
  paymentIntents,
  paymentLinks,
  routes,
  sandboxClocks,
  namings,
  notifications,
  sessionPolicies,
  sessions,
  signInRefusals,
  transfers,
  unheardWebhooks,
  velocityLimits,
  wallets,
  webhookDeliveries,
  webhookEndpoints,
];

export const CATEGORIES: readonly string[] = AGGREGATES.map(({ category }) => category);

/** The upcasts of events of older versions, by category. */
export const UPCASTS: UpcastsByCategory = Object.fromEntries(
  AGGREGATES.map(({ category, upcasts = {} }) => [category, upcasts]),
);
