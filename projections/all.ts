import { apiKeysProjection } from './api-keys/api-keys.projection';
import { coverageHolesProjection } from './coverage-holes/coverage-holes.projection';
import { deadlinesProjection } from './deadlines/deadlines.projection';
import { deferredTransfersProjection } from './deferred-transfers/deferred-transfers.projection';
import { deferredWebhooksProjection } from './deferred-webhooks/deferred-webhooks.projection';
import { expectedPaymentsProjection } from './expected-payments/expected-payments.projection';
import { exchangeWalletsProjection } from './exchange-wallets/exchange-wallets.projection';
import { merchantsProjection } from './merchants/merchants.projection';
import { microDepositsProjection } from './micro-deposits/micro-deposits.projection';
import { paymentIntentsProjection } from './payment-intents/payment-intents.projection';
import { routesProjection } from './routes/routes.projection';
import type { AnyProjection } from './runner/any-projection';
import { sandboxClocksProjection } from './sandbox-clocks/sandbox-clocks.projection';
import { namingsProjection } from './namings/namings.projection';
import { unmatchedTransfersProjection } from './unmatched-transfers/unmatched-transfers.projection';
import { usersProjection } from './users/users.projection';
import { walletsProjection } from './wallets/wallets.projection';
import { dueDeliveriesProjection } from './due-deliveries/due-deliveries.projection';
import { deliveriesProjection } from './deliveries/deliveries.projection';
import { webhookEndpointsProjection } from './webhook-endpoints/webhook-endpoints.projection';
import { webhookEventsProjection } from './webhook-events/webhook-events.projection';

/** Every read model that the runner keeps. */
export const ALL_PROJECTIONS: readonly AnyProjection[] = [
  apiKeysProjection,
  coverageHolesProjection,
  deadlinesProjection,
  deferredTransfersProjection,
  deferredWebhooksProjection,
  exchangeWalletsProjection,
  expectedPaymentsProjection,
  merchantsProjection,
  microDepositsProjection,
  paymentIntentsProjection,
  routesProjection,
  sandboxClocksProjection,
  namingsProjection,
  unmatchedTransfersProjection,
  usersProjection,
  walletsProjection,
  deliveriesProjection,
  dueDeliveriesProjection,
  webhookEndpointsProjection,
  webhookEventsProjection,
];
