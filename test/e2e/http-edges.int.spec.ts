import { connect } from 'node:net';
import { ERROR_CATALOGUE, type ErrorCode } from '../../src/vocabulary/error-catalogue';
import { ApiStage, type ApiInstance } from '../support/api-stage';
import type { StagedMerchant } from '../support/staged-merchant';

const LIMIT_MS = 60_000;
const UNKNOWN = 'pi_00000000000000000000000000';

let stage: ApiStage;
let instance: ApiInstance;
let merchant: StagedMerchant;

beforeAll(async () => {
  stage = await ApiStage.open();
  instance = await stage.startInstance();
  merchant = await stage.register(instance);
}, LIMIT_MS);

afterAll(() => stage.close());

type Edge = readonly [line: string, status: number, code: ErrorCode | null, param?: string | null, allow?: string];

const COLLECTION = 'GET, HEAD, POST';
const OBJECT = 'GET, HEAD';

const EDGES: readonly Edge[] = [
  // Unknown paths, which are no methods' to fail.
  ['GET /', 404, 'unknown_route'],
  ['GET /v1', 404, 'unknown_route'],
  ['GET /v1/', 404, 'unknown_route'],
  ['GET /payment_intents', 404, 'unknown_route'],
  ['GET /v2/payment_intents', 404, 'unknown_route'],
  ['GET /V1/payment_intents', 404, 'unknown_route'],
  ['GET /v1/Payment_intents', 404, 'unknown_route'],
  ['GET /v1//payment_intents', 404, 'unknown_route'],
  ['GET //v1/payment_intents', 404, 'unknown_route'],
  ['GET /v1/payment_intents/x/y/z', 404, 'unknown_route'],
  ['GET /v1/payment_intents/../payment_intents', 404, 'unknown_route'],
  ['DELETE /v1/nothing', 404, 'unknown_route'],
  ['OPTIONS /v1/nothing', 404, 'unknown_route'],
  ['TRACE /v1/nothing', 404, 'unknown_route'],
  // A slash at the end of a path that has no parameter there.
  ['GET /v1/settings/', 404, 'unknown_route'],
  ['GET /v1/exchange_rates/', 404, 'unknown_route'],
  ['GET /healthz/', 404, 'unknown_route'],
  // Parameters that have nothing in them.
  ['GET /v1/payment_intents/', 400, 'missing_path_parameter', 'id'],
  ['GET /v1/payment_intents/undefined', 400, 'missing_path_parameter', 'id'],
  ['GET /v1/payment_intents//events', 400, 'missing_path_parameter', 'id'],
  ['POST /v1/payment_intents//cancel', 400, 'missing_path_parameter', 'id'],
  ['POST /v1/payment_intents/undefined/select_method', 400, 'missing_path_parameter', 'id'],
  ['POST /v1/wallets//verify', 400, 'missing_path_parameter', 'id'],
  ['POST /v1/api_keys//rotate', 400, 'missing_path_parameter', 'id'],
  ['GET /v1/webhook_endpoints//deliveries', 400, 'missing_path_parameter', 'id'],
  ['POST /v1/webhook_events/undefined/redeliver', 400, 'missing_path_parameter', 'id'],
  ['DELETE /v1/payment_intents/', 400, 'missing_path_parameter', 'id'],
  // Wrong methods, with the methods that the path has.
  ['DELETE /v1/payment_intents', 405, 'method_not_allowed', null, COLLECTION],
  [`DELETE /v1/payment_intents/${UNKNOWN}`, 405, 'method_not_allowed', null, OBJECT],
  [`PATCH /v1/payment_intents/${UNKNOWN}`, 405, 'method_not_allowed', null, OBJECT],
  [`GET /v1/payment_intents/${UNKNOWN}/cancel`, 405, 'method_not_allowed', null, 'POST'],
  [`HEAD /v1/payment_intents/${UNKNOWN}/cancel`, 405, 'method_not_allowed', null, 'POST'],
  ['PUT /v1/wallets', 405, 'method_not_allowed', null, COLLECTION],
  ['POST /v1/routes', 405, 'method_not_allowed', null, 'GET, HEAD, PUT'],
  ['PUT /v1/settings', 405, 'method_not_allowed', null, COLLECTION],
  ['POST /v1/exchange_rates', 405, 'method_not_allowed', null, OBJECT],
  ['GET /v1/mfa/proofs', 405, 'method_not_allowed', null, 'POST'],
  ['POST /healthz', 405, 'method_not_allowed', null, OBJECT],
  ['OPTIONS /v1/payment_intents', 405, 'method_not_allowed', null, COLLECTION],
  ['TRACE /v1/payment_intents', 405, 'method_not_allowed', null, COLLECTION],
  ['PROPFIND /v1/payment_intents', 405, 'method_not_allowed', null, COLLECTION],
  ['QUERY /v1/payment_intents', 405, 'method_not_allowed', null, COLLECTION],
  // Encodings.
  ['GET /v1/payment_intents/%', 400, 'invalid_path'],
  ['GET /v1/payment_intents/%zz', 400, 'invalid_path'],
  ['GET /v1/payment_intents/%E0%A4%A', 400, 'invalid_path'],
  ['GET /v1/payment_intents/%00', 404, 'payment_not_found'],
  ['GET /v1/payment_intents/..%2F..%2Fhealthz', 404, 'payment_not_found'],
  ['GET /v1/payment_intents/__proto__', 404, 'payment_not_found'],
  ['GET /v1/payment_intents/constructor', 404, 'payment_not_found'],
  ['GET /v1/wallets/null', 404, 'wallet_not_found'],
  [`GET /v1/payment_intents/${'a'.repeat(9_000)}`, 404, 'payment_not_found'],
  // Queries.
  ['GET /v1/payment_intents?api_key=sk_test_x', 401, 'invalid_authorization_header'],
  ['GET /v1/payment_intents?limit=5&limit=5', 400, 'parameter_invalid', 'limit'],
  ['GET /v1/payment_intents?status=created&status=failed', 400, 'parameter_invalid', 'status'],
  ['GET /v1/payment_intents?colour=red', 400, 'invalid_filter', 'colour'],
  ['GET /v1/payment_intents?__proto__=x', 400, 'invalid_filter', '__proto__'],
  ['GET /v1/payment_intents?constructor=x', 400, 'invalid_filter', 'constructor'],
  ['GET /v1/payment_intents?__proto__[limit]=1', 400, 'invalid_filter', '__proto__[limit]'],
  ['GET /v1/payment_intents?limit', 400, 'invalid_limit', 'limit'],
  ['GET /v1/payment_intents?starting_after', 400, 'invalid_cursor', 'starting_after'],
  ['GET /v1/payment_intents?status=', 400, 'invalid_filter', 'status'],
  ['GET /v1/payment_intents?created_from=', 400, 'invalid_timestamp', 'created_from'],
  ['GET /v1/payment_intents?created_to=2026-11-01', 400, 'invalid_timestamp', 'created_to'],
  ['GET /v1/payment_intents?created_to=2026-11-01T00:00:00%2B01:00', 400, 'invalid_timestamp', 'created_to'],
  ['GET /v1/payment_intents?created_to=2026-02-30T00:00:00Z', 400, 'invalid_timestamp', 'created_to'],
  ['GET /v1/webhook_events?delivered=maybe', 400, 'invalid_filter', 'delivered'],
  ['GET /v1/webhook_events?type=payment.awaiting_payment', 400, 'invalid_filter', 'type'],
  ['GET /v1/webhook_events?type=', 400, 'invalid_filter', 'type'],
  ['GET /v1/exchange_rates?currency=eur', 400, 'invalid_currency', 'currency'],
  ['GET /v1/exchange_rates?currency=XXX', 400, 'currency_not_supported', 'currency'],
  ['GET /v1/exchange_rates?currency=EUR&currency=USD', 400, 'parameter_invalid', 'currency'],
  ['GET /v1/exchange_rates?limit=0', 400, 'invalid_limit', 'limit'],
  ['GET /v1/exchange_rates?starting_after=eur', 400, 'invalid_cursor', 'starting_after'],
  ['GET /v1/exchange_rates?limit=1&starting_after=EUR', 200, null],
  ['GET /v1/wallets?status=verified', 400, 'invalid_filter', 'status'],
  // The next paths list nothing, so they have no filter, and refuse any.
  [`GET /v1/payment_intents/{payment}?expand=wallet`, 400, 'invalid_filter', 'expand'],
  [`GET /v1/payment_intents/{payment}/events?type=created`, 400, 'invalid_filter', 'type'],
  ['GET /v1/settings?mode=live', 400, 'invalid_filter', 'mode'],
  // Requests that are well formed.
  ['HEAD /v1/payment_intents', 200, null],
  ['HEAD /v1/payment_intents/{payment}', 200, null],
  ['HEAD /healthz', 200, null],
  ['GET /v1/payment_intents?limit=1&status=created', 200, null],
  ['GET /v1/payment_intents?', 200, null],
];

