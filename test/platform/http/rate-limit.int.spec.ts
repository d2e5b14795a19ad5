import { RateLimits } from '../../../src/platform/rate-limits/rate-limits';
import { MemoryDocuments } from '../../support/memory-documents';
import { ManualClock, NOON } from '../../support/payment-fixture';
import { ask, sendRaw, type Ask } from './exchange';
import { KEYS, startTestApp, type TestApp } from './http-test-app';

const RATES = { write: 2, read: 3, address: 1 };
const clock = new ManualClock(NOON);

let app: TestApp;

async function start(trustedProxies = 0): Promise<TestApp> {
  const rateLimits = await RateLimits.open(new MemoryDocuments(), clock, RATES);
  return startTestApp(['test'], { rateLimits, trustedProxies });
}

beforeEach(async () => {
  app = await start();
});
afterEach(() => app.app.close());

async function statuses(count: number, line: string, asked: Ask = {}): Promise<readonly number[]> {
  const seen: number[] = [];
  for (let sent = 0; sent < count; sent++) seen.push((await ask(app, line, asked)).status);
  return seen;
}

const limitsOf = ({ headers }: { headers: Headers }) =>
  ['limit', 'remaining', 'reset'].map(name => headers.get(`ratelimit-${name}`));

it('lets a key read and write two seconds of its rates at once, each by itself', async () => {
  expect(await statuses(7, 'GET /v1/any_key')).toEqual([200, 200, 200, 200, 200, 200, 429]);
  expect(await statuses(5, 'POST /v1/orders/ord_1/cancel')).toEqual([200, 200, 200, 200, 429]);
  const refused = await ask(app, 'GET /v1/any_key');
  expect(refused.body.error).toMatchObject({ type: 'invalid_request_error', code: 'rate_limit' });
  expect(limitsOf(refused)).toEqual(['6', '0', '2']);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(await statuses(1, 'GET /v1/any_key', { key: KEYS.reader })).toEqual([200]);
  clock.timeMs += 1_000;
  expect(await statuses(4, 'GET /v1/any_key')).toEqual([200, 200, 200, 429]);
});

it('lets all keys of an account together do four times what one may', async () => {
  const writers = [KEYS.full, KEYS.creator, KEYS.second, KEYS.third, KEYS.fourth];
  const seen = [];
  for (const key of writers) seen.push(await statuses(4, 'POST /v1/orders/ord_1/cancel', { key }));
  expect(seen.slice(0, 4)).toEqual(Array.from({ length: 4 }, () => [200, 200, 200, 200]));
  expect(seen[4]).toEqual([429, 429, 429, 429]);
  const refused = await ask(app, 'POST /v1/orders/ord_1/cancel', { key: KEYS.fourth });
  expect(refused.body.error.code).toBe('rate_limit');
  expect(limitsOf(refused)).toEqual(['16', '0', '2']);
  expect(refused.headers.get('retry-after')).toBe('1');
  // Reads have a limit of their own.
  expect(await statuses(1, 'GET /v1/any_key', { key: KEYS.fourth })).toEqual([200]);
});

it('works on 32 requests of a key at once, and on those of others meanwhile', async () => {
  await app.app.close();
  const rates = { write: 100, read: 10_000, address: 100 };
  app = await startTestApp(['test'], { rateLimits: await RateLimits.open(new MemoryDocuments(), clock, rates) });
  let open: () => void = () => undefined;
  app.slow.gate = new Promise(resolve => (open = resolve));
  const slow = Array.from({ length: 32 }, () => ask(app, 'GET /v1/slow'));
  while (app.slow.reached < 32) await new Promise(resolve => setImmediate(resolve));
  const refused = await ask(app, 'GET /v1/slow');
  expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limit']);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(await statuses(2, 'GET /v1/any_key')).toEqual([429, 429]);
  expect(await statuses(1, 'GET /v1/any_key', { key: KEYS.reader })).toEqual([200]);
  open();
  expect((await Promise.all(slow)).map(({ status }) => status)).toEqual(Array.from({ length: 32 }, () => 200));
  expect(await statuses(40, 'GET /v1/any_key')).toEqual(Array.from({ length: 40 }, () => 200));
});

