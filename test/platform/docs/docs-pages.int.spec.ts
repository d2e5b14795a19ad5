import { readdirSync } from 'node:fs';
import path from 'node:path';
import { ERROR_CATALOGUE } from '../../../src/vocabulary/error-catalogue';
import { operationsOf, type ApiDocument } from '../../../src/platform/docs/api-document';
import type { Reply } from '../../support/http-caller';
import { ApiStage, type ApiInstance } from '../../support/api-stage';

const GUIDES = path.resolve(__dirname, '..', '..', '..', 'dist', 'web', 'guides');
const CRAWL_LIMIT_MS = 60_000;
const PAGES_LIMIT = 1_000;

let stage: ApiStage;
let instance: ApiInstance;
let document: ApiDocument;

beforeAll(async () => {
  stage = await ApiStage.open();
  instance = await stage.startInstance();
  document = JSON.parse((await get('/openapi.json')).body) as ApiDocument;
});

afterAll(() => stage.close());

const get = (path: string): Promise<Reply> => instance.caller.send({ method: 'GET', path });
/** The built scripts and styles that pages load. */
const ASSET = /^\/assets\/docs-[0-9a-f]{10}\.(?:js|css)$/;
const browse = (path: string): Promise<Reply> =>
  instance.caller.send({ method: 'GET', path, headers: { accept: 'text/html,*/*;q=0.8' } });

function linksOf(page: string): readonly string[] {
  return [...page.matchAll(/(?:href|src)="([^"]*)"/g)].map(match => match[1] as string);
}

it(
  'leads from one page to every other, and to nothing outside',
  async () => {
    const seen = new Map<string, string>();
    const waiting = ['/docs'];
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      if (seen.has(path) || seen.size > PAGES_LIMIT) continue;
      const reply = await get(path);
      expect([path, reply.status]).toEqual([path, 200]);
      seen.set(path, reply.body);
      if (!String(reply.headers['content-type']).startsWith('text/html')) continue;
      for (const link of linksOf(reply.body)) {
        if (link.startsWith('#') || link === 'data:,' || ASSET.test(link)) continue;
        expect(link).toMatch(/^\/(?:docs|openapi\.json)/);
        waiting.push(link.split('#')[0] as string);
      }
    }
    const operations = operationsOf(document).map(({ operation }) => `/docs/operations/${operation.operationId}`);
    const codes = Object.keys(ERROR_CATALOGUE).map(code => `/docs/errors/${code}`);
    const guides = readdirSync(GUIDES).map(file => `/docs/${path.parse(file).name}`);
    const fixed = ['/docs', '/docs/errors', '/openapi.json', ...guides];
    expect([...seen.keys()].sort()).toEqual([...fixed, ...operations, ...codes].sort());
  },
  CRAWL_LIMIT_MS,
);

describe.each(['/', '/docs/'])('the path %s', path => {
  const atRoot = (accept: string): Promise<Reply> => instance.caller.send({ method: 'GET', path, headers: { accept } });

  it('leads a browser to the documentation', async () => {
    const reply = await atRoot('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8');
    expect([reply.status, reply.headers.location, reply.headers.vary]).toEqual([302, '/docs', 'accept']);
  });

  it.each(['application/json', '*/*'])(
    'is unknown to a program that takes %s, and says where to read',
    async accept => {
      const { status, body } = await atRoot(accept);
      const { error } = JSON.parse(body) as { error: { code: string; message: string } };
      expect([status, error.code]).toEqual([404, 'unknown_route']);
      expect(error.message).toMatch(/^No resource has this path\. The documentation is at http.*\/docs\.$/);
    },
  );
});

it('runs no script but its own, which may make no markup', async () => {
  for (const path of ['/docs', '/docs/errors', '/docs/errors/rate_limit', '/docs/operations/createPaymentIntent']) {
    const { headers, body } = await get(path);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'; trusted-types same-page",
    );
    expect(headers['content-security-policy-report-only']).toBeUndefined();
    const scripts = [...body.matchAll(/<script[^>]*>([^<]*)/g)].map(match => match[0]);
    expect(scripts).toEqual([expect.stringMatching(/^<script src="\/assets\/docs-[0-9a-f]{10}\.js" defer>$/)]);
    expect(body).not.toMatch(/ on[a-z]+=|<style| style=/);
    for (const asset of linksOf(body).filter(link => ASSET.test(link))) expect((await get(asset)).status).toBe(200);
  }
});

it('speaks English to every browser', async () => {
  const headers = { accept: 'text/html', 'accept-language': 'de' };
  for (const path of ['/docs', '/docs/nothing', '/dashboard/nothing'])
    expect((await instance.caller.send({ method: 'GET', path, headers })).body).toMatch(
      /^<!doctype html><html lang="en"/,
    );
});

it('has a form whose fields no browser would put into an address', async () => {
  const { body } = await get('/docs/operations/createWallet');
  const form = /<form class="try-it" hidden.*?<\/form>/s.exec(body)?.[0] ?? '';
  expect(form).toContain('data-name="API key"');
  expect(form).not.toMatch(/ name=/);
});

