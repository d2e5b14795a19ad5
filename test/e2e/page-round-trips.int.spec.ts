import { parseIsoTime } from '../../src/kernel/clock';
import { checkoutContext } from '../../src/modules/checkout/checkout-context';
import { paymentIntents } from '../../src/modules/payment-intents/payment-intent.decider';
import { CountedApi } from '../support/counted-api';
import type { StagedMerchant } from '../support/staged-merchant';
import { CustomerBrowser } from '../web/customer-browser';
import { PersonBrowser } from '../web/dashboard-stage';
import { hiddenIn } from '../web/form-browser';

const LIMIT_MS = 60_000;
const LINK = { kind: 'fixed', currency: 'EUR', amount: '2500' };
const INVOICE = { currency: 'EUR', amount: '2500', customer: { name: 'Ada', email: 'ada@shop.example' } };

let api: CountedApi;
let merchant: StagedMerchant;
let customer: CustomerBrowser;

beforeAll(async () => {
  api = await CountedApi.open({ takesLive: true });
  ({ merchant } = api);
  customer = new CustomerBrowser(api.instance);
  const { id: walletId } = await merchant.registerWallet();
  await merchant.verifyWallet(walletId);
  await merchant.routeTo(walletId);
}, LIMIT_MS);
afterAll(() => api.close(), LIMIT_MS);

describe('the round trips of a customer', () => {
  /** A payment that waits for its method, after another one whose form the process has worked off. */
  const waiting = async () => {
    const { id: first } = await merchant.createIntent();
    await customer.send(first, 'method', { token_id: 'usdc-base' });
    return (await merchant.createIntent()).id;
  };

  /** A payment whose quote the sweeper has ended. */
  const expired = async () => {
    const id = await waiting();
    await customer.send(id, 'method', { token_id: 'usdc-base' });
    const { expires_at: expiresAt } = await merchant.done(`GET /v1/payment_intents/${id}`);
    const now = parseIsoTime(expiresAt) + 1;
    const actor = { role: 'sweeper', type: 'system', id: 'expiry' } as const;
    const request = { commandId: 'sweep', requestId: 'req_1', ip: null, now };
    const context = { ...checkoutContext({ mode: 'test', merchantId: merchant.id }, request), actor };
    await api.stage.core.writes.execute(paymentIntents, id, { type: 'expire' }, context);
    return id;
  };

  it('read the account, the payment and the routes once where the methods on offer are shown', async () => {
    const id = await waiting();
    expect(await api.asked(() => customer.open(`/checkout/${id}`))).toEqual([
      'get payment_intents',
      'readStream payment_intent',
      'getAll access',
      'readStream routes',
      'get coverage',
      'get wallets',
      'readStream wallet',
      'list wallets',
    ]);
  });

  it('read the account and the clock once where the page of a link is shown', async () => {
    const { id } = await merchant.done('POST /v1/payment_links', { body: LINK });
    // The first read of a read model asks for its checkpoint as well.
    await customer.open(`/pay/${id}`);
    expect(await api.asked(() => customer.open(`/pay/${id}`))).toEqual([
      'get payment_links',
      'readStream payment_link',
      'getAll access',
    ]);
  });

  it('are the same for the link of live mode, though an id tells no mode', async () => {
    const { live } = merchant.registered.keys;
    const { id } = await merchant.done('POST /v1/payment_links', { key: live, body: LINK });
    expect(await api.asked(() => customer.open(`/pay/${id}`))).toEqual([
      'get payment_links',
      'readStream payment_link',
      'getAll access',
    ]);
    const formId = await customer.formId(`/pay/${id}`);
    const pay = () => customer.sendForm(`/pay/${id}`, `/pay/${id}`, {}, { formId });
    expect((await api.asked(pay)).slice(0, 3)).toEqual([
      'get payment_links',
      'getAll access',
      'insert idempotency_records',
    ]);
  });

  // A form asks its payment's document for the merchant alone. The command reads the payment that it decides about.
  describe('who sends a form', () => {
    const LEASED = 'insert idempotency_records';
    const ANSWERED = 'replace idempotency_records';
    const PAYMENT_WRITTEN = ['append payment_intent', 'putNewer payment_intents'];

    it('read the account, the payment, the wallet, the routes and the coverage once for a method', async () => {
      const id = await waiting();
      const formId = await customer.formId(`/checkout/${id}`);
      expect(await api.asked(() => customer.send(id, 'method', { token_id: 'usdc-base' }, { formId }))).toEqual([
        ...['get payment_intents', 'getAll access', LEASED],
        'readStream payment_intent',
        'get coverage',
        'readStream routes',
        'get wallets',
        'readStream wallet',
        'list wallets',
        'readStream amount_slot',
        'append amount_slot',
        ...[...PAYMENT_WRITTEN, ANSWERED],
      ]);
    });

    it('read both payments once where one is started anew', async () => {
      await merchant.done('POST /v1/settings', { body: { checkout_restart: true } });
      const id = await expired();
      const formId = await customer.formId(`/checkout/${id}`);
      expect(await api.asked(() => customer.send(id, 'restart', {}, { formId }))).toEqual([
        ...['get payment_intents', 'getAll access', LEASED],
        'readStream payment_intent',
        'readStream payment_intent',
        ...[...PAYMENT_WRITTEN, ANSWERED],
      ]);
    });

    it('read no link twice where it is paid by', async () => {
      const { id } = await merchant.done('POST /v1/payment_links', { body: LINK });
      const formId = await customer.formId(`/pay/${id}`);
      expect(await api.asked(() => customer.sendForm(`/pay/${id}`, `/pay/${id}`, {}, { formId }))).toEqual([
        ...['get payment_links', 'getAll access', LEASED],
        ...['append payment_link', 'putNewer payment_links'],
        ...[...PAYMENT_WRITTEN, ANSWERED],
      ]);
    });

    it('read the invoice and its last payment once where it is paid anew', async () => {
      const { id } = await merchant.done('POST /v1/invoices', { body: INVOICE });
      const { payment_intent: last } = await merchant.done(`POST /v1/invoices/${id}/issue`);
      await merchant.done(`POST /v1/payment_intents/${last}/cancel`);
      const page = `/invoices/${id}`;
      const formId = await customer.formId(page);
      expect(await api.asked(() => customer.sendForm(page, `${page}/pay`, {}, { formId }))).toEqual([
        ...['get invoices', 'getAll access', LEASED],
        ...['readStream invoice', 'readStream payment_intent'],
        ...['append invoice', 'putNewer invoices'],
        ...[...PAYMENT_WRITTEN, ANSWERED],
      ]);
    });

    it('read the payment and its namings once where a transaction is named', async () => {
      const id = await waiting();
      await customer.send(id, 'method', { token_id: 'usdc-base' });
      const formId = await customer.formId(`/checkout/${id}`);
      expect(await api.asked(() => customer.send(id, 'claims', { tx_hash: '5550001234' }, { formId }))).toEqual([
        ...['get payment_intents', 'getAll access', LEASED],
        ...['readStream payment_intent', 'list namings', 'readStream naming'],
        ...['append naming', 'putNewer namings'],
        ANSWERED,
      ]);
    });
  });
});

