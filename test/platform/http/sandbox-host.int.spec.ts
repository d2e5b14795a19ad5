import { RateLimits } from '../../../src/platform/rate-limits/rate-limits';
import { MemoryDocuments } from '../../support/memory-documents';
import { ManualClock, NOON } from '../../support/payment-fixture';
import { ask, sendRaw } from './exchange';
import { KEYS, startTestApp, type TestApp } from './http-test-app';

const RATES = { write: 50, read: 50, address: 20 };
const LIMIT_OF_ADDRESS = 'ratelimit-limit: 40';
const LIMIT_OF_KEY = 'ratelimit-limit: 100';

let app: TestApp;
beforeAll(async () => {
  const rateLimits = await RateLimits.open(new MemoryDocuments(), new ManualClock(NOON), RATES);
  app = await startTestApp(['test', 'live'], { rateLimits, sandboxUrl: 'https://sandbox.pay.example:8443' });
});
afterAll(() => app.app.close());

function asked(host: string, key: string, more = '') {
  const headers = `Host: ${host}\r\nAuthorization: Bearer ${key}\r\n${more}Connection: close\r\n\r\n`;
  return sendRaw(app, `GET /v1/any_key HTTP/1.1\r\n${headers}`);
}

it.each(['sandbox.pay.example', 'SANDBOX.Pay.Example:8443', 'sandbox.pay.example.', 'sandbox.pay.example:443'])(
  'takes test keys only at %s, and charges other keys as unknown ones',
  async host => {
    const { head, body } = await asked(host, KEYS.live);
    expect(head).toContain('HTTP/1.1 401');
    expect(body).toMatchObject({ error: { code: 'invalid_api_key' } });
    expect(head).toContain(LIMIT_OF_ADDRESS);
    const taken = await asked(host, KEYS.full);
    expect(taken.head).toContain('HTTP/1.1 200');
    expect(taken.head).toContain(LIMIT_OF_KEY);
  },
);

it.each([
  ['pay.example', ''],
  ['my-sandbox.pay.example', ''],
  ['pay.example', 'X-Forwarded-Host: sandbox.pay.example\r\n'],
])('takes both kinds of keys at %s %s', async (host, more) => {
  expect((await asked(host, KEYS.live, more)).head).toContain('HTTP/1.1 200');
  expect((await asked(host, KEYS.full, more)).head).toContain('HTTP/1.1 200');
});

it('is named beside the other address by the contract', async () => {
  const { body } = await ask(app, 'GET /openapi.json', { key: null });
  expect(body.servers).toEqual([
    { url: 'https://pay.example', description: 'Takes test keys and live keys' },
    { url: 'https://sandbox.pay.example:8443', description: 'Takes test keys only' },
  ]);
});
