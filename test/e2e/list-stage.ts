import { createHash } from 'node:crypto';
import { apiKeysProjection } from '../../projections/api-keys.projection';
import { deliveriesProjection } from '../../projections/deliveries.projection';
import { feeEntriesProjection } from '../../projections/fee-entries.projection';
import { feeInvoicesProjection } from '../../projections/fee-invoices.projection';
import { invoicesProjection } from '../../projections/invoices.projection';
import { paymentIntentsProjection } from '../../projections/payment-intents.projection';
import { paymentLinksProjection } from '../../projections/payment-links.projection';
import { routesProjection } from '../../projections/routes.projection';
import type { Projection } from '../../src/kernel/projection';
import { unmatchedTransfersProjection } from '../../projections/unmatched-transfers.projection';
import { walletsProjection } from '../../projections/wallets.projection';
import { webhookEndpointsProjection } from '../../projections/webhook-endpoints.projection';
import { webhookEventsProjection } from '../../projections/webhook-events.projection';
import { isoTime, parseIsoTime } from '../../src/kernel/clock';
import { crockford, timedId, type IdPrefix } from '../../src/vocabulary/ids';
import type { Collection, Document } from '../../src/kernel/ports/documents';
import { ApiStage, type ApiInstance } from '../support/api-stage';
import { bookFees } from '../support/booked-fees';
import { developmentWallet } from '../support/customer';
import type { StagedMerchant } from '../support/staged-merchant';
import { unmatchedTransfer } from '../support/unmatched-transfer';

/** A list of the API. `unix`: its objects carry their time in seconds. */
export type ListCase = {
  readonly name: string;
  readonly projection: Projection;
  readonly prefix: IdPrefix;
  readonly unix?: true;
  /** Sets of filters that real objects pass, and the fields that a filtered object then shows. */
  readonly filters: readonly string[];
};

export const LISTS: readonly ListCase[] = [
  {
    name: '/v1/payment_intents',
    projection: paymentIntentsProjection,
    prefix: 'pi',
    filters: ['status=created', 'created_from=2026-01-01T00:00:00Z', 'status=created&created_to=2099-01-01T00:00:00Z'],
  },
  { name: '/v1/payment_links', projection: paymentLinksProjection, prefix: 'plink', filters: ['active=true'] },
  {
    name: '/v1/unmatched_transfers',
    projection: unmatchedTransfersProjection,
    prefix: 'tr',
    filters: ['network_id=base'],
  },
  { name: '/v1/wallets', projection: walletsProjection, prefix: 'wal', filters: [] },
  { name: '/v1/api_keys', projection: apiKeysProjection, prefix: 'key', filters: [] },
  // Invoices go by their numbers. Documents made of one invoice have one number, so the id decides, which goes by time.
  { name: '/v1/invoices', projection: invoicesProjection, prefix: 'inv', filters: ['status=draft'] },
  { name: '/v1/fees', projection: feeEntriesProjection, prefix: 'fee', filters: [] },
  { name: '/v1/fee_invoices', projection: feeInvoicesProjection, prefix: 'finv', filters: [] },
  { name: '/v1/routes', projection: routesProjection, prefix: 'route', filters: [] },
  { name: '/v1/webhook_endpoints', projection: webhookEndpointsProjection, prefix: 'we', filters: [] },
  {
    name: '/v1/webhook_endpoints/{endpoint}/deliveries',
    projection: deliveriesProjection,
    prefix: 'da',
    filters: ['event={event}'],
  },
  {
    name: '/v1/webhook_events',
    projection: webhookEventsProjection,
    prefix: 'evt',
    unix: true,
    filters: [
      'delivered=false', 'type=payment.created', 'payment_intent={payment}', 'delivered=false&type=payment.created',
      'payment_intent={payment}&delivered=false', 'payment_intent={payment}&type=payment.created',
      'payment_intent={payment}&delivered=false&type=payment.created',
    ], // prettier-ignore
  },
] as const;

const ID_BYTES = 10;
const OTHER_WALLET = 6;

/** A merchant with one real object in every list, from which documents of any number and age can be made. */
export class ListStage {
  private made = 0;

  private constructor(
    readonly stage: ApiStage,
    readonly instance: ApiInstance,
    readonly merchant: StagedMerchant,
    readonly other: StagedMerchant,
    private readonly names: Readonly<Record<string, string>>,
  ) {}

