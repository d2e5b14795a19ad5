import {
  ApiError,
  constructEvent,
  InvalidRequestError,
  PaymentError,
  Quittance,
  type RefusedError,
  type Fetch,
} from '../../clients/typescript/src';
import { signatureHeader } from '../../src/modules/webhooks/signature';
import { ApiStage, type ApiInstance } from '../support/api-stage';
import type { StagedMerchant } from '../support/staged-merchant';

const LIMIT_MS = 60_000;
jest.setTimeout(LIMIT_MS);

const ORDER = { amount: '2500', currency: 'EUR', metadata: { order: '42' } };

describe('the client against the service', () => {
  let stage: ApiStage;
  let instance: ApiInstance;
  let merchant: StagedMerchant;
  let baseUrl: string;
  let client: Quittance;

  beforeAll(async () => {
    stage = await ApiStage.open();
    instance = await stage.startInstance();
    merchant = await stage.register(instance);
    baseUrl = `http://127.0.0.1:${instance.port}`;
    client = clientWith({});
  }, LIMIT_MS);

  afterAll(() => stage.close(), LIMIT_MS);

  function clientWith(options: { readonly fetch?: Fetch; readonly apiKey?: string }): Quittance {
    return new Quittance({
      apiKey: merchant.registered.keys.test,
      baseUrl,
      sleep: () => Promise.resolve(),
      ...options,
    });
  }

  /** The service does the work of each request, and its first answers never arrive. */
  function losing(answers: number): Fetch {
    let lost = 0;
    return async (url, request) => {
      const answer = await fetch(url, request);
      if (lost++ < answers) throw new TypeError('terminated');
      return answer;
    };
  }

  async function paymentIds(): Promise<readonly string[]> {
    const ids: string[] = [];
    for await (const { id } of client.paymentIntents.list({ limit: 2 })) ids.push(id);
    return ids;
  }

  it('makes one payment however many answers were lost', async () => {
    const before = await paymentIds();
    const payment = await clientWith({ fetch: losing(3) }).paymentIntents.create(ORDER);
    expect(await paymentIds()).toStrictEqual([payment.id, ...before]);
    expect(payment).toMatchObject({
      object: 'payment_intent',
      mode: 'test',
      status: 'created',
      metadata: ORDER.metadata,
    });
    expect(await client.paymentIntents.retrieve(payment.id)).toStrictEqual(payment);
  });

  it('gets the same answer for the same key, and a refusal for another request with it', async () => {
    const options = { idempotencyKey: 'order-42' };
    const payment = await client.paymentIntents.create(ORDER, options);
    expect(await client.paymentIntents.create(ORDER, options)).toStrictEqual(payment);
    const other = client.paymentIntents.create({ ...ORDER, amount: '2600' }, options);
    await expect(other).rejects.toMatchObject({ name: 'IdempotencyError', code: 'idempotency_key_reuse' });
  });

  it('reads a list of many pages, newest first', async () => {
    const made: string[] = [];
    for (let n = 0; n < 5; n++) made.unshift((await client.paymentIntents.create(ORDER)).id);
    expect((await paymentIds()).slice(0, 5)).toStrictEqual(made);
    const page = await client.paymentIntents.list({ limit: 2, starting_after: made[1] }).firstPage();
    expect(page.data.map(({ id }) => id)).toStrictEqual(made.slice(2, 4));
  });

  it('reads every exchange rate, page by page', async () => {
    const codes: string[] = [];
    for await (const { id } of client.exchangeRates.list({ limit: 5 })) codes.push(id);
    expect(codes.length).toBeGreaterThan(20);
    expect(codes).toStrictEqual([...new Set(codes)].sort());
  });

  it('is answered in the shapes of its types, whatever the account is pinned to', async () => {
    const other = await stage.register(instance);
    const { paymentIntents, settings } = clientWith({ apiKey: other.registered.keys.test });
    await settings.update({ api_version: '2026-11-01' });
    const { id: wallet } = await other.registerWallet();
    await other.verifyWallet(wallet);
    await other.routeTo(wallet);
    const { id } = await paymentIntents.create(ORDER);
    const chosen = await paymentIntents.selectMethod(id, { token_id: 'usdc-base', wallet_id: wallet });
    expect(chosen.payment_method?.reserved_until).toMatch(/Z$/);
    const first = await paymentIntents.retrieve(id, { apiVersion: '2026-11-01' });
    expect(first.payment_method).not.toHaveProperty('reserved_until');
  });

  it('tells refusals by their class', async () => {
    const wrong: unknown = await client.paymentIntents
      .create({ ...ORDER, amount: '25.00' })
      .catch((error: unknown) => error);
    expect(wrong).toBeInstanceOf(InvalidRequestError);
    expect(wrong).toMatchObject({ status: 400, code: 'invalid_amount', param: 'amount' });
    const { requestId, docUrl, requestLogUrl } = wrong as RefusedError;
    expect(requestId).toMatch(/^req_/);
    expect(docUrl).toMatch(/\/errors\/invalid_amount$/);
    expect(requestLogUrl.endsWith(`/requests/${requestId}`)).toBe(true);

    const { id } = await client.paymentIntents.create(ORDER);
    const wallet = await client.wallets.create(
      {
        network_id: 'base',
        address: '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc',
        label: 'Till',
        controls_private_key: true,
      },
      { mfaCode: merchant.nextCode() },
    );
    const choice = { token_id: 'usdc-base', wallet_id: wallet.id } as const;
    const refused: unknown = await client.paymentIntents.selectMethod(id, choice).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(PaymentError);
    expect(refused).toMatchObject({ status: 402, code: 'wallet_not_verified' });
  });

  it('proves itself with a one-time code, or with a proof made of one', async () => {
    const terms = { kind: 'rk', scopes: ['payment:read'] } as const;
    await expect(client.apiKeys.create(terms)).rejects.toMatchObject({ code: 'mfa_required' });
    const minted = await client.apiKeys.create(terms, { mfaCode: merchant.nextCode() });
    const reader = clientWith({ apiKey: minted.secret });
    expect((await reader.paymentIntents.list().firstPage()).object).toBe('list');
    await expect(reader.paymentIntents.create(ORDER)).rejects.toMatchObject({ code: 'insufficient_scope' });
    const action = { method: 'totp', code: merchant.nextCode(), action: 'api_key.revoke' } as const;
    const { proof } = await client.mfaProofs.create(action);
    expect((await client.apiKeys.revoke(minted.id, { mfaProof: proof })).status).toBe('revoked');
    await expect(reader.paymentIntents.list().firstPage()).rejects.toMatchObject({ code: 'api_key_revoked' });
  });

  it('sends a one-time code again with a POST whose answer was lost', async () => {
    const endpoint = await client.webhookEndpoints.create(
      { url: 'http://127.0.0.1:9/hooks', enabled_events: ['*'] },
      { mfaCode: merchant.nextCode() },
    );
    const changed = await clientWith({ fetch: losing(1) }).webhookEndpoints.update(
      endpoint.id,
      { description: 'Orders' },
      { mfaCode: merchant.nextCode() },
    );
    expect(changed.description).toBe('Orders');
    const body = '{"type":"payment.confirmed"}';
    const header = signatureHeader(body, [endpoint.secret], Date.now());
    expect(constructEvent(body, header, endpoint.secret).type).toBe('payment.confirmed');
  });

  it('does not ask again for a secret whose answer was lost', async () => {
    let sent = 0;
    const lose = losing(1);
    const counting: Fetch = (url, request) => ((sent += 1), lose(url, request));
    const mint = clientWith({ fetch: counting }).apiKeys.create(
      { kind: 'rk', scopes: ['payment:read'] },
      { mfaCode: merchant.nextCode() },
    );
    const refused: unknown = await mint.catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({ code: 'idempotency_response_unavailable' });
    expect(sent).toBe(2);
  });
});
