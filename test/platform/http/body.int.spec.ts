import { request as httpRequest } from 'node:http';
import { ERROR_REMEDIES } from '../../../src/platform/docs/error-remedies';
import { ask, type Ask } from './exchange';
import { KEYS, startTestApp, type TestApp } from './http-test-app';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.app.close());

const post = (body: unknown, more: Ask = {}) => ask(app, 'POST /v1/orders', { ...more, body });
const withFields = (fields: string) => `{"currency":"EUR",${fields}}`;
const nested = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);

/** The same order, as a JSON library writes it, and by other hands. */
const WRITTEN = JSON.stringify({ amount: '5', currency: 'EUR' });
it.each([
  ['without a byte order mark', `\ufeff${WRITTEN}`],
  ['no key twice in an object', WRITTEN.replace('{', '{"amount":"5",')],
  ['nothing behind the end', `${WRITTEN}${WRITTEN}`],
  ['UTF-8', Buffer.from(WRITTEN.replace('}', ',"note":"für"}'), 'latin1')],
])('is taken once a JSON library writes the body: %s', async (advice, body) => {
  const refused = await post(body);
  expect([refused.status, refused.body.error.code]).toEqual([400, 'invalid_json']);
  expect(ERROR_REMEDIES.invalid_json).toContain('Let a JSON library write the body');
  expect(ERROR_REMEDIES.invalid_json).toContain(advice);
  expect((await post(WRITTEN)).status).toBeLessThan(300);
});

it.each([
  ['{', 'invalid_json', undefined],
  ['{"amount":5,}', 'invalid_json', undefined],
  ['{"amount":05}', 'invalid_json', undefined],
  ['nonsense', 'invalid_json', undefined],
  [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'invalid_json', undefined],
  [Buffer.from('\ufeff{}'), 'invalid_json', undefined],
  ['{"amount":5,"amount":5}', 'invalid_json', undefined],
  ['{"amount":5,"\\u0061mount":6}', 'invalid_json', undefined],
  ['{"metadata":{"a":"x:y","a":"x:y"}}', 'invalid_json', undefined],
  ['[]', 'invalid_body', undefined],
  ['"text"', 'invalid_body', undefined],
  ['5', 'invalid_body', undefined],
  ['null', 'invalid_body', undefined],
  ['{"__proto__":{"amount":5}}', 'parameter_invalid', '__proto__'],
  ['{"\\u005f_proto__":1}', 'parameter_invalid', '__proto__'],
  ['{"metadata":{"constructor":"x"}}', 'parameter_invalid', 'metadata.constructor'],
  ['{"routes":[{"prototype":1}]}', 'parameter_invalid', 'routes[0].prototype'],
  ['{"metadata":{"a":"\\ud800"}}', 'parameter_invalid', 'metadata.a'],
  [`{"metadata":${nested(16)}}`, 'parameter_invalid', `metadata${'.a'.repeat(15)}`],
  ['['.repeat(60_000), 'invalid_json', undefined],
  [withFields('"amount":"5","colour":"red"'), 'parameter_invalid', 'colour'],
  ['{"amount":"5"}', 'parameter_missing', 'currency'],
  ['{"currency":"EUR"}', 'parameter_missing', 'amount'],
  ['{}', 'parameter_missing', 'amount'],
  ['', 'parameter_missing', 'amount'],
  ['{"amount":"5","currency":"eur"}', 'invalid_currency', 'currency'],
  ['{"amount":"5","currency":"eu"}', 'parameter_invalid', 'currency'],
  ['{"amount":"x","currency":"eur"}', 'invalid_amount', 'amount'],
  [withFields('"amount":2500.0'), 'invalid_amount', 'amount'],
  [withFields('"amount":25e2'), 'invalid_amount', 'amount'],
  [withFields('"amount":25.5'), 'invalid_amount', 'amount'],
  [withFields('"amount":9007199254740993'), 'parameter_invalid_integer', 'amount'],
  [withFields('"amount":12345678901234567890'), 'parameter_invalid_integer', 'amount'],
  [withFields('"amount":-12345678901234567890'), 'amount_too_small', 'amount'],
  [withFields('"amount":5,"count":12345678901234567890'), 'parameter_invalid_integer', 'count'],
  [withFields('"amount":5,"routes":[{"wallet_id":"w","bps":12345678901234567890}]'), 'invalid_bps', 'routes[0].bps'],
  [withFields('"amount":1e999'), 'invalid_amount', 'amount'],
  [withFields('"amount":"25.00"'), 'invalid_amount', 'amount'],
  [withFields('"amount":"-5"'), 'invalid_amount', 'amount'],
  [withFields('"amount":" 5"'), 'invalid_amount', 'amount'],
  [withFields('"amount":"1,000"'), 'invalid_amount', 'amount'],
  [withFields('"amount":"٥"'), 'invalid_amount', 'amount'],
  [withFields('"amount":null'), 'invalid_amount', 'amount'],
  [withFields('"amount":["5"]'), 'invalid_amount', 'amount'],
  [withFields('"amount":0'), 'amount_too_small', 'amount'],
  [withFields('"amount":-5'), 'amount_too_small', 'amount'],
  [withFields('"amount":"000"'), 'amount_too_small', 'amount'],
  [withFields(`"amount":"${'9'.repeat(31)}"`), 'amount_too_large', 'amount'],
  [withFields('"amount":5,"count":0'), 'parameter_invalid_integer', 'count'],
  [withFields('"amount":5,"count":10'), 'parameter_invalid_integer', 'count'],
  [withFields('"amount":5,"count":1.0'), 'parameter_invalid_integer', 'count'],
  [withFields('"amount":5,"count":"1"'), 'parameter_invalid_integer', 'count'],
  [withFields('"amount":5,"metadata":[]'), 'parameter_invalid', 'metadata'],
  [withFields('"amount":5,"routes":[{"wallet_id":"w","bps":1},{"bps":1}]'), 'parameter_missing', 'routes[1].wallet_id'],
  [withFields('"amount":5,"routes":[{"wallet_id":"w","bps":1e1}]'), 'invalid_bps', 'routes[0].bps'],
  [withFields('"amount":5,"routes":[{"wallet_id":"w","bps":1,"x":1}]'), 'parameter_invalid', 'routes[0].x'],
  [withFields('"amount":5,"routes":["w"]'), 'parameter_invalid', 'routes[0]'],
])('%s is %s', async (body, code, param) => {
  const answer = await post(body);
  expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([400, code, param]);
});

