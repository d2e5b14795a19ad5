// Generated from the OpenAPI document by `npm run client:generate`; changed there, never here.

import type { Requester } from '../requester';
import { ApiKeysResource } from './api-keys';
import { ExchangeRatesResource } from './exchange-rates';
import { ExportsResource } from './exports';
import { FeeInvoicesResource } from './fee-invoices';
import { FeesResource } from './fees';
import { InvoicesResource } from './invoices';
import { MfaProofsResource } from './mfa-proofs';
import { PaymentIntentsResource } from './payment-intents';
import { PaymentLinksResource } from './payment-links';
import { ReconciliationsResource } from './reconciliations';
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
  readonly exports: ExportsResource;
  readonly feeInvoices: FeeInvoicesResource;
  readonly fees: FeesResource;
  readonly invoices: InvoicesResource;
  readonly mfaProofs: MfaProofsResource;
  readonly paymentIntents: PaymentIntentsResource;
  readonly paymentLinks: PaymentLinksResource;
  readonly reconciliations: ReconciliationsResource;
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
    this.exports = new ExportsResource(requester);
    this.feeInvoices = new FeeInvoicesResource(requester);
    this.fees = new FeesResource(requester);
    this.invoices = new InvoicesResource(requester);
    this.mfaProofs = new MfaProofsResource(requester);
    this.paymentIntents = new PaymentIntentsResource(requester);
    this.paymentLinks = new PaymentLinksResource(requester);
    this.reconciliations = new ReconciliationsResource(requester);
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
export * from './exports';
export * from './fee-invoices';
export * from './fees';
export * from './invoices';
export * from './mfa-proofs';
export * from './payment-intents';
export * from './payment-links';
export * from './reconciliations';
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
