import { paymentIntentsProjection } from '../../projections/payment-intents.projection';
import type { Core } from './core';
import type { RecordedEvent } from '../kernel/event';
import { applyEvents } from '../kernel/projection';
import { paymentSnapshot } from '../modules/payment-intents/api/payment-snapshot';
import type { WebhookSender } from '../kernel/ports/webhook-sender';
import type { PaymentSnapshot } from '../modules/webhooks/payment-snapshot';
import { SigningSecrets } from '../modules/webhooks/signing-secrets';
import type { AddressRules } from '../modules/webhooks/webhook-url';
import { EgressAddresses } from '../platform/webhooks/egress-addresses';
import { resourceInVersion } from '../platform/versions/shape-in-version';
import { DeliveryWrites } from '../processes/webhook-delivery/delivery-writes';
import { Dispatcher } from '../processes/webhook-delivery/dispatch/dispatcher';
import { WebhookDelivery } from '../processes/webhook-delivery/webhook-delivery';
import { WebhookScheduling } from '../processes/webhook-delivery/openings/webhook-scheduling';

export type Webhooks = {
  readonly scheduling: WebhookScheduling;
  readonly dispatcher: Dispatcher;
  readonly deliveryWrites: DeliveryWrites;
  readonly snapshot: PaymentSnapshot;
  readonly addresses: AddressRules;
};

export function composeWebhooks(
  { config, writes, commands, store, documents, isAlone, readModels, secretBox, clock, entropy, log }: Core,
  sender: WebhookSender,
): Webhooks {
  const snapshot = composePaymentSnapshot(config.checkoutUrl);
  const shared = { writes, commands, store, readModels, paymentAsOf: snapshot, clock, entropy };
  const turns = { modes: config.modes, alone: isAlone, log };
  const deliveryWrites = new DeliveryWrites(writes);
  const secrets = new SigningSecrets(entropy, secretBox);
  const delivery = new WebhookDelivery({ ...shared, deliveryWrites, sender, secrets });
  return {
    scheduling: new WebhookScheduling({ ...shared, ...turns }),
    dispatcher: new Dispatcher({ ...shared, ...turns, delivery, documents }),
    deliveryWrites,
    snapshot,
    addresses: new EgressAddresses(config.webhookAllowedSubnets),
  };
}

export function composePaymentSnapshot(checkoutUrl: string): PaymentSnapshot {
  const documentOf = (history: readonly RecordedEvent[]) => {
    const [change] = applyEvents(paymentIntentsProjection, history, () => null).values();
    return change?.body ?? null;
  };
  return paymentSnapshot({ documentOf, inVersion: resourceInVersion, checkoutUrl });
}