it.each([
  ['5', '5'],
  ['9007199254740991', '9007199254740991'],
  ['"123456789012345678901234567890"', '123456789012345678901234567890'],
  ['"0042"', '42'],
])('takes the amount %s as %s', async (written, amount) => {
  expect((await post(withFields(`"amount":${written}`))).body).toEqual({ amount, currency: 'EUR' });
});

it('hands the whole body over, nested and free-form parts too', async () => {
  const body = {
    amount: '5',
    currency: 'EUR',
    metadata: { a: 'x:"y"', b: '{' },
    routes: [{ wallet_id: 'w', bps: 100 }],
  };
  expect((await post(body)).body).toEqual(body);
});

it.each([
  ['application/json', 200],
  ['application/json; charset=utf-8', 200],
  ['Application/JSON;charset="UTF-8"', 200],
  ['application/json; charset=latin1', 415],
  ['application/x-www-form-urlencoded', 415],
  ['text/plain', 415],
  ['application/problem+json', 415],
  ['nonsense', 415],
  ['', 415],
])('answers Content-Type "%s" with %i', async (type, status) => {
  const answer = await post({ amount: 5, currency: 'EUR' }, { headers: { 'content-type': type } });
  expect(answer.status).toBe(status);
  if (status === 415) expect(answer.body.error.code).toBe('unsupported_media_type');
});

it('refuses an encoded body', async () => {
  const answer = await post({ amount: 5, currency: 'EUR' }, { headers: { 'content-encoding': 'gzip' } });
  expect(answer.body.error.code).toBe('unsupported_media_type');
});

it('takes a POST without a body, or with an empty object, where the route has none', async () => {
  expect((await ask(app, 'POST /v1/orders/ord_1/cancel')).status).toBe(200);
  expect((await ask(app, 'POST /v1/orders/ord_1/cancel', { body: {} })).status).toBe(200);
});

it('refuses fields where the route has no body', async () => {
  const { body } = await ask(app, 'POST /v1/orders/ord_1/cancel', { body: { reason: 'x' } });
  expect([body.error.code, body.error.param]).toEqual(['parameter_invalid', 'reason']);
});

describe('size', () => {
  const filled = (bytes: number) => withFields(`"amount":5,"metadata":{"a":"${'x'.repeat(bytes)}"}`);
  const frame = filled(0).length;

  it('takes 64 KiB and not a byte more', async () => {
    expect((await post(filled(65_536 - frame))).status).toBe(200);
    const answer = await post(filled(65_537 - frame));
    expect([answer.status, answer.body.error.code]).toEqual([413, 'request_too_large']);
  });

  it('stops at the limit where no length is announced', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { authorization: `Bearer ${KEYS.full}`, 'content-type': 'application/json' };
      const upload = httpRequest(`${app.url}/v1/orders`, { method: 'POST', headers }, answer => {
        answer.resume();
        resolve(answer.statusCode);
      });
      upload.on('error', reject);
      for (let sent = 0; sent < 5; sent++) upload.write('x'.repeat(20_000));
      upload.end();
    });
    expect(status).toBe(413);
  });
});

it.each([
  ['the key', { key: KEYS.revoked, headers: { 'content-type': 'text/plain' }, body: '{' }, 'api_key_revoked'],
  [
    'the kind',
    { key: KEYS.publishable, headers: { 'content-type': 'text/plain' }, body: '{' },
    'publishable_scope_forbidden',
  ],
  ['the scope', { key: KEYS.reader, headers: { 'content-type': 'text/plain' }, body: '{' }, 'insufficient_scope'],
  ['the content type', { headers: { 'content-type': 'text/plain' }, body: '{' }, 'unsupported_media_type'],
  ['the body', { body: '{' }, 'invalid_json'],
  ['the validation', { body: '{}' }, 'parameter_missing'],
  ['the proof', { body: { amount: 5, currency: 'EUR' } }, 'mfa_required'],
])('checks %s before what follows it', async (_, more: Ask, code) => {
  expect((await ask(app, 'PUT /v1/orders', more)).body.error.code).toBe(code);
});