  static async open(isChecked = true, options: Parameters<ApiStage['startInstance']>[0] = {}): Promise<ListStage> {
    const stage = await ApiStage.open();
    const instance = await stage.startInstance(options);
    const [merchant, other] = [
      await stage.register(instance, { isChecked }),
      await stage.register(instance, { isChecked }),
    ];
    const names = await oneOfEach(stage, instance, merchant);
    // Transfers to an address are shown to all merchants who have verified it.
    await oneOfEach(stage, instance, other, developmentWallet(OTHER_WALLET));
    return new ListStage(stage, instance, merchant, other, names);
  }

  /** The path of a list, or a query, with the real objects' ids in it. */
  named(text: string): string {
    return text.replace(/\{(\w+)\}/g, (_, name: string) => String(this.names[name]));
  }

  /** The merchant's real object, as it is stored. */
  async original({ projection }: ListCase): Promise<Document> {
    const collection = await this.collection(projection);
    const id = this.names[projection.name];
    const document = id === undefined ? null : await collection.get(id);
    if (!document) throw new Error(`there is nothing in ${projection.name}`);
    return document;
  }

  /** Documents of this time that are like the real one, put straight into the collection; their ids. */
  async put(list: ListCase, count: number, timeMs: (index: number) => number, change: object = {}) {
    const { body } = await this.original(list);
    const documents = Array.from({ length: count }, (_, index) => {
      const at = timeMs(index);
      const created = list.unix ? Math.floor(at / 1_000) : isoTime(at);
      const unique = createHash('sha256')
        .update(String((this.made += 1)))
        .digest()
        .subarray(0, ID_BYTES);
      return { id: timedId(list.prefix, at, unique), version: 1, body: { ...body, created, ...change } };
    });
    const collection = await this.collection(list.projection);
    for (let from = 0; from < count; from += 1_000) await collection.putAllNewer(documents.slice(from, from + 1_000));
    return documents.map(({ id }) => id);
  }

  /** The creation of the real object, in milliseconds. */
  async madeAt(list: ListCase): Promise<number> {
    const { created } = (await this.original(list)).body as { readonly created: string | number };
    return typeof created === 'number' ? created * 1_000 : parseIsoTime(created);
  }

  page(list: ListCase, query: string) {
    return this.merchant.done(`GET ${this.named(`${list.name}?${query}`)}`);
  }

  unknownId({ prefix }: ListCase): string {
    return `${prefix}_${crockford(Buffer.alloc(16, 7))}`;
  }

  private collection(projection: Projection): Promise<Collection> {
    return this.stage.core.documents.open({ name: projection.name, indexes: projection.indexes });
  }
}

/** Ids by the name of their collection, and by their part in a path. */
async function oneOfEach(stage: ApiStage, instance: ApiInstance, merchant: StagedMerchant, owner = merchant.owner) {
  const wallet = await merchant.registerWallet({ address: owner.address });
  await merchant.verifyWallet(wallet.id, owner);
  await merchant.routeTo(wallet.id);
  const endpoint = await merchant.createEndpoint();
  const payment = await merchant.createIntent();
  const terms = { kind: 'fixed', currency: 'EUR', amount: '2500' };
  const link = await merchant.done('POST /v1/payment_links', { body: terms });
  const invoice = await merchant.done('POST /v1/invoices', { body: { currency: 'EUR', amount: '990' } });
  const transfer = await unmatchedTransfer(instance, wallet.address);
  const { feeInvoice } = await bookFees(stage.core, 'test', merchant.id);
  await stage.scheduleWebhooks(instance);
  await stage.project();
  const [event] = (await merchant.done('GET /v1/webhook_events')).data;
  await merchant.done(`POST /v1/webhook_events/${event.id}/redeliver`, { body: { endpoint: endpoint.id } });
  await stage.project();
  const [delivery] = (await merchant.done(`GET /v1/webhook_endpoints/${endpoint.id}/deliveries`)).data;
  const [route] = (await merchant.done('GET /v1/routes')).data;
  const [fee] = (await merchant.done('GET /v1/fees')).data;
  const [key] = (await merchant.done('GET /v1/api_keys')).data;
  return {
    payment_intents: String(payment.id),
    payment_links: String(link.id),
    unmatched_transfers: transfer,
    wallets: String(wallet.id),
    api_keys: String(key.id),
    routes: String(route.id),
    webhook_endpoints: String(endpoint.id),
    deliveries: String(delivery.id),
    webhook_events: String(event.id),
    invoices: String(invoice.id),
    fee_entries: String(fee.id),
    fee_invoices: feeInvoice,
    endpoint: String(endpoint.id),
    event: String(event.id),
    payment: String(payment.id),
  };
}