it('shows an operation with its parameters, bodies, answers and a form', async () => {
  const { body } = await get('/docs/operations/createWallet');
  for (const part of ['POST', '/v1/wallets', 'wallet:manage', 'Mfa-Code', 'Idempotency-Key', 'controls_private_key'])
    expect(body).toContain(part);
  expect(body).toContain('<a href="/docs/errors/duplicate_wallet">');
  expect(body).toMatch(
    /<form class="try-it" hidden data-scripted="true" data-method="POST" data-path="\/v1\/wallets">/,
  );
  const { body: reading } = await get('/docs/operations/getHealth');
  expect(reading).toContain('Needs no key.');
  expect(reading).not.toContain('data-in="key"');
});

it.each(['rate_limit', 'idempotency_key_reuse', 'payment_expired', 'internal_error'] as const)(
  'explains %s',
  async code => {
    const { body } = await get(`/docs/errors/${code}`);
    const { type, status } = ERROR_CATALOGUE[code];
    for (const part of [code, type, `${status} `, 'What it means', 'What to do', 'Try again?', '&quot;doc_url&quot;'])
      expect(body).toContain(part);
  },
);

it.each([
  '/docs/errors/no_such_code',
  '/docs/errors/constructor',
  '/docs/operations/noSuchOperation',
  '/docs/nothing',
  '/docs/operations',
  '/docs/errors/rate_limit/nothing',
])('answers %s with a page that says so to a browser, and to a program with the envelope', async path => {
  const reply = await browse(path);
  expect(reply.status).toBe(404);
  expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(reply.body).toContain('<h1>Not found</h1>');
  expect(reply.body).toContain('<a href="/docs">Operations</a>');
  expect(reply.headers.vary).toMatch(/^accept\b/);
  const told = await get(path);
  expect([told.status, told.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
  expect(JSON.parse(told.body)).toMatchObject({ error: { code: 'unknown_route' } });
});

const DOCUMENTATION = /<a (?:class="product" )?href="http[^"]*\/docs">/;
const DASHBOARD = /<a [^>]*href="\/dashboard"/;

it.each([
  ['/docs/errors/', 'the documentation', DOCUMENTATION],
  ['/docs/operations/', 'the documentation', DOCUMENTATION],
  ['/nothing', 'the documentation', DOCUMENTATION],
  ['/v10', 'the documentation', DOCUMENTATION],
  ['/dashboard/nothing', 'the dashboard', DASHBOARD],
] as const)('leads a browser from %s to %s, and answers a program with the envelope', async (path, _, way) => {
  const reply = await browse(path);
  expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(reply.body).toMatch(way);
  const told = await get(path);
  expect([told.status, told.headers['content-type']]).toEqual([reply.status, 'application/json; charset=utf-8']);
  expect(JSON.parse(told.body)).toMatchObject({ error: { type: 'invalid_request_error' } });
});

it('leads a browser from an address with a slash at its end to the one without, and a program nowhere', async () => {
  const reply = await browse('/dashboard/requests/');
  expect([reply.status, String(reply.headers.location)]).toEqual([
    303,
    expect.stringMatching(/\/dashboard\/requests$/),
  ]);
  const told = await get('/dashboard/requests/');
  expect(JSON.parse(told.body)).toMatchObject({ error: { type: 'invalid_request_error' } });
});

it.each(['/v1', '/v1/nothing', '/v1?at=once'])('answers %s with the envelope, to a browser too', async path => {
  expect((await browse(path)).headers['content-type']).toBe('application/json; charset=utf-8');
});

it('shows names in descriptions as code', async () => {
  const { body } = await get('/docs/operations/createWallet');
  expect(body).toContain('This or <code>Mfa-Proof</code> is required.');
  expect(body).not.toContain('`');
});

it('escapes what stands in the path', async () => {
  const { body } = await browse(`/docs/errors/${encodeURIComponent('<script>alert(1)</script>')}`);
  expect(body).not.toContain('alert(1)');
});

it('links to where a browser finds it, behind a proxy that takes a part of the path away', async () => {
  const behindProxy = await ApiStage.open({ PUBLIC_URL: 'https://pay.example/quittance' });
  try {
    const { caller } = await behindProxy.startInstance();
    const { body } = await caller.send({ method: 'GET', path: '/docs' });
    const paths = linksOf(body).filter(link => link.startsWith('/'));
    expect(new Set(paths.map(link => link.split('/')[1]))).toEqual(new Set(['quittance']));
    const [asset = ''] = paths.filter(link => link.startsWith('/quittance/assets/'));
    expect((await caller.send({ method: 'GET', path: asset.replace('/quittance', '') })).status).toBe(200);
    const { headers } = await caller.send({ method: 'GET', path: '/', headers: { accept: 'text/html' } });
    expect(headers.location).toBe('/quittance/docs');
  } finally {
    await behindProxy.close();
  }
});

it('names the address for test keys beside the other one', async () => {
  const sandbox = 'https://sandbox.pay.example';
  const both = await ApiStage.open({ PUBLIC_URL: 'https://pay.example', SANDBOX_URL: sandbox });
  try {
    const { caller } = await both.startInstance();
    const { body } = await caller.send({ method: 'GET', path: '/docs' });
    expect(body).toContain(`<code>https://pay.example</code>, which takes test keys and live keys.`);
    expect(body).toContain(`<code>${sandbox}</code>, which takes test keys only.`);
  } finally {
    await both.close();
  }
});
