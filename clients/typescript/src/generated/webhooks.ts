// Generated from the OpenAPI document by `npm run client:generate`; changed there, never here.

import type { PaymentIntent } from './shared';

/** The body of every delivery */
export interface WebhookDelivery {
  /** The same in every attempt: handle each once */
  readonly id: string;
  readonly type:
    | 'payment.created'
    | 'payment.detected'
    | 'payment.confirming'
    | 'payment.confirmed'
    | 'payment.underpaid'
    | 'payment.overpaid'
    | 'payment.paid_late'
    | 'payment.expired'
    | 'payment.canceled'
    | 'payment.failed'
    | 'refund.created'
    | 'refund.succeeded'
    | 'refund.failed';
  /** Unix seconds */
  readonly created: number;
  readonly api_version: '2026-11-01' | '2026-11-15';
  readonly data: PaymentIntent;
}
