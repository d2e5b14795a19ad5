import { bookFees } from '../../support/booked-fees';
import { unmatchedTransfer } from '../../support/unmatched-transfer';
import { WebhookReceiver } from '../../support/webhook-receiver';
import type { DashboardStage } from '../dashboard-stage';
import { ownWallet } from './own-wallet';

/** One object of each kind that the developers' pages show. */
export type DevelopersObjects = {
  readonly key: string;
  readonly endpoint: string;
  readonly event: string;
  readonly payment: string;
  readonly request: string;
};

const made = new WeakMap<DashboardStage, Promise<DevelopersObjects>>();

/** Gives the stage's owner something on each of the developers' pages, once. */
export function developersObjects(dashboard: DashboardStage): Promise<DevelopersObjects> {
  const objects = made.get(dashboard) ?? makeObjects(dashboard);
  made.set(dashboard, objects);
  return objects;
}

async function makeObjects({ stage, instance, owner }: DashboardStage): Promise<DevelopersObjects> {
  const { merchant } = owner;
  const receiver = await WebhookReceiver.start();
  await ownWallet(owner);
  const key = await merchant.mintKey();
  const endpoint = await merchant.createEndpoint({ url: receiver.url, description: 'Orders' });
  receiver.secret = String(endpoint.secret);
  const payment = await merchant.createIntent();
  await bookFees(stage.core, 'test', merchant.id);
  await unmatchedTransfer(instance, merchant.owner.address);
  const refused = await merchant.call('POST /v1/payment_intents', { body: { amount: 'x', currency: 'EUR' } });
  await stage.scheduleWebhooks(instance);
  await stage.project();
  const [event] = (await merchant.done('GET /v1/webhook_events')).data;
  await merchant.done(`POST /v1/webhook_events/${String(event.id)}/redeliver`, { body: { endpoint: endpoint.id } });
  await stage.project();
  await instance.parts.requestLog.flush();
  await receiver.close();
  return {
    key: String(key.id),
    endpoint: String(endpoint.id),
    event: String(event.id),
    payment: String(payment.id),
    request: String(refused.headers['request-id']),
  };
}
