import { developmentWallet } from '../../../support/customer';
import { Recorded } from './recorded';
import { ExampleStage, type Answered, type Asked } from './example-stage';
import { REFUSED } from './refused';

const OWNER = 5;
const PASSING_MS = 5_000;
const QUOTE_MS = 15 * 60_000;
const UNASKED_BASE_UNITS = 1_234_567n;
const UNKNOWN_HASH = `0x${'5c'.repeat(32)}`;

/** A shop that calls every operation, is paid in every way, and is refused in many. */
export class Plays {
  private walletId = '';

  private constructor(
    private readonly stage: ExampleStage,
    private readonly recorded: Recorded,
  ) {}

  /** The examples that the shop's calls give. */
  static async recorded(): Promise<Recorded['examples']> {
    const stage = await ExampleStage.open();
    try {
      const recorded = new Recorded(await stage.document());
      await new Plays(stage, recorded).play();
      return recorded.examples;
    } finally {
      await stage.close();
    }
  }

  private async play(): Promise<void> {
    const endpoint = await this.openShop();
    await this.beRefused();
    await this.sell();
    await this.link();
    await this.bill();
    await this.decide();
    await this.lookAround();
    await this.keepKeys();
    await this.keepEndpoint(endpoint);
    await this.payFees();
    await this.seeHealth();
    await this.seeBooks();
    for (const { body } of this.stage.sent) this.recorded.addWebhook(body);
  }

  /** Answers the endpoint's id. */
  private async openShop(): Promise<string> {
    const { body: endpoint } = await this.shown('POST /v1/webhook_endpoints', {
      body: { url: 'https://shop.example/hooks', enabled_events: ['*'], description: 'Orders' },
      mfa: true,
    });
    const owner = developmentWallet(OWNER);
    const { body: wallet } = await this.shown('POST /v1/wallets', {
      body: { network_id: 'base', address: owner.address, label: 'Till', controls_private_key: true },
      mfa: true,
    });
    const { body: asked } = await this.shown(`POST /v1/wallets/${wallet.id}/challenge`, {
      body: { method: 'signed_message' },
    });
    const signature = await owner.signMessage(String(asked.challenge));
    const proof = { method: 'signed_message', challenge: asked.challenge, signature };
    await this.shown(`POST /v1/wallets/${wallet.id}/verify`, { body: proof, mfa: true });
    await this.shown(`POST /v1/wallets/${wallet.id}`, {
      body: { label: 'Till at the door', dedicated: true },
      mfa: true,
    });
    await this.shown('PUT /v1/routes', {
      body: { routes: [{ asset_symbol: 'USDC', network_id: 'base', wallet_id: wallet.id }] },
      mfa: true,
    });
    await this.shown('POST /v1/settings', {
      body: { brand: { name: 'Corner Shop', color: '#1f6feb' }, default_success_url: 'https://shop.example/thanks' },
    });
    this.walletId = String(wallet.id);
    await this.settle();
    return String(endpoint.id);
  }

  private async sell(): Promise<void> {
    const id = await this.quoted({
      amount: '2500',
      currency: 'EUR',
      metadata: { order: '42' },
      description: 'Two tickets, row 7',
    });
    await this.played(id, 'exact');
    await this.shown(`GET /v1/payment_intents/${id}`);
    await this.shown(`GET /v1/payment_intents/${id}/events?limit=3`);
    await this.shown('GET /v1/payment_intents?status=confirmed&limit=1');
    const canceled = await this.asked({ amount: '1250', currency: 'EUR' });
    await this.shown(`POST /v1/payment_intents/${canceled}/cancel`);
    await this.played(await this.quoted({ amount: '990', currency: 'EUR' }), 'reorged');
    await this.played(await this.quoted({ amount: '4200', currency: 'EUR' }), 'over');
    await this.shown('GET /v1/sandbox/clock');
    await this.played(await this.quoted({ amount: '1900', currency: 'EUR' }), 'late');
    await this.shown('POST /v1/sandbox/clock', { body: { advance_ms: QUOTE_MS } });
  }

  private async link(): Promise<void> {
    const { body: fixed } = await this.shown('POST /v1/payment_links', {
      body: { kind: 'fixed', currency: 'EUR', amount: '2500', description: 'A ticket', metadata: { order: '42' } },
    });
    await this.shown(`POST /v1/payment_links/${fixed.id}/payment_intents`, { body: {} });
    const { body: open } = await this.shown('POST /v1/payment_links', {
      body: { kind: 'open', currency: 'EUR', min_amount: '500', max_amount: '50000', max_uses: 10 },
    });
    await this.shown(`POST /v1/payment_links/${open.id}/payment_intents`, { body: { amount: '1200' } });
    await this.shown(`GET /v1/payment_links/${open.id}`);
    await this.shown(`POST /v1/payment_links/${fixed.id}/deactivate`);
    await this.shown('GET /v1/payment_links?active=true&limit=1');
  }

