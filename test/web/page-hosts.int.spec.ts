import { BuiltPages } from '../../web/http/built-pages';
import { request } from 'node:http';
import { ApiStage, type ApiInstance } from '../support/api-stage';
import { PersonBrowser } from './dashboard-stage';

const HOSTS = {
  service: 'api.example',
  checkout: 'checkout.example',
  dashboard: 'dash.example',
  console: 'ops.example',
} as const;
type Host = keyof typeof HOSTS;
const URLS = {
  PUBLIC_URL: `https://${HOSTS.service}`,
  CHECKOUT_URL: `https://${HOSTS.checkout}/checkout`,
  DASHBOARD_URL: `https://${HOSTS.dashboard}/dashboard`,
  CONSOLE_URL: `https://${HOSTS.console}/console`,
};
const PAGE = 'text/html';
const STREAM = 'text/event-stream';

let stage: ApiStage;
let instance: ApiInstance;
let owner: PersonBrowser;
let payment: string;
let link: string;

beforeAll(async () => {
  stage = await ApiStage.open(URLS);
  instance = await stage.startInstance();
  const email = 'owner@shop.example';
  const merchant = await stage.register(instance, { isChecked: false, email });
  owner = new PersonBrowser(instance, merchant, email, HOSTS.dashboard);
  await owner.signIn();
  payment = String((await owner.merchant.createIntent()).id);
  const body = { kind: 'fixed', currency: 'EUR', amount: '2500' };
  link = String((await owner.merchant.done('POST /v1/payment_links', { body })).id);
  await stage.project();
}, 60_000);
afterAll(() => stage?.close());

type Answer = { readonly status: number; readonly type: string };

/** The head of an answer: a stream never ends by itself. */
function asked(host: string, path: string, accept: string, method = 'GET'): Promise<Answer> {
  const headers = { host, accept, cookie: `__Host-qt_session=${owner.secret}`, 'sec-fetch-site': 'same-origin' };
  return new Promise((resolve, reject) => {
    const sent = request({ port: instance.port, method, path, headers, agent: false }, answer => {
      resolve({ status: answer.statusCode ?? 0, type: (answer.headers['content-type'] ?? '').split(';')[0] ?? '' });
      answer.destroy();
    });
    sent.on('error', reject).end();
  });
}

const served = async (path: string, accept: string): Promise<readonly Host[]> => {
  const hosts = Object.keys(HOSTS) as Host[];
  const answers = await Promise.all(hosts.map(host => asked(HOSTS[host], path, accept)));
  return hosts.filter((_, index) => answers[index]?.status === 200 && answers[index].type === accept);
};

/** A page or a stream, and the place whose host alone serves it. */
const SERVED: readonly (readonly [home: Host, path: () => string, accept: string])[] = [
  ['checkout', () => `/checkout/${payment}`, PAGE],
  ['checkout', () => `/checkout/${payment}/events`, STREAM],
  ['checkout', () => `/pay/${link}`, PAGE],
  ['dashboard', () => '/dashboard/sign-in', PAGE],
  ['dashboard', () => '/dashboard/test', PAGE],
  ['dashboard', () => '/dashboard/test/payments', PAGE],
  ['dashboard', () => '/dashboard/test/payments', STREAM],
  ['dashboard', () => `/dashboard/test/payments/${payment}`, PAGE],
  ['console', () => '/console/sign-in', PAGE],
  ['console', () => '/console/reset', PAGE],
  ['service', () => '/openapi.json', 'application/json'],
];

it.each(SERVED)('has the %s alone serve its pages and streams, row %#', async (home, path, accept) => {
  expect(await served(path(), accept)).toStrictEqual([home]);
});

it('refuses a form at another host, and at a host that nobody has named', async () => {
  for (const host of [HOSTS.checkout, HOSTS.service, 'other.example'])
    expect([host, (await asked(host, '/dashboard/sign-out', PAGE, 'POST')).status]).toStrictEqual([host, 404]);
  for (const [path, accept] of [
    [`/checkout/${payment}`, PAGE],
    ['/dashboard/test', PAGE],
  ] as const)
    expect((await asked('other.example', path, accept)).status).toBe(404);
});

it('serves the files of pages at each host', async () => {
  const built = BuiltPages.read();
  const files = [
    ['checkout.js', 'text/javascript'],
    ['console.css', 'text/css'],
  ] as const;
  for (const [name, type] of files)
    expect(await served(`/assets/${built.assetName(name)}`, type)).toStrictEqual(Object.keys(HOSTS));
});
