import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AddressInfo } from 'node:net';
import { signTestEvent } from '../../clients/typescript/src';
import { WEBHOOK_TYPES } from '../../src/modules/webhooks/webhook-types';
import { SandboxShop } from '../support/sandbox-shop';
import { ServiceInProcess } from '../support/service-in-process';
import { eventually } from '../support/service-process';
import { blocksOf, fileOf, guide } from './guide-pages';
import { isInstalled, Receiver, RUNTIMES, type Delivery } from './receivers';

const LIMIT_MS = 120_000;
const STEP_LIMIT_MS = 20_000;
/** The guide names the tolerance in words. */
const TOLERANCE_SECONDS = 300;
const GUIDE_URL = 'http://127.0.0.1:8080';
const OTHER_SECRET = `whsec_${'x'.repeat(43)}`;
/** Examples that each check of the project runs. The runtimes of the others are not on its machines. */
const TRIED = ['receiver.ts', 'receiver.mjs', 'receiver.py', 'verify.sh'];

const page = guide('webhooks.md');
const examples = blocksOf(page).flatMap(block => {
  const file = fileOf(block);
  return file === null ? [] : [{ ...block, file }];
});

type Signed = Delivery & { readonly header: string };

/** Real deliveries of the service, as they came over the wire. */
const deliveries: Signed[] = [];
let endpoint: Server;
let service: ServiceInProcess;
let secret: string;
let shop: SandboxShop;
let endpointId: string;
/** An event of before the endpoint. */
let missed: string;
let signedOnce: Signed;
let signedTwice: Signed;

beforeAll(async () => {
  service = await ServiceInProcess.start();
  shop = await SandboxShop.register(service, 'Corner Shop');
  missed = (await shop.create()).id;
  endpoint = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      deliveries.push({ body: Buffer.concat(chunks), header: String(request.headers['service-signature']) });
      response.writeHead(200).end();
    });
  }).listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`;
  const made = await shop.done('POST /v1/webhook_endpoints', { url, enabled_events: ['*'] }, true);
  [secret, endpointId] = [made.secret, made.id];
  const order = { amount: '2500', currency: 'EUR', metadata: { customer: 'Zoë Käse ✓' } };
  const { id } = await shop.done('POST /v1/payment_intents', order);
  signedOnce = await eventually('a delivery', STEP_LIMIT_MS, () => deliveries[0] ?? null);
  await shop.done(`POST /v1/webhook_endpoints/${endpointId}/roll_secret`, undefined, true);
  await shop.done(`POST /v1/payment_intents/${id}/cancel`);
  signedTwice = await eventually('a second delivery', STEP_LIMIT_MS, () => deliveries[1] ?? null);
}, LIMIT_MS);

afterAll(async () => {
  endpoint.close();
  await service.stop();
});

const secondsFromNow = (body: Buffer, seconds: number): string =>
  signTestEvent(body, secret, () => Date.now() + seconds * 1_000);

/** The deliveries that the guide tells of, each with its verdict. */
function cases(): readonly (readonly [what: string, delivery: Delivery, isTaken: boolean])[] {
  const { body, header } = signedOnce;
  const changed = Buffer.from(body.toString().replace('2500', '2501'));
  const written = Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 1));
  const [time = '', signature = ''] = header.split(',');
  const later = `t=${Number(time.slice('t='.length)) + 1}`;
  const wrong = signature.replace(/.$/, last => (last === '0' ? '1' : '0'));
  return [
    ['a delivery of the service', signedOnce, true],
    ['one while the secret is rolled', signedTwice, true],
    ['one with an element of a later scheme', { body, header: `${header},v2=abc` }, true],
    ['one signed at the edge of the tolerance', { body, header: secondsFromNow(body, 10 - TOLERANCE_SECONDS) }, true],
    ['a wrong signature', { body, header: `${time},${wrong}` }, false],
    ['the signature of another secret', { body, header: signTestEvent(body, OTHER_SECRET) }, false],
    ['half a signature', { body, header: header.slice(0, -32) }, false],
    ['an old timestamp', { body, header: secondsFromNow(body, -TOLERANCE_SECONDS - 5) }, false],
    ['a timestamp from the future', { body, header: secondsFromNow(body, TOLERANCE_SECONDS + 30) }, false],
    ['another timestamp than the signed one', { body, header: `${later},${signature}` }, false],
    ['a changed body', { body: changed, header }, false],
    ['a body that was parsed and written again', { body: written, header }, false],
    ['no header', { body, header: null }, false],
    ['a header of nothing', { body, header: 't=,v1=' }, false],
  ];
}

describe.each(examples.filter(({ file }) => isInstalled(RUNTIMES[file] ?? { needs: [file], command: () => [''] })))(
  '$file of the guide',
  ({ file, code }) => {
    it(
      'takes what the service signs, and nothing else',
      async () => {
        const folder = mkdtempSync(path.join(tmpdir(), 'quittance-guide-'));
        const receiver = await Receiver.start(folder, file, code, secret);
        try {
          const verdicts = [];
          for (const [what, delivery] of cases()) verdicts.push([what, await receiver.takes(delivery)]);
          expect(verdicts).toEqual(cases().map(([what, , isTaken]) => [what, isTaken]));
        } finally {
          await receiver.stop();
          rmSync(folder, { recursive: true });
        }
      },
      LIMIT_MS,
    );
  },
);

it('has an example for each runtime, and marks those that no check of the project runs', () => {
  expect(examples.map(({ file }) => file).sort()).toEqual(Object.keys(RUNTIMES).sort());
  for (const { file, words, before } of examples) {
    expect([file, words.includes('untested')]).toEqual([file, !TRIED.includes(file)]);
    expect([file, /^\s*Untested: /.test(before)]).toEqual([file, !TRIED.includes(file)]);
    const needs = RUNTIMES[file]?.needs ?? [];
    expect([file, /tests run this example where/.test(before)]).toEqual([file, needs.length > 0]);
  }
});

it('names each type that is sent, and the tolerance', () => {
  const sent = WEBHOOK_TYPES.filter(type => type.startsWith('payment.'));
  expect(sent.filter(type => !page.includes(`\`${type}\``))).toEqual([]);
  expect(page).toContain(`within ${TOLERANCE_SECONDS} seconds`);
});