  private async bill(): Promise<void> {
    const { body: invoice } = await this.shown('POST /v1/invoices', {
      body: {
        currency: 'EUR',
        lines: [{ description: 'Green tea, 100 g', quantity: 2, unit_amount: '1250', tax_bps: 1_900 }],
        customer: { name: 'Ada Byron', email: 'ada@example.com' },
        description: 'Tea of November',
        due_at: '2030-12-01T00:00:00.000Z',
        metadata: { order: '43' },
      },
    });
    await this.shown(`POST /v1/invoices/${invoice.id}/issue`);
    await this.shown(`POST /v1/invoices/${invoice.id}/send`);
    await this.shown(`GET /v1/invoices/${invoice.id}`);
    const { body: other } = await this.shown('POST /v1/invoices', { body: { currency: 'EUR', amount: '990' } });
    await this.shown(`POST /v1/invoices/${other.id}/void`);
    await this.settle();
    await this.shown('GET /v1/invoices?status=open&limit=1');
    await this.exported('invoices');
  }

  private async decide(): Promise<void> {
    const accepted = await this.quoted({ amount: '3000', currency: 'EUR' });
    await this.played(accepted, 'short');
    await this.shown(`POST /v1/payment_intents/${accepted}/accept`, { body: { note: 'A regular customer' } });
    const rejected = await this.quoted({ amount: '3500', currency: 'EUR' });
    await this.played(rejected, 'short');
    await this.shown(`POST /v1/payment_intents/${rejected}/resolve`, {
      body: { resolution: 'rejected', note: 'The customer was refunded by hand' },
    });
  }

  /** A day on which one transfer came, after one that gave it its opening balance. */
  private async seeBooks(): Promise<void> {
    const { stage } = this;
    const { address: to } = developmentWallet(OWNER);
    await stage.endDay();
    await stage.played.pay({ tokenId: 'usdc-base', to, baseUnits: UNASKED_BASE_UNITS });
    await stage.endDay();
    await this.shown('GET /v1/reconciliations?limit=1');
  }

  /** Transfers that come without a payment, and what people say about them. */
  private async lookAround(): Promise<void> {
    const { stage } = this;
    const { address: to } = developmentWallet(OWNER);
    const named = await this.quoted({ amount: '5000', currency: 'EUR' });
    // Two payments are open, so that nobody can say for which of them a transfer is.
    await this.quoted({ amount: '5200', currency: 'EUR' });
    await this.shown(`POST /v1/payment_intents/${named}/transaction`, { body: { tx_hash: UNKNOWN_HASH } });
    await this.shown('GET /v1/transaction_claims?limit=1');
    const { body: quoted } = await stage.ask(`GET /v1/payment_intents/${named}`);
    const short = BigInt(quoted.payment_method.token_amount_base_units) - 1_000_000n;
    const { txHash } = await stage.played.pay({ tokenId: 'usdc-base', to, baseUnits: short });
    await stage.played.pay({ tokenId: 'usdc-base', to, baseUnits: UNASKED_BASE_UNITS });
    await this.settle();
    await this.settle();
    await this.shown('GET /v1/unmatched_transfers?limit=2');
    const { body: queue } = await stage.ask('GET /v1/unmatched_transfers');
    const rows = queue.data as readonly { readonly id: string; readonly tx_hash: string }[];
    const stray = rows.find(({ tx_hash }) => tx_hash !== txHash);
    await this.shown(`GET /v1/unmatched_transfers/${rows.find(({ tx_hash }) => tx_hash === txHash)?.id}`);
    await this.shown(`POST /v1/payment_intents/${named}/transaction`, { body: { tx_hash: txHash } });
    await this.shown(`POST /v1/unmatched_transfers/${stray?.id}/set_aside`, {
      body: { outcome: 'returned', note: 'Sent back on request of the customer' },
    });
    await this.settle();
    await this.exported('payments', 'transfers', 'unmatched_transfers');
    await this.shown('GET /v1/wallets?limit=1');
    await this.shown(`GET /v1/wallets/${this.walletId}`);
    await this.shown('GET /v1/routes?limit=1');
    await this.shown('GET /v1/settings');
    await this.shown('GET /v1/exchange_rates?currency=EUR');
  }

