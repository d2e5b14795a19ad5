import type { ErrorCode } from '../../../src/vocabulary/error-catalogue';
import type { Method } from '../../../src/platform/docs/api-document';

export type Outcome = 'done' | ErrorCode;

/**
 * The answer to a key with every scope, for an empty body and an id that never existed. The matrix fails for an
 * operation that is missing here: each new operation needs its answer.
 */
export const PLAIN_OUTCOMES: Readonly<Record<string, Outcome>> = {
  createPaymentIntent: 'parameter_missing',
  listPaymentIntents: 'done',
  getPaymentIntent: 'payment_not_found',
  listPaymentIntentEvents: 'payment_not_found',
  selectPaymentMethod: 'parameter_missing',
  cancelPaymentIntent: 'payment_not_found',
  acceptPaymentIntent: 'payment_not_found',
  resolvePaymentIntent: 'parameter_missing',
  createPaymentLink: 'parameter_missing',
  listPaymentLinks: 'done',
  getPaymentLink: 'resource_missing',
  deactivatePaymentLink: 'resource_missing',
  openPaymentLink: 'resource_missing',
  namePaymentTransaction: 'parameter_missing',
  listUnmatchedTransfers: 'done',
  getUnmatchedTransfer: 'unmatched_transfer_not_found',
  setAsideUnmatchedTransfer: 'parameter_missing',
  listTransactionClaims: 'done',
  exportInvoices: 'done',
  createInvoice: 'parameter_missing',
  listInvoices: 'done',
  getInvoice: 'resource_missing',
  issueInvoice: 'resource_missing',
  voidInvoice: 'resource_missing',
  sendInvoice: 'resource_missing',
  exportPayments: 'done',
  exportTransfers: 'done',
  exportUnmatchedTransfers: 'done',
  exportFees: 'done',
  createWallet: 'parameter_missing',
  listWallets: 'done',
  getWallet: 'wallet_not_found',
  changeWallet: 'mfa_required',
  createWalletChallenge: 'parameter_missing',
  verifyWallet: 'parameter_missing',
  listReconciliations: 'done',
  listRoutes: 'done',
  setRoutes: 'parameter_missing',
  createApiKey: 'parameter_missing',
  listApiKeys: 'done',
  getApiKey: 'resource_missing',
  rotateApiKey: 'mfa_required',
  revokeApiKey: 'mfa_required',
  createWebhookEndpoint: 'parameter_missing',
  listWebhookEndpoints: 'done',
  getWebhookEndpoint: 'unknown_endpoint',
  updateWebhookEndpoint: 'mfa_required',
  rollWebhookEndpointSecret: 'mfa_required',
  listWebhookEndpointDeliveries: 'unknown_endpoint',
  listWebhookEvents: 'done',
  getWebhookEvent: 'resource_missing',
  redeliverWebhookEvent: 'parameter_missing',
  listExchangeRates: 'done',
  listFees: 'done',
  getFeeBalance: 'done',
  listFeeInvoices: 'done',
  getFeeInvoice: 'resource_missing',
  createMfaProof: 'parameter_missing',
  getSettings: 'done',
  changeSettings: 'done',
  getSandboxClock: 'done',
  advanceSandboxClock: 'parameter_missing',
  createSandboxTransfer: 'parameter_missing',
};

/**
 * A body that passes validation, for the operations below an object's id that need one; `endpoint` is one of the
 * caller's own.
 */
export const validBodies = (endpoint: string): Readonly<Record<string, object>> => ({
  selectPaymentMethod: { token_id: 'usdc-base', wallet_id: 'wal_00000000000000000000000000' },
  resolvePaymentIntent: { resolution: 'rejected', note: 'The customer was refunded by hand' },
  namePaymentTransaction: { tx_hash: `0x${'ab'.repeat(32)}` },
  setAsideUnmatchedTransfer: { outcome: 'kept', note: 'A tip' },
  changeWallet: { label: 'Till' },
  createWalletChallenge: { method: 'signed_message' },
  verifyWallet: { method: 'signed_message', signature: '0x00' },
  updateWebhookEndpoint: { description: 'Orders' },
  redeliverWebhookEvent: { endpoint },
});

/** The answer to a key of another merchant or mode, for an object's id. */
export const INVISIBLE_OUTCOMES: Readonly<Record<string, ErrorCode>> = {
  '/v1/payment_intents/{id}': 'payment_not_found',
  '/v1/payment_links/{id}': 'resource_missing',
  '/v1/invoices/{id}': 'resource_missing',
  '/v1/unmatched_transfers/{id}': 'unmatched_transfer_not_found',
  '/v1/wallets/{id}': 'wallet_not_found',
  '/v1/api_keys/{id}': 'resource_missing',
  '/v1/webhook_endpoints/{id}': 'unknown_endpoint',
  '/v1/webhook_events/{id}': 'resource_missing',
  '/v1/fee_invoices/{id}': 'resource_missing',
};

/** Makes a request line of an operation's place. */
export function lineOf(method: Method, path: string, id: string): string {
  return `${method.toUpperCase()} ${path.replace(/\{[a-z_]+\}/, id)}`;
}
