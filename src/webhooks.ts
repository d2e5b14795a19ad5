import { paymentIntentsProjection } from '../projections/payment-intents/payment-intents.projection';
import type { Core } from './core';
import type { Document } from './kernel/ports/documents';
import { applyEvents } from './kernel/projection';
import type { JsonObject } from './kernel/json';
import { presentPaymentIntent } from './modules/payment-intents/api/payment-intent.presenter';
import type { PaymentSnapshot } from './modules/webhooks/payment-snapshot';
import { HttpWebhookSender } from './platform/webhooks/http-webhook-sender';
import { WebhookDelivery } from './processes/webhook-delivery/webhook-delivery';
import { WebhookScheduling } from './processes/webhook-delivery/webhook-scheduling';

export type Webhooks = {
  readonly scheduling: WebhookScheduling;
  readonly delivery: WebhookDelivery;
  readonly snapshot: PaymentSnapshot;
};
