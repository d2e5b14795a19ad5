import { createHash } from 'node:crypto';
import { paymentIntentsProjection } from '../../projections/payment-intents.projection';
import type { Core } from './core';
import type { RecordedEvent } from '../kernel/event';
import { applyEvents } from '../kernel/projection';
import { PAYMENT_INTENT } from '../modules/payment-intents/queries/payment-intent.answer';
import { paymentSnapshot } from '../modules/payment-intents/api/payment-snapshot';
import type { Log } from '../kernel/ports/log';
import type { WebhookSender } from '../kernel/ports/webhook-sender';
import type { PaymentSnapshot } from '../modules/webhooks/payment-snapshot';
import { SigningSecrets } from '../modules/webhooks/signing-secrets';
import { WebhookPayments } from '../modules/webhooks/webhook-payments';
import type { AddressRules } from '../modules/webhooks/webhook-url';
import type { Config } from '../platform/config/config';
import { EgressAddresses } from '../platform/webhooks/egress-addresses';
import { resourceInVersion } from '../platform/versions/shape-in-version';
import { DeliveryWrites } from '../processes/webhook-delivery/delivery-writes';
import { Dispatcher } from '../processes/webhook-delivery/dispatch/dispatcher';
import { WebhookDelivery } from '../processes/webhook-delivery/webhook-delivery';
import { WebhookScheduling } from '../processes/webhook-delivery/openings/webhook-scheduling';

/** Another one with each change of the contract's payment. */
const PAYMENT_SHAPE = createHash('sha256').update(JSON.stringify(PAYMENT_INTENT)).digest('hex').slice(0, 16);

export type Webhooks = {
  readonly scheduling: WebhookScheduling;
  readonly delivery: WebhookDelivery;
  readonly dispatcher: Dispatcher;
  readonly deliveryWrites: DeliveryWrites;
  readonly payments: WebhookPayments;
  readonly addresses: AddressRules;
};

type WebhookMeans = Pick<
  Core,
  | 'writes'
  | 'commands'
  | 'store'
  | 'documents'
  | 'isAlone'
  | 'readModels'
  | 'progress'
  | 'secretBox'
  | 'clock'
  | 'entropy'
> & {
  readonly config: Pick<Config, 'modes' | 'checkoutUrl' | 'webhookAllowedSubnets' | 'webhookPorts'>;
  readonly log: Log;
};

/** Endpoints are shown a payment as the API shows it, unless another `snapshot` is given. */
export function composeWebhooks(
  {
    config,
    writes,
    commands,
    store,
    documents,
    isAlone,
    readModels,
    progress,
    secretBox,
    clock,
    entropy,
    log,
  }: WebhookMeans,
  sender: WebhookSender,
  snapshot: PaymentSnapshot = composePaymentSnapshot(config.checkoutUrl),
): Webhooks {
  const shared = { writes, commands, store, readModels, paymentAsOf: snapshot, clock, entropy };
  const turns = { modes: config.modes, alone: isAlone, log };
  const deliveryWrites = new DeliveryWrites(writes);
  const secrets = new SigningSecrets(entropy, secretBox);
  const payments = new WebhookPayments(documents, store, snapshot, PAYMENT_SHAPE);
  const delivery = new WebhookDelivery({ ...shared, deliveryWrites, sender, secrets });
  return {
    scheduling: new WebhookScheduling({ ...shared, ...turns, progress, payments }),
    delivery,
    dispatcher: new Dispatcher({ ...shared, ...turns, delivery, documents }),
    deliveryWrites,
    payments,
    addresses: new EgressAddresses(config.webhookAllowedSubnets, config.webhookPorts),
  };
}

export function composePaymentSnapshot(checkoutUrl: string): PaymentSnapshot {
  const documentOf = (history: readonly RecordedEvent[]) => {
    const [change] = applyEvents(paymentIntentsProjection, history, () => null).values();
    return change?.body ?? null;
  };
  return paymentSnapshot({ documentOf, inVersion: resourceInVersion, checkoutUrl });
}
