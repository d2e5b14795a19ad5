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

/** Sent when payment is created */
export type PaymentCreatedEvent = WebhookDelivery & {
  readonly type: 'payment.created';
  readonly data: {
    readonly status: 'created';
  };
};

/** Sent when payment is detected */
export type PaymentDetectedEvent = WebhookDelivery & {
  readonly type: 'payment.detected';
  readonly data: {
    readonly status: 'detected';
  };
};

/** Sent when payment is confirming */
export type PaymentConfirmingEvent = WebhookDelivery & {
  readonly type: 'payment.confirming';
  readonly data: {
    readonly status: 'confirming';
  };
};

/** Sent when payment is confirmed */
export type PaymentConfirmedEvent = WebhookDelivery & {
  readonly type: 'payment.confirmed';
  readonly data: {
    readonly status: 'confirmed';
  };
};

/** Sent when payment is underpaid */
export type PaymentUnderpaidEvent = WebhookDelivery & {
  readonly type: 'payment.underpaid';
  readonly data: {
    readonly status: 'underpaid';
  };
};

/** Sent when payment is overpaid */
export type PaymentOverpaidEvent = WebhookDelivery & {
  readonly type: 'payment.overpaid';
  readonly data: {
    readonly status: 'overpaid';
  };
};

/** Sent when payment is paid_late */
export type PaymentPaidLateEvent = WebhookDelivery & {
  readonly type: 'payment.paid_late';
  readonly data: {
    readonly status: 'paid_late';
  };
};

/** Sent when payment is expired */
export type PaymentExpiredEvent = WebhookDelivery & {
  readonly type: 'payment.expired';
  readonly data: {
    readonly status: 'expired';
  };
};

/** Sent when payment is canceled */
export type PaymentCanceledEvent = WebhookDelivery & {
  readonly type: 'payment.canceled';
  readonly data: {
    readonly status: 'canceled';
  };
};

/** Sent when payment is failed */
export type PaymentFailedEvent = WebhookDelivery & {
  readonly type: 'payment.failed';
  readonly data: {
    readonly status: 'failed';
  };
};

/** Reserved: can be subscribed to, is never sent */
export type RefundCreatedEvent = WebhookDelivery & {
  readonly type: 'refund.created';
};

/** Reserved: can be subscribed to, is never sent */
export type RefundSucceededEvent = WebhookDelivery & {
  readonly type: 'refund.succeeded';
};

/** Reserved: can be subscribed to, is never sent */
export type RefundFailedEvent = WebhookDelivery & {
  readonly type: 'refund.failed';
};

/** Any event of a delivery */
export type DeliveredEvent =
  | PaymentCreatedEvent
  | PaymentDetectedEvent
  | PaymentConfirmingEvent
  | PaymentConfirmedEvent
  | PaymentUnderpaidEvent
  | PaymentOverpaidEvent
  | PaymentPaidLateEvent
  | PaymentExpiredEvent
  | PaymentCanceledEvent
  | PaymentFailedEvent
  | RefundCreatedEvent
  | RefundSucceededEvent
  | RefundFailedEvent;