it.each(EDGES.map(edge => [edge[0].slice(0, 80), edge[1], edge[2], edge] as const))(
  '%s is answered with %i %s',
  async (_title, _status, _code, [line, status, code, param, allow]) => {
    const { id } = await merchant.createIntent();
    const [method, path] = line.replace('{payment}', String(id)).split(' ') as [string, string];
    const headers = { authorization: `Bearer ${merchant.registered.keys.test}` };
    const reply = await instance.caller.send({ method, path, headers });
    expect(reply.status).toBe(status);
    expect(reply.headers['request-id']).toMatch(/^req_[0-9a-z]{26}$/);
    expect(reply.headers.allow).toBe(allow);
    if (method === 'HEAD') {
      expect(reply.body).toBe('');
      return;
    }
    const { error } = JSON.parse(reply.body) as { error?: Record<string, string> };
    expect([error?.code ?? null, error?.param ?? null]).toEqual([code, param ?? null]);
    if (code === null) return;
    expect(error).toEqual({
      type: ERROR_CATALOGUE[code].type,
      code,
      message: expect.stringMatching(/./) as string,
      ...(param && { param }),
      doc_url: expect.stringMatching(new RegExp(`/docs/errors/${code}$`)) as string,
      request_log_url: expect.stringMatching(new RegExp(`/requests/${reply.headers['request-id']}$`)) as string,
    });
  },
);

