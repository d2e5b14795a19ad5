import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RefusedError } from '../../clients/typescript/src';
import { Merchant } from '../support/merchant';
import { OpenApiValidation } from '../support/openapi-validation';
import { eventually, freePort, quickStartPath, serviceEnvironment } from '../support/service-process';

const ROOT = path.resolve(__dirname, '../..');
const START_MS = 90_000;
const STOP_MS = 60_000;

let root: string;
let dataFolder: string;
let npm: ChildProcess;
let url: string;
let merchant: Merchant;

beforeAll(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'quittance-npm-'));
  dataFolder = path.join(root, 'data');
  const bin = path.join(root, 'bin');
  mkdirSync(bin);
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const env = { SANDBOX_CHAINS: 'off', PATH: quickStartPath(bin) };
  npm = spawn('npm', ['start'], { cwd: ROOT, env: serviceEnvironment({ dataFolder, port, env }), stdio: 'ignore' });
  await eventually('ready', START_MS, async () => {
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    return answer?.ok ? true : null;
  });
  merchant = await Merchant.register(dataFolder, url);
}, START_MS);

afterAll(() => {
  // None is left where the signal has ended them.
  for (const pid of processes()) process.kill(Number(pid), 'SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

/** Processes of the system that work on this test's data folder, by their environment. */
function processes(): readonly string[] {
  const numbers = readdirSync('/proc').filter(name => /^\d+$/.test(name));
  return numbers.filter(number => {
    try {
      return readFileSync(`/proc/${number}/environ`, 'utf8').includes(`DATA_FOLDER=${dataFolder}\0`);
    } catch {
      return false;
    }
  });
}

describe('what `npm start` runs', () => {
  it.each([
    ['currency_not_supported', { amount: '2500', currency: 'XYZ' }],
    ['invalid_amount', { amount: '25.00', currency: 'EUR' }],
  ])('explains %s where its own envelope says', async (code, order) => {
    const refused = await merchant.api.paymentIntents.create(order).then(
      () => null,
      (error: unknown) => error as RefusedError,
    );
    expect(refused).toMatchObject({ code });
    const page = await fetch(String(refused?.docUrl));
    expect(page.status).toBe(200);
    const title = /<h1[^>]*>(.*?)<\/h1>/.exec(await page.text())?.[1];
    expect(title?.replaceAll(/<[^>]*>/g, '')).toBe(code);
  });

  it('serves the contract that it keeps, from the build as from the sources', async () => {
    const contract = await OpenApiValidation.of(url);
    const order = { amount: '2500', currency: 'EUR', metadata: { order: '42' } };
    const made = await merchant.api.paymentIntents.create(order);
    const answer = { method: 'GET', path: `/v1/payment_intents/${made.id}`, status: 200 };
    expect(() => contract.check({ ...answer, body: made })).not.toThrow();
    expect(() => contract.check({ ...answer, body: { ...made, merchant_id: merchant.id } })).toThrow(
      'getPaymentIntent',
    );
  });
});

test('a signal to `npm start` ends the service too', async () => {
  expect(processes().length).toBeGreaterThan(0);
  const ended = once(npm, 'exit');
  npm.kill('SIGTERM');
  await ended;
  await eventually('all processes have ended', STOP_MS, () => (processes().length === 0 ? true : null));
}, STOP_MS); // prettier-ignore