describe('the round trips of a person in the dashboard', () => {
  /** The session, its seat, and one reading of the user and of the account in each mode. */
  const ADMITTED = ['get sessions', 'get session_seats', 'getAll access'];
  let owner: PersonBrowser;

  /** A page that the process has shown before. */
  const opened = async (path: string) => {
    await owner.open(path);
    return api.asked(() => owner.open(path));
  };

  beforeAll(async () => {
    owner = await PersonBrowser.ofNewMerchant(api.stage, api.instance, 'owner');
  }, LIMIT_MS);

  it.each([
    ['/dashboard', []],
    ['/dashboard/test/payments', ['list payment_intents']],
    ['/dashboard/test/settings', []],
    ['/dashboard/test/simulate', ['list payment_intents']],
  ])('read the account once for %s', async (path, read) => {
    expect(await opened(path)).toEqual([...ADMITTED, ...read]);
  });

  it('read the account, the wallets, the routes and the endpoints once for the home page', async () => {
    const asked = await opened('/dashboard/test');
    expect(asked.slice(0, ADMITTED.length)).toEqual(ADMITTED);
    const belongings = ['list wallets', 'list routes', 'list webhook_endpoints', 'getAll access'];
    expect(asked.filter(each => belongings.includes(each)).sort()).toEqual([...belongings].sort());
    const coverage = asked.filter(each => each === 'get coverage');
    expect(coverage).toHaveLength(api.instance.parts.networks.filter(({ mode }) => mode === 'test').length);
  });

  it('read the account once for a form, whose command reads what it decides about', async () => {
    const path = '/dashboard/test/simulate';
    const { body } = await owner.open(path);
    const sent = { formId: hiddenIn(body, 'form_id'), csrf: hiddenIn(body, 'csrf') };
    const fields = { amount: '25.00', currency: 'EUR', description: '' };
    expect(await api.asked(() => owner.sendForm(path, `${path}/payments`, fields, sent))).toEqual([
      ...ADMITTED,
      'insert idempotency_records',
      'append payment_intent',
      'putNewer payment_intents',
      'replace idempotency_records',
    ]);
  });
});