it('counts a request as under way until it is answered, also where its client has left', async () => {
  await app.app.close();
  const rates = { write: 100, read: 10_000, address: 100 };
  app = await startTestApp(['test'], { rateLimits: await RateLimits.open(new MemoryDocuments(), clock, rates) });
  let open: () => void = () => undefined;
  app.slow.gate = new Promise(resolve => (open = resolve));
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${KEYS.full}` };
  const left = Array.from({ length: 32 }, () =>
    fetch(`${app.url}/v1/slow`, { headers, signal: leaving.signal }).catch(() => null),
  );
  while (app.slow.reached < 32) await new Promise(resolve => setImmediate(resolve));
  leaving.abort();
  await Promise.all(left);
  expect(await statuses(1, 'GET /v1/any_key')).toEqual([429]);
  open();
  while ((await statuses(1, 'GET /v1/any_key'))[0] === 429);
  expect(await statuses(1, 'GET /v1/any_key')).toEqual([200]);
});

it('charges behind the scope and before the body', async () => {
  const unread = { key: KEYS.creator, body: '{', headers: { 'content-type': 'application/json' } };
  expect(await statuses(5, 'PUT /v1/orders', unread)).toEqual([403, 403, 403, 403, 403]);
  expect(await statuses(5, 'POST /v1/orders', unread)).toEqual([400, 400, 400, 400, 429]);
});

it('charges the address of who fails to authenticate, and never who has a key', async () => {
  const guess = { key: 'sk_test_guess' };
  expect(await statuses(4, 'GET /v1/any_key', guess)).toEqual([401, 401, 429, 429]);
  expect(await statuses(1, 'GET /v1/any_key', { key: null })).toEqual([429]);
  expect(await statuses(2, 'GET /v1/any_key')).toEqual([200, 200]);
});

it('charges the address for public pages, and nobody for the health of the service', async () => {
  expect(await statuses(3, 'GET /openapi.json', { key: null })).toEqual([200, 200, 429]);
  expect(await statuses(5, 'GET /healthz', { key: null })).toEqual([200, 200, 200, 200, 200]);
  expect(await statuses(2, 'GET /readyz', { key: null })).toEqual([200, 200]);
});

it.each(['GET /healthz', 'GET /nowhere', 'DELETE /v1/orders', 'GET /v1/any_key', 'GET /v1/orders/%zz'])(
  'tells on %s how the caller stands',
  async line => {
    const answer = await ask(app, line);
    const uncharged = line.endsWith('healthz') ? ['2', '2', '0'] : ['2', '1', '1'];
    expect(limitsOf(answer)).toEqual(line.endsWith('any_key') ? ['6', '5', '1'] : uncharged);
    expect(answer.headers.get('retry-after')).toBeNull();
  },
);

it('tells it even to what is no request', async () => {
  const { head } = await sendRaw(app, 'GET / nonsense\r\n\r\n');
  expect(head).toMatch(/ratelimit-limit: 2\r\nratelimit-remaining: 1\r\n/);
});

it.each([
  ['GET /nowhere', 404],
  ['DELETE /v1/orders', 405],
  ['GET /v1/orders/%zz', 400],
  ['GET /v1/orders/undefined', 400],
  ['GET /v1/orders?a=1&a=2', 400],
])('charges the address for %s, which is refused before any key', async (line, status) => {
  expect(await statuses(4, line)).toEqual([status, status, 429, 429]);
  const refused = await ask(app, line);
  expect(refused.body.error.code).toBe('rate_limit');
  expect(refused.headers.get('retry-after')).toBe('1');
  // The key is charged for nothing of it.
  expect(limitsOf(await ask(app, 'GET /v1/any_key'))).toEqual(['6', '5', '1']);
});

it('charges the address for what is no request', async () => {
  const send = async (): Promise<string> => (await sendRaw(app, 'GET / nonsense\r\n\r\n')).head;
  const heads = [await send(), await send(), await send()];
  expect(heads.map(head => head.slice(9, 12))).toEqual(['400', '400', '429']);
  expect(heads[2]).toMatch(/retry-after: 1\r\n/);
  expect(await statuses(1, 'GET /nowhere')).toEqual([429]);
});

it('believes no X-Forwarded-For by itself', async () => {
  const from = (address: string): Ask => ({ key: null, headers: { 'x-forwarded-for': address } });
  const seen = [];
  for (const address of ['198.51.100.1', '198.51.100.2', '198.51.100.3'])
    seen.push(...(await statuses(1, 'GET /v1/any_key', from(address))));
  expect(seen).toEqual([401, 401, 429]);
});

it('believes as much of X-Forwarded-For as trusted proxies wrote', async () => {
  await app.app.close();
  app = await start(1);
  const from = (chain: string): Ask => ({ key: null, headers: { 'x-forwarded-for': chain } });
  expect(await statuses(3, 'GET /v1/any_key', from('198.51.100.1'))).toEqual([401, 401, 429]);
  expect(await statuses(1, 'GET /v1/any_key', from('198.51.100.2'))).toEqual([401]);
  // The part that a client wrote itself stands further left.
  expect(await statuses(1, 'GET /v1/any_key', from('198.51.100.9, 198.51.100.1'))).toEqual([429]);
  const forged = await ask(app, 'GET /v1/any_key', from('<script>'));
  expect([forged.status, forged.body.error.code]).toEqual([400, 'rate_limit_subject_required']);
});

it('limits nothing where there are no limits', async () => {
  await app.app.close();
  app = await startTestApp();
  expect(new Set(await statuses(20, 'GET /v1/any_key'))).toEqual(new Set([200]));
  expect(limitsOf(await ask(app, 'GET /v1/any_key'))).toEqual([null, null, null]);
});