  /** Only the first two records of a file are shown. */
  private async exported(...kinds: readonly string[]): Promise<void> {
    for (const kind of kinds) {
      const line = `GET /v1/exports/${kind}`;
      const { body: csv } = await this.stage.ask(line);
      const { body: lines } = await this.stage.ask(`${line}?format=jsonl`);
      const [header, ...records] = String(csv).split('\r\n');
      this.recorded.addFile(line, [header, ...records.slice(0, 2), ''].join('\r\n'), lines as readonly unknown[]);
    }
  }

  private async keepKeys(): Promise<void> {
    const scopes = ['payment:create', 'payment:read'];
    const { body: key } = await this.shown('POST /v1/api_keys', {
      body: { kind: 'rk', name: 'Till', scopes },
      mfa: true,
    });
    await this.shown(`GET /v1/api_keys/${key.id}`);
    await this.shown('GET /v1/api_keys?limit=1');
    const { body: successor } = await this.shown(`POST /v1/api_keys/${key.id}/rotate`, { mfa: true });
    await this.shown(`POST /v1/api_keys/${successor.id}/revoke`, { mfa: true });
    const code = await this.stage.freshCode();
    await this.shown('POST /v1/mfa/proofs', { body: { method: 'totp', code, action: 'wallet.create' } });
  }

  private async keepEndpoint(id: string): Promise<void> {
    await this.settle();
    await this.shown('GET /v1/webhook_endpoints?limit=1');
    await this.shown(`GET /v1/webhook_endpoints/${id}`);
    await this.shown(`GET /v1/webhook_endpoints/${id}/deliveries?limit=1`);
    await this.shown('GET /v1/webhook_events?type=payment.confirmed&limit=1');
    const { body: events } = await this.stage.ask('GET /v1/webhook_events?type=payment.canceled');
    const [event] = events.data as readonly { readonly id: string }[];
    await this.shown(`GET /v1/webhook_events/${event?.id}`);
    await this.shown(`POST /v1/webhook_events/${event?.id}/redeliver`, { body: { endpoint: id } });
    await this.shown(`POST /v1/webhook_endpoints/${id}`, { body: { description: 'Orders and refunds' }, mfa: true });
    await this.shown(`POST /v1/webhook_endpoints/${id}/roll_secret`, { mfa: true });
  }

  /** The fees of both modes; test mode is never invoiced. */
  private async payFees(): Promise<void> {
    await this.shown('GET /v1/fees?limit=1');
    await this.shown('GET /v1/fees/balance');
    await this.exported('fees');
    const key = this.stage.merchant.keys.live;
    const { paid, open } = await this.stage.invoiceFees();
    await this.shown('GET /v1/fees?limit=4', { key });
    await this.shown('GET /v1/fee_invoices?limit=1', { key });
    await this.shown(`GET /v1/fee_invoices/${paid}`, { key });
    await this.shown(`GET /v1/fee_invoices/${open}`, { key });
  }

  private async seeHealth(): Promise<void> {
    await this.shown('GET /healthz', { key: null });
    await this.shown('GET /readyz', { key: null });
    this.stage.isStoreAway = true;
    await this.shown('GET /readyz', { key: null });
    this.stage.isStoreAway = false;
  }

  private async beRefused(): Promise<void> {
    for (const [line, asked = {}] of REFUSED) {
      const { status, body } = await this.answer(line, asked);
      if (status < 400) throw new Error(`${line} is not refused: ${JSON.stringify(body)}`);
    }
  }

  private async asked(body: object): Promise<string> {
    return String((await this.shown('POST /v1/payment_intents', { body })).body.id);
  }

  private async quoted(body: object): Promise<string> {
    const id = await this.asked(body);
    const method = { token_id: 'usdc-base', wallet_id: this.walletId };
    await this.settle();
    await this.shown(`POST /v1/payment_intents/${id}/select_method`, { body: method });
    return id;
  }

  private async played(id: string, outcome: string): Promise<void> {
    await this.shown('POST /v1/sandbox/transfers', { body: { payment_intent: id, outcome } });
    await this.settle();
  }

  private settle(): Promise<void> {
    return this.stage.pass(PASSING_MS);
  }

  /** A call that becomes an example of its operation. */
  private async shown(line: string, asked: Asked = {}): Promise<Answered> {
    const answer = await this.answer(line, asked);
    if (answer.body.error !== undefined) throw new Error(`${line} is refused: ${JSON.stringify(answer.body)}`);
    return answer;
  }

  private async answer(line: string, asked: Asked): Promise<Answered> {
    const answer = await this.stage.ask(line, asked);
    const request = typeof asked.body === 'object' ? { request: asked.body } : {};
    this.recorded.add({ line, ...request, ...answer });
    return answer;
  }
}
