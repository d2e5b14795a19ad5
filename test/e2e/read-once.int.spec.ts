import { operationsOf, type ApiDocument } from '../../src/platform/docs/api-document';
import { bookFees } from '../support/booked-fees';
import { readTwice, RoundTrips } from '../support/round-trips';
import type { Answer, Ask } from '../support/staged-merchant';
import { freshHash } from '../support/unmatched-transfer';
import { DashboardStage } from '../web/dashboard-stage';
import { inferredPayment, quotedPayment, stagedPayment, stagedTransfer } from '../web/dashboard/staged-payments';

const LIMIT_MS = 120_000;
const LINK = { kind: 'fixed', currency: 'EUR', amount: '2500' };
const INVOICE = { currency: 'EUR', amount: '2500', customer: { name: 'Ada', email: 'ada@shop.example' } };
const LISTS = ['payments', 'transfers', 'unmatched_transfers', 'fees', 'invoices'].map(name => `exports/${name}`);

/** A chain and a receiver take their time to answer: whatever may have changed meanwhile is read anew. */
const READ_ANEW: Readonly<Record<string, readonly string[]>> = {
  namePaymentTransaction: ['access', 'readStream payment_intent', 'get coverage'],
  redeliverWebhookEvent: ['readStream webhook_delivery'],
};
/** The clock works off all that falls due: each deadline and each message is a work of its own. */
const WORKS_OFF = ['advanceSandboxClock'];
/** The transfers of test mode need its local chains, which a service whose questions are counted has not. */
const ELSEWHERE = ['createSandboxTransfer'];

/** A merchant who calls every operation, and what was asked twice for one call. */
class Shop {
  readonly twice: unknown[] = [];
  readonly called = new Set<string>();

  constructor(
    private readonly dashboard: DashboardStage,
    private readonly trips: RoundTrips,
    private readonly document: ApiDocument,
  ) {}

  async play(): Promise<void> {
    const walletId = await this.openWallet();
    const endpointId = await this.keepKeysAndEndpoint();
    await this.price(walletId);
    await this.decide();
    await this.sell();
    await this.readLists(walletId, endpointId);
    await this.call('POST /v1/sandbox/clock', { body: { advance_ms: 1_000 } });
    await this.call('GET /v1/sandbox/clock');
  }

  private async openWallet(): Promise<string> {
    const { owner } = this.dashboard.merchant;
    const named = { network_id: 'base', address: owner.address, label: 'Till', controls_private_key: true };
    const { id } = await this.risk('POST /v1/wallets', named);
    const { challenge } = await this.call(`POST /v1/wallets/${id}/challenge`, { body: { method: 'signed_message' } });
    const signature = await owner.signMessage(String(challenge));
    await this.risk(`POST /v1/wallets/${id}/verify`, { method: 'signed_message', challenge, signature });
    await this.risk(`POST /v1/wallets/${id}`, { label: 'Till at the door', dedicated: true });
    await this.call(`GET /v1/wallets/${id}`);
    const routes = [{ asset_symbol: 'USDC', network_id: 'base', wallet_id: id }];
    await this.risk('PUT /v1/routes', { routes });
    await this.call('POST /v1/settings', { body: { default_success_url: 'https://shop.example/thanks' } });
    return String(id);
  }

  private async keepKeysAndEndpoint(): Promise<string> {
    const { id: key } = await this.risk('POST /v1/api_keys', { kind: 'rk', name: 'Till', scopes: ['payment:read'] });
    await this.call(`GET /v1/api_keys/${key}`);
    const { id: next } = await this.risk(`POST /v1/api_keys/${key}/rotate`, {});
    await this.risk(`POST /v1/api_keys/${next}/revoke`, {});
    const url = 'http://127.0.0.1:9/hooks';
    const { id } = await this.risk('POST /v1/webhook_endpoints', { url, enabled_events: ['*'] });
    await this.call(`GET /v1/webhook_endpoints/${id}`);
    await this.risk(`POST /v1/webhook_endpoints/${id}`, { description: 'Orders' });
    await this.risk(`POST /v1/webhook_endpoints/${id}/roll_secret`, {});
    const { merchant } = this.dashboard;
    const proof = { method: 'totp', action: 'wallet.create', code: merchant.nextCode() };
    await this.call('POST /v1/mfa/proofs', { body: proof });
    return String(id);
  }

