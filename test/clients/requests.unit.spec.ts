import { inspect } from 'node:util';
import {
  API_VERSION,
  ApiError,
  CLIENT_VERSION,
  IdempotencyError,
  InvalidRequestError,
  PaymentError,
  Quittance,
  RefusedError,
  UnexpectedAnswerError,
  type QuittanceOptions,
  type RequestOptions,
} from '../../clients/typescript/src';
import { answering, KEY, refusal } from './answering';

const PAYMENT = { status: 200, body: { id: 'pi_1', object: 'payment_intent' } };
const USER_AGENT = `quittance-client/${CLIENT_VERSION} node/${process.versions.node}`;
const ORDER = { amount: '2500', currency: 'EUR', metadata: { order: '42' } };

describe('a request', () => {
  it('carries the key, the body and a new idempotency key', async () => {
    const { client, sent } = answering([PAYMENT], { apiVersion: '2026-11-01' });
    await client.paymentIntents.create(ORDER);
    await client.paymentIntents.create(ORDER);
    const [first, second] = sent.map(({ headers }) => headers['idempotency-key']);
    expect(first).not.toBe(second);
    expect(sent[0]).toMatchObject({
      url: 'https://pay.example/v1/payment_intents',
      method: 'POST',
      body: '{"amount":"2500","currency":"EUR","metadata":{"order":"42"}}',
    });
    expect(sent[0]?.headers).toStrictEqual({
      authorization: `Bearer ${KEY}`,
      accept: 'application/json',
      'user-agent': USER_AGENT,
      'content-type': 'application/json',
      'api-version': '2026-11-01',
      'idempotency-key': first,
    });
  });

  it('carries what its options say', async () => {
    const { client, sent } = answering([PAYMENT], { apiVersion: '2026-11-01' });
    const options = {
      idempotencyKey: 'order-42',
      apiVersion: '2027-01-01',
      mfaCode: '123456',
      mfaProof: 'proof',
      mfaUser: 'usr_1',
    };
    await client.paymentIntents.cancel('pi_1', options);
    expect(sent[0]?.body).toBeUndefined();
    expect(sent[0]?.headers).toStrictEqual({
      authorization: `Bearer ${KEY}`,
      accept: 'application/json',
      'user-agent': USER_AGENT,
      'api-version': '2027-01-01',
      'idempotency-key': 'order-42',
      'mfa-code': '123456',
      'mfa-proof': 'proof',
      'mfa-user': 'usr_1',
    });
  });

  it('that only reads carries no idempotency key', async () => {
    const { client, sent } = answering([PAYMENT]);
    await client.paymentIntents.retrieve('pi_1', { idempotencyKey: 'order-42' });
    expect(sent[0]).toMatchObject({ url: 'https://pay.example/v1/payment_intents/pi_1', method: 'GET' });
    expect(sent[0]?.headers).toStrictEqual({
      authorization: `Bearer ${KEY}`,
      accept: 'application/json',
      'user-agent': USER_AGENT,
      'api-version': API_VERSION,
    });
  });

  it('keeps an id one segment of its path', async () => {
    const { client, sent } = answering([PAYMENT]);
    await client.paymentIntents.retrieve('pi_1/cancel?x=#é');
    expect(sent[0]?.url).toBe('https://pay.example/v1/payment_intents/pi_1%2Fcancel%3Fx%3D%23%C3%A9');
  });

  it.each(['', '.', '..', undefined, null])('is never sent for the id %j', id => {
    const { client, sent } = answering([PAYMENT]);
    expect(() => client.paymentIntents.retrieve(id as string)).toThrow(TypeError);
    expect(sent).toHaveLength(0);
  });
});

describe('a refusal', () => {
  it('is told with everything in its envelope', async () => {
    const answer = refusal(400, 'invalid_request_error', 'invalid_amount', { 'retry-after': '3' });
    const { error } = answer.body as { readonly error: object };
    const { client } = answering([{ ...answer, body: { error: { ...error, param: 'amount' } } }]);
    const failure: unknown = await client.paymentIntents.create(ORDER).catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(InvalidRequestError);
    expect(failure).toMatchObject({
      name: 'InvalidRequestError',
      message: 'invalid_amount: No.',
      status: 400,
      type: 'invalid_request_error',
      code: 'invalid_amount',
      param: 'amount',
      docUrl: 'https://docs.example/errors/invalid_amount',
      requestLogUrl: 'https://dash.example/requests/req_1',
      requestId: 'req_1',
      retryAfterSeconds: 3,
    });
  });

  it.each([
    ['invalid_request_error', InvalidRequestError],
    ['payment_error', PaymentError],
    ['idempotency_error', IdempotencyError],
    ['api_error', ApiError],
    ['something_new', RefusedError],
  ])('of the type %s has its own class', async (type, expected) => {
    const { client } = answering([refusal(409, type, 'some_code')], { maxRetries: 0 });
    const failure = (await client.paymentIntents.create(ORDER).catch((thrown: unknown) => thrown)) as Error;
    expect(failure.constructor).toBe(expected);
    expect(failure).toMatchObject({ code: 'some_code', param: null, retryAfterSeconds: null });
  });

  it.each([
    ['a page', 404, '<html></html>'],
    ['nothing', 401, ''],
    ['another envelope', 400, { error: 'no' }],
    ['an envelope without a code', 400, { error: { type: 'api_error' } }],
    ['a success that is no object', 200, '"pi_1"'],
    ['a success that is no JSON', 200, 'OK'],
  ])("is not the service's when it is %s", async (_, status, body) => {
    const { client } = answering([{ status, body }]);
    await expect(client.paymentIntents.retrieve('pi_1')).rejects.toStrictEqual(new UnexpectedAnswerError(status));
  });
});

