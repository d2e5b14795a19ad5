import { adminsProjection } from './admins.projection';
import { apiKeysProjection } from './api-keys.projection';
import { approvalsProjection } from './approvals.projection';
import { coverageHolesProjection } from './coverage-holes.projection';
import { deadlinesProjection } from './deadlines.projection';
import { deferredTransfersProjection } from './deferred-transfers.projection';
import { deferredWebhooksProjection } from './deferred-webhooks.projection';
import { exchangeWalletsProjection } from './exchange-wallets.projection';
import { feeAccountsProjection } from './fee-accounts.projection';
import { feeEntriesProjection } from './fee-entries.projection';
import { feeInvoicesProjection } from './fee-invoices.projection';
import { geoBlocksProjection } from './geo-blocks.projection';
import { holdsProjection } from './holds.projection';
import { invoicesProjection } from './invoices.projection';
import { killSwitchesProjection } from './kill-switches.projection';
import { kybCasesProjection } from './kyb-cases.projection';
import { merchantSettingsProjection } from './merchant-settings.projection';
import { merchantsProjection } from './merchants.projection';
import { microDepositsProjection } from './micro-deposits.projection';
import { paymentIntentsProjection } from './payment-intents.projection';
import { paymentLinksProjection } from './payment-links.projection';
import { reconciliationsProjection } from './reconciliations.projection';
import { routesProjection } from './routes.projection';
import type { Projection } from '../src/kernel/projection';
import { sanctionedAddressesProjection } from './sanctioned-addresses.projection';
import { screeningSettingsProjection } from './screening-settings.projection';
import { searchKeysProjection } from './search-keys.projection';
import { sandboxClocksProjection } from './sandbox-clocks.projection';
import { sessionPoliciesProjection } from './session-policies.projection';
import { namingsProjection } from './namings.projection';
import { takingsProjection } from './takings.projection';
import { takenAmountsProjection } from './taken-amounts.projection';
import { unmatchedTransfersProjection } from './unmatched-transfers.projection';
import { usersProjection } from './users.projection';
import { velocityLimitsProjection } from './velocity-limits.projection';
import { walletsProjection } from './wallets.projection';
import { dueDeliveriesProjection } from './due-deliveries.projection';
import { deliveriesProjection } from './deliveries.projection';
import { webhookEndpointsProjection } from './webhook-endpoints.projection';
import { webhookEventsProjection } from './webhook-events.projection';

/** Every read model that the runner keeps. */
export const ALL_PROJECTIONS: readonly Projection[] = [
  adminsProjection,
  apiKeysProjection,
  approvalsProjection,
  coverageHolesProjection,
  deadlinesProjection,
  deferredTransfersProjection,
  deferredWebhooksProjection,
  exchangeWalletsProjection,
  feeAccountsProjection,
  feeEntriesProjection,
  feeInvoicesProjection,
  geoBlocksProjection,
  holdsProjection,
  invoicesProjection,
  killSwitchesProjection,
  kybCasesProjection,
  merchantSettingsProjection,
  merchantsProjection,
  microDepositsProjection,
  paymentIntentsProjection,
  paymentLinksProjection,
  reconciliationsProjection,
  routesProjection,
  sanctionedAddressesProjection,
  sandboxClocksProjection,
  screeningSettingsProjection,
  searchKeysProjection,
  sessionPoliciesProjection,
  namingsProjection,
  takenAmountsProjection,
  takingsProjection,
  unmatchedTransfersProjection,
  usersProjection,
  velocityLimitsProjection,
  walletsProjection,
  deliveriesProjection,
  dueDeliveriesProjection,
  webhookEndpointsProjection,
  webhookEventsProjection,
];