  private async price(walletId: string): Promise<void> {
    const { id } = await this.call('POST /v1/payment_intents', { body: { amount: '2500', currency: 'EUR' } });
    const body = { token_id: 'usdc-base', wallet_id: walletId };
    await this.call(`POST /v1/payment_intents/${id}/select_method`, { body });
    await this.call(`GET /v1/payment_intents/${id}`);
    await this.call(`GET /v1/payment_intents/${id}/events`);
    await this.call(`POST /v1/payment_intents/${id}/transaction`, { body: { tx_hash: freshHash() } });
    await this.call(`POST /v1/payment_intents/${id}/cancel`);
    const quoted = await quotedPayment(this.dashboard, walletId);
    const { id: queued, txHash } = await stagedTransfer(this.dashboard);
    await this.call(`GET /v1/unmatched_transfers/${queued}`);
    await this.call(`POST /v1/payment_intents/${quoted.id}/transaction`, { body: { tx_hash: txHash } });
    const { id: other } = await stagedTransfer(this.dashboard, 31_000_000n);
    await this.call(`POST /v1/unmatched_transfers/${other}/set_aside`, { body: { outcome: 'kept', note: 'A tip' } });
  }

  private async decide(): Promise<void> {
    await this.call(`POST /v1/payment_intents/${await stagedPayment(this.dashboard, 'underpaid')}/accept`);
    const body = { resolution: 'rejected', note: 'Sent back' };
    await this.call(`POST /v1/payment_intents/${await inferredPayment(this.dashboard)}/resolve`, { body });
  }

  private async sell(): Promise<void> {
    const { id: link } = await this.call('POST /v1/payment_links', { body: LINK });
    await this.call(`POST /v1/payment_links/${link}/payment_intents`, { body: {} });
    await this.call(`GET /v1/payment_links/${link}`);
    await this.call(`POST /v1/payment_links/${link}/deactivate`);
    const { id: invoice } = await this.call('POST /v1/invoices', { body: INVOICE });
    await this.call(`POST /v1/invoices/${invoice}/issue`);
    await this.call(`GET /v1/invoices/${invoice}`);
    await this.call(`POST /v1/invoices/${invoice}/send`);
    await this.call(`POST /v1/invoices/${invoice}/void`);
  }

  private async readLists(walletId: string, endpointId: string): Promise<void> {
    const { stage, instance, merchant } = this.dashboard;
    const { feeInvoice } = await bookFees(stage.core, 'test', merchant.id);
    await stage.scheduleWebhooks(instance);
    await stage.project();
    await this.call(`GET /v1/fee_invoices/${feeInvoice}`);
    await this.call(`GET /v1/reconciliations?wallet=${walletId}`);
    const plain = operationsOf(this.document).filter(({ method, path }) => method === 'get' && !path.includes('{'));
    for (const { path } of plain.filter(each => each.path.startsWith('/v1/'))) await this.call(`GET ${path}`);
    for (const name of LISTS) await this.call(`GET /v1/${name}?format=csv`);
    await this.call(`GET /v1/webhook_endpoints/${endpointId}/deliveries`);
    const { data } = await merchant.done('GET /v1/webhook_events');
    await this.call(`GET /v1/webhook_events/${data[0].id}`);
    await this.call(`POST /v1/webhook_events/${data[0].id}/redeliver`, { body: { endpoint: endpointId } });
  }

  private risk(line: string, body: object) {
    return this.call(line, { body }, true);
  }

  private async call(line: string, ask: Ask = {}, isHighRisk = false) {
    const operation = operationOf(this.document, line);
    this.called.add(operation);
    const { merchant } = this.dashboard;
    const headers: Record<string, string> = isHighRisk ? { 'mfa-code': merchant.nextCode() } : {};
    let answer: Answer | null = null;
    const asked = await this.trips.noting(async () => (answer = await merchant.call(line, { ...ask, headers })));
    const { status, body } = answer as unknown as Answer;
    if (status >= 300) throw new Error(`${line} is answered ${status}: ${JSON.stringify(body)}`);
    const twice = readTwice(asked);
    if (twice.length > 0 && !WORKS_OFF.includes(operation)) this.twice.push([line, twice]);
    return body;
  }
}

function operationOf(document: ApiDocument, line: string): string {
  const [method, path = ''] = (line.split('?')[0] ?? '').split(' ');
  const found = operationsOf(document).find(
    each =>
      each.method === method?.toLowerCase() && new RegExp(`^${each.path.replace(/\{\w+\}/g, '\\w+')}$`).test(path),
  );
  return String(found?.operation.operationId);
}

it(
  'each operation of the API reads everything once',
  async () => {
    const trips = new RoundTrips();
    const dashboard = await DashboardStage.open({ trips });
    try {
      const { body } = await dashboard.instance.caller.send({ method: 'GET', path: '/openapi.json' });
      const document = JSON.parse(body) as ApiDocument;
      const shop = new Shop(dashboard, trips, document);
      await shop.play();
      const all = operationsOf(document).filter(({ path }) => path.startsWith('/v1/'));
      const left = all.map(({ operation }) => operation.operationId).filter(id => !shop.called.has(id));
      expect([shop.twice, left]).toEqual([[], ELSEWHERE]);
    } finally {
      await dashboard.close();
    }
  },
  LIMIT_MS,
);
