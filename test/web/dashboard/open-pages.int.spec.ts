import { get, type ClientRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { DashboardStage, type PersonBrowser } from '../dashboard-stage';

const LIMIT_MS = 60_000;
const LOOK_EVERY_MS = 50;
const PAGE_VERSION = /data-page-version="([^"]*)"/;
const TOLD = /^data: (.*)$/gm;

let stage: DashboardStage;
let owner: PersonBrowser;
const requests: ClientRequest[] = [];

beforeAll(async () => {
  stage = await DashboardStage.open();
  ({ owner } = stage);
}, LIMIT_MS);
afterAll(async () => {
  for (const request of requests) request.destroy();
  await stage.close();
}, LIMIT_MS);

const versionOf = async (path: string): Promise<string> => PAGE_VERSION.exec((await owner.open(path)).body)?.[1] ?? '';

/** An open page of the person: the versions that it is told. */
function opened(path: string): () => readonly string[] {
  const { port } = stage.instance;
  const cookie = `${owner.cookieName}=${owner.secret}`;
  const headers = { accept: 'text/event-stream', 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty', cookie };
  let text = '';
  const request = get({ host: '127.0.0.1', port, path, headers }, answer => {
    answer.on('data', chunk => (text += String(chunk)));
    answer.on('error', () => undefined);
  });
  request.on('error', () => undefined);
  requests.push(request);
  return () => [...text.matchAll(TOLD)].map(([, version]) => version ?? '');
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(LOOK_EVERY_MS);
}

describe('an open page of a person is told of a change in the facts', () => {
  /** Opens the page, changes something, and waits until it has been told the version that the page has then. */
  const follows = async (path: string, change: () => Promise<unknown>): Promise<void> => {
    const before = await versionOf(path);
    const told = opened(path);
    await until(() => told().at(-1) === before);
    await change();
    const after = await versionOf(path);
    expect(after).not.toBe(before);
    await until(() => told().at(-1) === after);
    // Another tab shares the look of the first one.
    const second = opened(path);
    await until(() => second().at(-1) === after);
  };

  it(
    'of the clock, on the panel of test mode',
    async () => {
      const path = '/dashboard/test/simulate';
      await follows(path, () => owner.sendForm(path, `${path}/clock`, { span: '1m' }));
    },
    LIMIT_MS,
  );

  it(
    'of the settings, at home',
    async () => {
      const { merchant } = stage;
      const { id } = await merchant.registerWallet();
      await merchant.verifyWallet(id);
      await merchant.routeTo(id);
      const body = { enabled_tokens: ['usdt-bnb'] };
      await follows('/dashboard/test', () => merchant.done('POST /v1/settings', { body }));
    },
    LIMIT_MS,
  );

  it(
    'of the recovery codes, on the page of security',
    async () => {
      const path = '/dashboard/test/security';
      const other = owner.another();
      await other.signIn();
      await follows(path, () => other.sendForm(path, `${path}/recovery-codes`, { code: stage.merchant.nextCode() }));
    },
    LIMIT_MS,
  );
});
