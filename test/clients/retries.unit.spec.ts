import { ConnectionError, RefusedError, UnexpectedAnswerError } from '../../clients/typescript/src';
import { answering, refusal } from './answering';

const PAYMENT = { status: 200, body: { id: 'pi_1', object: 'payment_intent' } };
const ORDER = { amount: '2500', currency: 'EUR' };
const LOST = new TypeError('fetch failed');
const BUSY = refusal(409, 'invalid_request_error', 'idempotency_key_in_use');

describe('a request that meets a passing fault', () => {
  it.each([
    ['a connection that fails', LOST],
    ['a request with the same key under way', BUSY],
    ['too many requests', refusal(429, 'invalid_request_error', 'rate_limit')],
    ['a fault of the service', refusal(503, 'api_error', 'rate_divergence')],
    ['a bug of the service', refusal(500, 'api_error', 'internal_error')],
    ['a fault that is new to the client', refusal(500, 'api_error', 'solar_flare')],
    ["a proxy's page", { status: 502, body: '<html>Bad gateway</html>' }],
  ])('is sent again after %s, with the same key and body', async (_, fault) => {
    const { client, sent } = answering([fault, fault, PAYMENT]);
    expect(await client.paymentIntents.create(ORDER)).toStrictEqual(PAYMENT.body);
    expect(sent).toHaveLength(3);
    const keys = new Set(sent.map(({ headers }) => headers['idempotency-key']));
    expect([...keys]).toStrictEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
  });

  it('is given up after three more attempts, with the last fault', async () => {
    const { client, sent } = answering([LOST]);
    const failure: unknown = await client.paymentIntents.create(ORDER).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConnectionError);
    expect((failure as ConnectionError).cause).toBe(LOST);
    expect(sent).toHaveLength(4);
  });

  it('is sent as often as the client or the call says', async () => {
    const one = answering([LOST], { maxRetries: 0 });
    await expect(one.client.paymentIntents.create(ORDER)).rejects.toThrow(ConnectionError);
    expect(one.sent).toHaveLength(1);
    const two = answering([LOST], { maxRetries: 0 });
    await expect(two.client.paymentIntents.create(ORDER, { maxRetries: 1 })).rejects.toThrow(ConnectionError);
    expect(two.sent).toHaveLength(2);
  });

  it('waits for any time below a bound that doubles up to eight seconds', async () => {
    const { client, pauses } = answering([LOST], { maxRetries: 7, random: () => 0.9999 });
    await expect(client.paymentIntents.create(ORDER)).rejects.toThrow(ConnectionError);
    expect(pauses).toStrictEqual([499, 999, 1_999, 3_999, 7_999, 7_999, 7_999]);
    const none = answering([LOST], { random: () => 0 });
    await expect(none.client.paymentIntents.create(ORDER)).rejects.toThrow(ConnectionError);
    expect(none.pauses).toStrictEqual([0, 0, 0]);
  });

  it('waits at least as long as Retry-After says', async () => {
    const busy = refusal(429, 'invalid_request_error', 'rate_limit', { 'retry-after': '7' });
    const { client, pauses } = answering([busy, PAYMENT]);
    await client.paymentIntents.create(ORDER);
    expect(pauses).toStrictEqual([7_250]);
  });

  it('leaves a wait of more than a minute to the caller', async () => {
    const { client, sent } = answering([refusal(429, 'invalid_request_error', 'rate_limit', { 'retry-after': '61' })]);
    await expect(client.paymentIntents.create(ORDER)).rejects.toMatchObject({
      code: 'rate_limit',
      retryAfterSeconds: 61,
    });
    expect(sent).toHaveLength(1);
  });
});

describe('a request that is answered for good', () => {
  it.each([
    ['a wrong request', refusal(400, 'invalid_request_error', 'invalid_amount')],
    ['a payment that cannot proceed', refusal(402, 'payment_error', 'wallet_not_verified')],
    ['a key of another request', refusal(409, 'idempotency_error', 'idempotency_key_reuse')],
    ['a state that does not allow it', refusal(409, 'invalid_request_error', 'invalid_state_transition')],
    ['an answer that held a secret', refusal(500, 'api_error', 'idempotency_response_unavailable')],
    ['an answer that cannot be decrypted', refusal(500, 'api_error', 'idempotency_response_unreadable')],
    ['a damaged record', refusal(500, 'api_error', 'idempotency_record_corrupt')],
    ['a deployment without passkeys', refusal(501, 'invalid_request_error', 'passkeys_not_configured')],
  ])('is not sent again after %s', async (_, answer) => {
    const { client, sent } = answering([answer]);
    await expect(client.paymentIntents.create(ORDER)).rejects.toThrow(RefusedError);
    expect(sent).toHaveLength(1);
  });

  it('is not sent again after a redirect, which is not followed', async () => {
    const { client, sent } = answering([{ status: 302, body: '', headers: { location: 'https://elsewhere.example' } }]);
    await expect(client.paymentIntents.create(ORDER)).rejects.toThrow(UnexpectedAnswerError);
    expect(sent.map(({ redirect }) => redirect)).toStrictEqual(['manual']);
  });
});

describe('a one-time code', () => {
  const ROUTES = { routes: [{ asset_symbol: 'USDC', network_id: 'base', wallet_id: 'wal_1' }] } as const;
  const LIST = { status: 200, body: { object: 'list', url: '/v1/routes', has_more: false, data: [] } };

  it('goes with every attempt of a POST, whose key lets it be used again', async () => {
    const { client, sent } = answering([LOST, PAYMENT]);
    await client.webhookEndpoints.create({ url: 'https://shop.example', enabled_events: ['*'] }, { mfaCode: '123456' });
    expect(sent.map(({ headers }) => headers['mfa-code'])).toStrictEqual(['123456', '123456']);
  });

  it('is not sent twice with a PUT, which may have spent it', async () => {
    const { client, sent } = answering([LOST, LIST]);
    await expect(client.routes.set(ROUTES, { mfaCode: '123456' })).rejects.toThrow(ConnectionError);
    expect(sent).toHaveLength(1);
  });

  it('is sent again with a PUT that was one too many, which spends none', async () => {
    const { client, sent } = answering([refusal(429, 'invalid_request_error', 'rate_limit'), LIST]);
    await client.routes.set(ROUTES, { mfaCode: '123456' });
    expect(sent).toHaveLength(2);
  });
});

describe('a signal', () => {
  it('ends the attempts with its reason', async () => {
    const stop = new AbortController();
    const { client, sent } = answering([LOST], { sleep: () => Promise.resolve(stop.abort(new Error('closing down'))) });
    await expect(client.paymentIntents.create(ORDER, { signal: stop.signal })).rejects.toThrow('closing down');
    expect(sent).toHaveLength(1);
  });

  it('ends a wait that is under way', async () => {
    const stop = new AbortController();
    const { client } = answering([LOST], {
      sleep: undefined,
      random: () => (stop.abort(new Error('closing down')), 0.99),
    });
    await expect(client.paymentIntents.create(ORDER, { signal: stop.signal })).rejects.toThrow('closing down');
  });

  it('that has aborted before lets nothing be sent', async () => {
    const { client, sent } = answering([PAYMENT]);
    const signal = AbortSignal.abort(new Error('closed'));
    await expect(client.paymentIntents.create(ORDER, { signal })).rejects.toThrow('closed');
    expect(sent).toHaveLength(0);
  });
});
