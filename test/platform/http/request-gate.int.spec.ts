import { ask, sendRaw } from './exchange';
import { startTestApp, type TestApp } from './http-test-app';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.app.close());

it.each([
  ['GET /nope', 404, 'unknown_route', undefined],
  ['GET /v2/orders', 404, 'unknown_route', undefined],
  ['GET //healthz', 404, 'unknown_route', undefined],
  ['GET /nope/', 404, 'unknown_route', undefined],
  ['GET /nope/undefined', 404, 'unknown_route', undefined],
  ['GET /v1/orders/', 400, 'missing_path_parameter', 'id'],
  ['GET /v1/orders/undefined', 400, 'missing_path_parameter', 'id'],
  ['GET /v1/orders/undefined?limit=1', 400, 'missing_path_parameter', 'id'],
  ['POST /v1/orders//cancel', 400, 'missing_path_parameter', 'id'],
  ['POST /v1/orders/undefined/cancel', 400, 'missing_path_parameter', 'id'],
  ['DELETE /v1/orders/', 400, 'missing_path_parameter', 'id'],
  ['DELETE /v1/orders', 405, 'method_not_allowed', undefined],
  ['PATCH /v1/orders/ord_1', 405, 'method_not_allowed', undefined],
  ['GET /v1/orders/ord_1/cancel', 405, 'method_not_allowed', undefined],
  ['OPTIONS /v1/orders', 405, 'method_not_allowed', undefined],
  ['PROPFIND /v1/orders', 405, 'method_not_allowed', undefined],
  ['GET /v1/orders/%E0%A4%A', 400, 'invalid_path', undefined],
  ['GET /v1/orders/%', 400, 'invalid_path', undefined],
  ['GET /v1/orders/%zz', 400, 'invalid_path', undefined],
  ['GET /v1/orders?status=a&status=b', 400, 'parameter_invalid', 'status'],
  ['GET /v1/orders?limit=5&limit=5', 400, 'parameter_invalid', 'limit'],
  ['GET /v1/orders?colour=red', 400, 'invalid_filter', 'colour'],
  ['GET /v1/orders?__proto__=1', 400, 'invalid_filter', '__proto__'],
  ['POST /v1/orders/ord_1/cancel?note=late', 400, 'invalid_filter', 'note'],
  ['POST /v1/orders/ord_1/cancel?__proto__=1', 400, 'invalid_filter', '__proto__'],
  ['PUT /v1/orders?a=1', 400, 'invalid_filter', 'a'],
])('%s is refused with %i %s', async (line, status, code, param) => {
  const answer = await ask(app, line);
  expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([status, code, param]);
});

it.each(['GET /nope', 'DELETE /v1/orders', 'GET /v1/orders/', 'GET /v1/orders?a=1&a=2'])(
  'checks the target of %s before the key',
  async line => {
    const anonymous = await ask(app, line, { key: null });
    expect(anonymous.body.error.code).toBe((await ask(app, line)).body.error.code);
    expect(anonymous.status).not.toBe(401);
  },
);

it('lists the methods of the path in Allow', async () => {
  expect((await ask(app, 'DELETE /v1/orders')).headers.get('allow')).toBe('GET, HEAD, POST, PUT');
  expect((await ask(app, 'PUT /v1/orders/ord_1/cancel')).headers.get('allow')).toBe('POST');
});

it('passes percent-encoded text on, decoded', async () => {
  expect((await ask(app, 'GET /v1/orders/a%20b%2Fc')).body).toEqual({ id: 'a b/c' });
});

it('passes an id of any length on', async () => {
  const id = 'a'.repeat(9_000);
  expect((await ask(app, `GET /v1/orders/${id}`)).body).toEqual({ id });
});

const HEAD = 'Host: a\r\nAuthorization: Bearer sk_test_full\r\nConnection: close\r\n';

it.each([
  ['an unencoded space', `GET /v1/or ders HTTP/1.1\r\n${HEAD}\r\n`, 'invalid_path'],
  ['an unencoded space in the query', `GET /v1/orders?a= b HTTP/1.1\r\n${HEAD}\r\n`, 'invalid_path'],
  ['a control character', `GET /v1/orders/\x01 HTTP/1.1\r\n${HEAD}\r\n`, 'invalid_path'],
  ['a tab', `GET /v1/orders/\t HTTP/1.1\r\n${HEAD}\r\n`, 'invalid_path'],
  ['a NUL', `GET /v1/orders/\0 HTTP/1.1\r\n${HEAD}\r\n`, 'invalid_path'],
  ['a DEL', `GET /v1/orders/\x7f HTTP/1.1\r\n${HEAD}\r\n`, 'invalid_path'],
  ['raw UTF-8', Buffer.from(`GET /v1/orders/ä HTTP/1.1\r\n${HEAD}\r\n`), 'invalid_path'],
  ['a method that is none', `FETCH /v1/orders HTTP/1.1\r\n${HEAD}\r\n`, 'invalid_request'],
  ['two hosts', `GET /v1/orders HTTP/1.1\r\nHost: b\r\n${HEAD}\r\n`, 'invalid_request'],
  ['the same host twice', `GET /v1/orders HTTP/1.1\r\nhost: a\r\n${HEAD}\r\n`, 'invalid_request'],
  ['two hosts of an old protocol', `GET /v1/orders HTTP/1.0\r\nHost: b\r\n${HEAD}\r\n`, 'invalid_request'],
  ['a header without a name', `GET /v1/orders HTTP/1.1\r\n${HEAD}: x\r\n\r\n`, 'invalid_request'],
  [
    'both framings at once',
    `POST /v1/orders HTTP/1.1\r\n${HEAD}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    'invalid_request',
  ],
  ['headers beyond measure', `GET /v1/orders HTTP/1.1\r\n${HEAD}X: ${'x'.repeat(20_000)}\r\n\r\n`, 'request_too_large'],
])('answers %s on the socket with the envelope', async (_, bytes, code) => {
  const { head, body } = await sendRaw(app, bytes);
  expect(body).toMatchObject({ error: { code, type: 'invalid_request_error' } });
  const requestId = /request-id: (req_\w{26})/i.exec(head)?.[1];
  expect(body).toMatchObject({ error: { request_log_url: `https://dash.example/requests/${requestId}` } });
});

it('answers a head alone where the bytes ask for no more', async () => {
  const bytes = `HEAD /v1/orders HTTP/1.1\r\n${HEAD}X: ${'x'.repeat(20_000)}\r\n\r\n`;
  const { head, body } = await sendRaw(app, bytes);
  expect([head.slice(0, 'HTTP/1.1 413'.length), body]).toEqual(['HTTP/1.1 413', null]);
});

it('tells a client that broke its upload off', async () => {
  const start = `POST /v1/orders HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{"a`;
  expect((await sendRaw(app, start, true)).body).toMatchObject({ error: { code: 'request_aborted' } });
});

it('takes a target in absolute form', async () => {
  const { body } = await sendRaw(app, `GET http://pay.example/v1/orders/ord_1 HTTP/1.1\r\n${HEAD}\r\n`);
  expect(body).toEqual({ id: 'ord_1' });
});