it('shows the body of a delivery with the fields that one has, in their order', () => {
  const [shown] = blocksOf(page).filter(({ language }) => language === 'json');
  const fields = (text: string) => Object.keys(JSON.parse(text) as object);
  expect(fields(shown?.code ?? '')).toEqual(fields(signedOnce.body.toString()));
});

it(
  'fetches by its commands an event that nobody heard, and has the event sent to an endpoint',
  async () => {
    const backfill = blocksOf(page).find(({ code }) => code.includes('redeliver'))?.code ?? '';
    const [list = '', redeliver = ''] = backfill.split('\n\n').map(part => part.replaceAll(GUIDE_URL, service.url));
    const unheard = JSON.parse(await bash(list)) as {
      readonly data: readonly { readonly id: string; readonly data: object }[];
    };
    expect(unheard).toMatchObject({ object: 'list', data: [{ type: 'payment.created', data: { id: missed } }] });
    const [{ id } = { id: '' }] = unheard.data;
    const answer = await bash(redeliver.replace('evt_…', id).replace('we_…', endpointId));
    expect(JSON.parse(answer)).toMatchObject({ id, deliveries: [{ endpoint: endpointId, manual_attempts: 1 }] });
    const received = await eventually('the event', STEP_LIMIT_MS, () => deliveries[2] ?? null);
    expect(JSON.parse(received.body.toString())).toMatchObject({ id, data: { id: missed } });
    expect(JSON.parse(await bash(list))).toMatchObject({ data: [] });
  },
  LIMIT_MS,
);

/** The output of commands of the guide, with the key that the guide's reader has set. */
async function bash(commands: string): Promise<string> {
  const env = { PATH: process.env.PATH, QUITTANCE_API_KEY: shop.key };
  const child = spawn('bash', ['-euc', commands], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${commands} ended with ${code}`);
  return output;
}
