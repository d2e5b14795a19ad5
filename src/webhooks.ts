import { paymentIntentsProjection } from '../projections/payment-intents/payment-intents.projection';
import type { Core } from './core';
import { NEWEST_API_VERSION } from './kernel/api-versions';
import { parseIsoTime } from './kernel/clock';
import { applyEvents } from './kernel/projection';
import { presentPaymentIntent } from './modules/payment-intents/api/payment-intent.presenter';
import { SystemCommands } from './kernel/system-commands';
import type { WebhookSender } from './kernel/ports/webhook-sender';
import type { PaymentSnapshot } from './modules/webhooks/payment-snapshot';
import { SigningSecrets } from './modules/webhooks/signing-secrets';
import type { AddressRules } from './modules/webhooks/webhook-url';
import { EgressAddresses } from './platform/webhooks/egress-addresses';
import { HttpWebhookSender } from './platform/webhooks/http-webhook-sender';
import { resourceInVersion } from './platform/versions/shape-in-version';
import { DeliveryWrites } from './processes/webhook-delivery/delivery-writes';
import { Dispatcher } from './processes/webhook-delivery/dispatch/dispatcher';
import { WebhookDelivery } from './processes/webhook-delivery/webhook-delivery';
import { WebhookScheduling } from './processes/webhook-delivery/openings/webhook-scheduling';

export type Webhooks = {
  readonly scheduling: WebhookScheduling;
  readonly dispatcher: Dispatcher;
  readonly deliveryWrites: DeliveryWrites;
  readonly snapshot: PaymentSnapshot;
  readonly addresses: AddressRules;
};

/** `alone`: no other process reaches this one's documents. */
export function composeWebhooks(
  { config, writes, store, documents, readModels, secretBox, clock, entropy, log }: Core,
  sender: WebhookSender = new HttpWebhookSender({ allowedSubnets: config.webhookAllowedSubnets }),
  { alone = false } = {},
): Webhooks {
  const snapshot = paymentSnapshot(config.checkoutUrl);
  const commands = new SystemCommands(writes, clock, entropy);
  const shared = { writes, commands, store, readModels, paymentAsOf: snapshot, clock, entropy };
  const turns = { modes: config.modes, alone, log };
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

/** The payment as the API showed it then: the same pure projection and presenter, over the history up to that event. */
export function paymentSnapshot(checkoutUrl: string): PaymentSnapshot {
  return (history, apiVersion = NEWEST_API_VERSION) => {
    const [change] = applyEvents(paymentIntentsProjection, history, () => null).values();
    const last = history.at(-1);
    if (!change?.body || !last) return null;
    const nowMs = parseIsoTime(last.metadata.occurred_at);
    const resource = presentPaymentIntent(change.id, change.body, { checkoutUrl, headNumber: null, nowMs });
    return { status: change.body.status, resource: resourceInVersion(resource, apiVersion) };
  };
}