/** All bytes of the answer to these bytes, until the server closes. */
function raw(bytes: string, end = false): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(instance.port, '127.0.0.1', () => (end ? socket.end(bytes) : socket.write(bytes)));
    socket.on('data', chunk => (text += chunk.toString()));
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
}

describe('the bytes of a request', () => {
  const head = () =>
    `Host: a\r\nConnection: close\r\nAuthorization: Bearer ${merchant.registered.keys.test}\r\nContent-Type: application/json\r\n`;
  const post = (headers: string, body: string) => `POST /v1/payment_intents HTTP/1.1\r\n${head()}${headers}\r\n${body}`;
  const body = '{"amount":"2500","currency":"EUR"}';
  const length = `Content-Length: ${body.length}\r\n`;

  it.each<[string, () => string, ErrorCode | null]>([
    ['framed by their length', () => post(length, body), null],
    [
      'framed by chunks',
      () => post('Transfer-Encoding: chunked\r\n', `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`),
      null,
    ],
    ['framed both ways', () => post(`${length}Transfer-Encoding: chunked\r\n`, '0\r\n\r\n'), 'invalid_request'],
    ['framed by two lengths', () => post(`${length}Content-Length: 5\r\n`, body), 'invalid_request'],
    ['framed by a length that is none', () => post('Content-Length: many\r\n', body), 'invalid_request'],
    ['framed by a negative length', () => post('Content-Length: -1\r\n', body), 'invalid_request'],
    [
      'framed by a chunk that is none',
      () => post('Transfer-Encoding: chunked\r\n', `zz\r\n${body}\r\n0\r\n\r\n`),
      'invalid_request',
    ],
    ['framed by what nobody knows', () => post('Transfer-Encoding: gzip\r\n', body), 'invalid_request'],
    ['without any framing', () => post('', ''), 'parameter_missing'],
    ['with a folded header', () => post(`X-Odd: a\r\n b\r\n${length}`, body), 'invalid_request'],
    ['with a space before the colon', () => post(`X-Odd : a\r\n${length}`, body), 'invalid_request'],
    [
      'with two authorizations',
      () => post(`Authorization: Bearer sk_test_x\r\n${length}`, body),
      'invalid_authorization_header',
    ],
    [
      'with a key in lower-case bearer',
      () => post(length, body).replace('Bearer', 'bearer'),
      'invalid_authorization_header',
    ],
    [
      'with two spaces after Bearer',
      () => post(length, body).replace('Bearer ', 'Bearer  '),
      'invalid_authorization_header',
    ],
    [
      'with a space in the path',
      () => post(length, body).replace('payment_intents', 'payment intents'),
      'invalid_path',
    ],
    [
      'with a control character in the path',
      () => post(length, body).replace('payment_intents', 'payment\u0001intents'),
      'invalid_path',
    ],
    ['of another protocol', () => '\u0016\u0003\u0001\u0000\u0005hello\r\n\r\n', 'invalid_request'],
    ['of HTTP/2 without TLS', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'invalid_request'],
    ['that ask for a tunnel', () => 'CONNECT example.com:443 HTTP/1.1\r\nHost: a\r\n\r\n', 'unknown_route'],
    ['without a host', () => post(length, body).replace('Host: a\r\n', ''), 'invalid_request'],
  ])('%s are answered with the envelope or the payment', async (_, bytes, code) => {
    const [, head = '', text = ''] = /^([^]*?)\r\n\r\n([^]*)$/.exec(await raw(bytes())) ?? [];
    expect(head).toMatch(/^HTTP\/1\.1 \d{3} /);
    expect(head).toMatch(/\r\nrequest-id: req_/i);
    const answer = JSON.parse(text.replace(/^[0-9a-f]+\r\n([^]*?)\r\n0\r\n\r\n$/, '$1')) as {
      error?: { code: string };
    };
    expect(answer.error?.code ?? null).toBe(code);
    if (code) expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${ERROR_CATALOGUE[code].status} `));
  });

  it.each([1, 2])('behind %i whole requests take the answer of none of them', async requests => {
    const kept = post(length, body).replace('Connection: close\r\n', '');
    const answered = await raw(`${kept.repeat(requests)}what is no request\r\n\r\n`);
    const statuses = [...answered.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);
    expect(statuses).toEqual([...Array<string>(requests).fill('200'), '400']);
    expect(answered.match(/"id":"pi_\w+"/g)).toHaveLength(requests);
  });

  it('of a body that is broken behind a whole request are refused, behind its answer', async () => {
    const kept = post(length, body).replace('Connection: close\r\n', '');
    const answered = await raw(`${kept}${post('Transfer-Encoding: chunked\r\n', 'zz\r\n')}`);
    expect(answered).toMatch(/^HTTP\/1\.1 200 [^]*"id":"pi_[^]*HTTP\/1\.1 400 [^]*"code":"invalid_request"/);
  });

  it('that break off are answered with request_aborted, and leave nothing, not even of their key', async () => {
    const before = await stage.core.store.lastPosition();
    const key = 'Idempotency-Key: broken off\r\n';
    const answer = await raw(post(`${key}Content-Length: ${body.length}\r\n`, body.slice(0, 10)), true);
    expect(answer).toContain('"code":"request_aborted"');
    expect(await stage.core.store.lastPosition()).toBe(before);
    expect(await raw(post(key + length, body))).toMatch(/^HTTP\/1\.1 200 (?![^]*idempotent-replayed)/);
    expect(await raw(post(key + length, body))).toMatch(/^HTTP\/1\.1 200 [^]*idempotent-replayed: true/);
  });
});