describe('the client', () => {
  it('never shows its key', () => {
    const { client } = answering([PAYMENT]);
    expect(inspect(client, { depth: 10, showHidden: true })).not.toContain(KEY);
    expect(JSON.stringify(client)).not.toContain(KEY);
  });

  it.each<[string, Partial<QuittanceOptions>]>([
    ['a publishable key', { apiKey: 'pk_test_0123456789abcdef' }],
    ['a key with a line break', { apiKey: `${KEY}\n` }],
    ['no key', { apiKey: '' }],
    ['a base address without http', { baseUrl: 'pay.example' }],
    ['a base address with a query', { baseUrl: 'https://pay.example?x=1' }],
    ['retries below none', { maxRetries: -1 }],
    ['half a retry', { maxRetries: 0.5 }],
    ['a time-out that is none', { timeoutMs: Number.NaN }],
    ['no time for an answer', { timeoutMs: 0 }],
    ['more time than a timer holds', { timeoutMs: 2 ** 31 }],
  ])('is not made with %s', (_, wrong) => {
    const make = (): Quittance => new Quittance({ apiKey: KEY, baseUrl: 'https://pay.example', ...wrong });
    expect(make).toThrow(/^(apiKey|baseUrl|maxRetries|timeoutMs) is not/);
  });

  it.each<[string, RequestOptions]>([
    ['retries that are no number', { maxRetries: Number.NaN }],
    ['retries without end', { maxRetries: Infinity }],
    ['no time for an answer', { timeoutMs: 0 }],
    ['more time than a timer holds', { timeoutMs: 2 ** 31 }],
  ])('sends nothing for a call with %s', async (_, wrong) => {
    const { client, sent } = answering([refusal(503, 'api_error', 'rate_divergence'), PAYMENT]);
    await expect(client.paymentIntents.retrieve('pi_1', wrong)).rejects.toThrow(RangeError);
    expect(sent).toHaveLength(0);
  });

  it.each<[string, RequestOptions]>([
    ['an empty idempotency key', { idempotencyKey: '' }],
    ['an idempotency key beyond ASCII', { idempotencyKey: 'Bestellung №42' }],
    ['a code with a line break', { mfaCode: '123456\r\nx-other: 1' }],
    ['a code that is a number', { mfaCode: 123_456 as never }],
    ['a version of spaces', { apiVersion: ' ' }],
  ])('sends nothing for a call with %s', async (_, wrong) => {
    const { client, sent } = answering([PAYMENT]);
    await expect(client.paymentIntents.create(ORDER, wrong)).rejects.toThrow(TypeError);
    expect(sent).toHaveLength(0);
  });

  it('is not made with an option that does not exist, and names it', () => {
    const options = { apiKey: KEY, baseUrl: 'https://pay.example', timeout: 5, retries: 1 };
    expect(() => new Quittance(options)).toThrow(TypeError);
    expect(() => new Quittance(options)).toThrow(
      'unknown option timeout, retries; the options are apiKey, baseUrl, apiVersion, maxRetries, timeoutMs, fetch, sleep, random',
    );
  });

  it('sends nothing for a call with an option that does not exist, and names it', async () => {
    const { client, sent } = answering([PAYMENT]);
    const options = { idempotency_key: 'order-42' } as RequestOptions;
    await expect(client.paymentIntents.create(ORDER, options)).rejects.toThrow(
      /^unknown option idempotency_key; the options are idempotencyKey, mfaCode, /,
    );
    await expect(client.paymentIntents.list({}, options).firstPage()).rejects.toThrow(TypeError);
    expect(sent).toHaveLength(0);
  });

  it('keeps a path in its base address', async () => {
    const { client, sent } = answering([PAYMENT], { baseUrl: 'https://example.com/pay//' });
    await client.paymentIntents.retrieve('pi_1');
    expect(sent[0]?.url).toBe('https://example.com/pay/v1/payment_intents/pi_1');
  });
});
