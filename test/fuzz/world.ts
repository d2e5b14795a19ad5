import type { ApiDocument } from '../../src/platform/docs/api-document';
import { systemContext } from '../../src/kernel/command-context';
import { randomUuid } from '../../src/kernel/entropy';
import { paymentIntents } from '../../src/modules/payment-intents/payment-intent.decider';
import type { PaymentIntentEvent } from '../../src/modules/payment-intents/payment-intent.events';
import { HISTORIES, transfer } from '../modules/payment-intents/histories';
import type { Call, Reply } from '../support/http-caller';
import { ApiStage, type ApiInstance } from '../support/api-stage';
import type { StagedMerchant } from '../support/staged-merchant';
import { unmatchedTransfer } from '../support/unmatched-transfer';
import type { FuzzedRequest } from './requests';

const REFERENCE = /\{\{([a-z]+)\.(\w+)\}\}/g;
const FRESH_CODE = 'mfa.fresh';
const PUBLIC_URL = 'https://93.184.216.34/hooks';
/**
 * As many payments as are canceled, decided and quoted before the fuzz is over; SHORT_PAYMENTS of them wait for a
 * decision.
 */
const FRESH_PAYMENTS = 90;
const SHORT_PAYMENTS = 30;
const ACTIVE_KEYS = 12;
/** Calls deactivate links, and issue and void invoices, for good. */
const LINKS = 15;
const DRAFTS = 60;
const LINK = { kind: 'fixed', amount: '2500', currency: 'EUR' };
const DRAFT = { amount: '2500', currency: 'EUR', customer: { name: 'Ada Byron', email: 'ada@example.com' } };
/** More than the requests set aside before one of them has read a transfer. */
const TRANSFERS = 12;
const TRANSFER = 'tr_00000000000000000000000001';
const SECOND_ADDRESS = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';

/** One API with a merchant who has one of everything, and another one whose objects are nobody's business. */
export class World {
  private constructor(
    readonly stage: ApiStage,
    readonly instance: ApiInstance,
    readonly document: ApiDocument,
    private readonly merchant: StagedMerchant,
    /** Texts by reference: `pi.0`, `key.full`. */
    private readonly known: ReadonlyMap<string, string>,
  ) {}

