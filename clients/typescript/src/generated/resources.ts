// Generated from the OpenAPI document by `npm run client:generate`; changed there, never here.

import type { Requester } from '../requester';
import { ApiKeysResource } from './api-keys';
import { ExchangeRatesResource } from './exchange-rates';
import { MfaProofsResource } from './mfa-proofs';
import { PaymentIntentsResource } from './payment-intents';
import { RoutesResource } from './routes';
import { SandboxClockResource } from './sandbox-clock';
import { SandboxTransfersResource } from './sandbox-transfers';
import { SettingsResource } from './settings';
import { TransactionClaimsResource } from './transaction-claims';
import { UnmatchedTransfersResource } from './unmatched-transfers';
import { WalletsResource } from './wallets';
import { WebhookEndpointsResource } from './webhook-endpoints';
import { WebhookEventsResource } from './webhook-events';

/** Every resource of the API. */
export class Resources {
  readonly apiKeys: ApiKeysResource;
  readonly exchangeRates: ExchangeRatesResource;
  readonly mfaProofs: MfaProofsResource;
  readonly paymentIntents: PaymentIntentsResource;
  readonly routes: RoutesResource;
  readonly sandboxClock: SandboxClockResource;
  readonly sandboxTransfers: SandboxTransfersResource;
  readonly settings: SettingsResource;
  readonly transactionClaims: TransactionClaimsResource;
  readonly unmatchedTransfers: UnmatchedTransfersResource;
  readonly wallets: WalletsResource;
  readonly webhookEndpoints: WebhookEndpointsResource;
  readonly webhookEvents: WebhookEventsResource;

  constructor(requester: Requester) {
    this.apiKeys = new ApiKeysResource(requester);
    this.exchangeRates = new ExchangeRatesResource(requester);
    this.mfaProofs = new MfaProofsResource(requester);
    this.paymentIntents = new PaymentIntentsResource(requester);
    this.routes = new RoutesResource(requester);
    this.sandboxClock = new SandboxClockResource(requester);
    this.sandboxTransfers = new SandboxTransfersResource(requester);
    this.settings = new SettingsResource(requester);
    this.transactionClaims = new TransactionClaimsResource(requester);
    this.unmatchedTransfers = new UnmatchedTransfersResource(requester);
    this.wallets = new WalletsResource(requester);
    this.webhookEndpoints = new WebhookEndpointsResource(requester);
    this.webhookEvents = new WebhookEventsResource(requester);
  }
}

export * from './api-keys';
export * from './exchange-rates';
export * from './mfa-proofs';
export * from './payment-intents';
export * from './routes';
export * from './sandbox-clock';
export * from './sandbox-transfers';
export * from './settings';
export * from './transaction-claims';
export * from './unmatched-transfers';
export * from './wallets';
export * from './webhook-endpoints';
export * from './webhook-events';
export * from './webhooks';
export * from './shared';