  static async open(): Promise<World> {
    const stage = await ApiStage.open();
    const instance = await stage.startInstance();
    const merchant = await stage.register(instance);
    const other = await stage.register(instance);
    const known = new Map<string, string>();
    const keep = (kind: string, ...objects: readonly { readonly id: string }[]): void =>
      objects.forEach(({ id }, index) => known.set(`${kind}.${index}`, id));
    const live = { key: merchant.registered.keys.live };

    const wallet = await merchant.registerWallet();
    await merchant.verifyWallet(wallet.id);
    await merchant.routeTo(wallet.id);
    const pending = await merchant.registerWallet({ network_id: 'bnb' });
    const liveWallet = await merchant.registerWallet({}, live);
    keep('wal', wallet, pending, liveWallet, await other.registerWallet({ address: SECOND_ADDRESS }));

    const disabled = await merchant.createEndpoint({ status: undefined });
    await merchant.done(`POST /v1/webhook_endpoints/${disabled.id}`, { body: { status: 'disabled' } }, true);
    const endpoint = await merchant.createEndpoint();
    keep(
      'we',
      endpoint,
      disabled,
      await merchant.createEndpoint({ url: PUBLIC_URL }, live),
      await other.createEndpoint(),
    );

    const quoted = await merchant.createIntent({ currency: 'JPY' });
    const method = { token_id: 'usdc-base', wallet_id: wallet.id };
    await merchant.done(`POST /v1/payment_intents/${quoted.id}/select_method`, { body: method });
    const fresh = await Promise.all(Array.from({ length: FRESH_PAYMENTS }, () => merchant.createIntent()));
    for (const { id } of fresh.slice(0, SHORT_PAYMENTS)) await underpay(instance, merchant.id, id);
    keep('pi', ...fresh, quoted, await other.createIntent());

    const make = async (path: string, count: number, body: object) => {
      const made = [];
      while (made.length < count) made.push(await merchant.done(`POST /v1/${path}`, { body }));
      return made as readonly { readonly id: string }[];
    };
    keep(
      'plink',
      ...(await make('payment_links', LINKS, LINK)),
      await other.done('POST /v1/payment_links', { body: LINK }),
    );
    keep('inv', ...(await make('invoices', DRAFTS, DRAFT)), await other.done('POST /v1/invoices', { body: DRAFT }));

    const [reader, publishable, revoked, rotating] = [
      await merchant.mintKey(),
      await merchant.mintKey({ kind: 'pk' }),
      await merchant.mintKey(),
      await merchant.mintKey(),
    ];
    await merchant.done(`POST /v1/api_keys/${revoked.id}/revoke`, {}, true);
    await merchant.done(`POST /v1/api_keys/${rotating.id}/rotate`, {}, true);
    const active = [];
    for (let count = 0; count < ACTIVE_KEYS; count++) active.push(await merchant.mintKey());
    keep('key', ...active, rotating, revoked, await other.mintKey());
    known.set('key.full', merchant.registered.keys.test).set('key.live', merchant.registered.keys.live);
    known.set('key.other', other.registered.keys.test).set('usr.0', merchant.registered.user_id);
    known
      .set('key.reader', reader.secret)
      .set('key.publishable', publishable.secret)
      .set('key.revoked', revoked.secret);

    const transfers = [{ id: await unmatchedTransfer(instance, SECOND_ADDRESS) }];
    while (transfers.length < TRANSFERS) transfers.push({ id: await unmatchedTransfer(instance, wallet.address) });
    keep('tr', ...transfers);

    await stage.scheduleWebhooks(instance);
    await stage.project();
    keep(
      'evt',
      ...(await merchant.done('GET /v1/webhook_events')).data,
      ...(await other.done('GET /v1/webhook_events')).data,
    );
    const document = (await merchant.done('GET /openapi.json')) as ApiDocument;
    return new World(stage, instance, document, merchant, known);
  }

  send({ method, path, headers, body }: FuzzedRequest): Promise<Reply> {
    const filled = Object.entries(headers).map(([name, value]) => [name, this.fill(value)]);
    const call: Call = { method, path: this.fill(path), headers: Object.fromEntries(filled) };
    return this.instance.caller.send(body === null ? call : { ...call, body: this.fill(body) });
  }

  /** The value of a reference; an index beyond the last counts from the front again. */
  fill(text: string): string {
    return text.replace(REFERENCE, (reference, kind: string, name: string) => {
      if (`${kind}.${name}` === FRESH_CODE) return this.merchant.nextCode();
      const exact = this.known.get(`${kind}.${name}`);
      if (exact !== undefined) return exact;
      const count = [...this.known.keys()].filter(key => key.startsWith(`${kind}.`)).length;
      return this.known.get(`${kind}.${Number(name) % count}`) ?? reference;
    });
  }

  close(): Promise<void> {
    return this.stage.close();
  }
}

/** A payment of which a part has come, as the watcher leaves it. */
async function underpay({ parts, chain }: ApiInstance, merchantId: string, id: string): Promise<void> {
  const block = chain.mine();
  const { writes, clock, entropy } = parts.core;
  const context = systemContext(randomUuid(entropy), { actor: 'watcher', mode: 'test', merchantId, now: clock.now() });
  const events = JSON.parse(
    JSON.stringify(HISTORIES.underpaid.slice(1))
      .replaceAll('tr_1', TRANSFER)
      .replaceAll(transfer('tr_1', '0').block_hash, block.hash)
      .replaceAll('"block_number":100', `"block_number":${block.number}`),
  ) as PaymentIntentEvent[];
  const history = { ...paymentIntents, decide: () => events };
  await writes.execute(history, id, { type: 'cancel' }, context);
}
