import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ServiceInProcess } from '../support/service-in-process';
import { eventually, freePort } from '../support/service-process';
import { blocksOf, fileOf, guide, type Block } from './guide-pages';
import { ShellSession } from './shell-session';

const START_LIMIT_MS = 60_000;
const BLOCK_LIMIT_MS = 60_000;
const LIMIT_MS = 300_000;
const AWAY = 'http://127.0.0.1:9';

const page = guide('quick-start.md');
const blocks = blocksOf(page);
const folder = mkdtempSync(path.join(tmpdir(), 'quittance-quick-start-'));

let service: ServiceInProcess;
let shell: ShellSession;
let places: readonly (readonly [written: string, here: string])[];

beforeAll(async () => {
  const receiverPort = await freePort();
  service = await ServiceInProcess.start({ SANDBOX_CHAINS: 'on', BNB_TEST_RPC_URLS: AWAY, TRON_TEST_RPC_URLS: AWAY });
  places = [
    ['http://127.0.0.1:8080', service.url],
    ['http://127.0.0.1:4242', `http://127.0.0.1:${receiverPort}`],
    ['/tmp/receiver.mjs', path.join(folder, 'receiver.mjs')],
    ['node receiver.mjs', `node ${path.join(folder, 'receiver.mjs')}`],
  ];
  const ofService = { NODE_ENV: 'test', DATA_FOLDER: service.dataFolder, QUITTANCE_URL: service.url };
  shell = await ShellSession.start(folder, { ...ofService, PORT: String(receiverPort) });
}, START_LIMIT_MS);

afterAll(async () => {
  await shell?.close();
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
}, START_LIMIT_MS);

/** A block of the guide to webhooks, with the reader's own key and payment. */
function ofWebhooks(command: string): Block {
  const block = blocksOf(guide('webhooks.md')).find(
    ({ language, code }) => language === 'sh' && code.includes(command),
  );
  if (!block) throw new Error(`the guide to webhooks lacks ${command}`);
  const payment = `$(api payment_intents -d '{"amount": "700", "currency": "EUR"}' | field id)`;
  return { ...block, code: block.code.replace('sk_test_…', '$QUITTANCE_API_KEY').replace('pi_…', payment) };
}

const triggering = ofWebhooks('npx quittance trigger');
const listening = ofWebhooks('npx quittance listen');

/** The block as it stands, at the places of this test. */
function here({ code }: Block): string {
  return places.reduce((text, [written, place]) => text.replaceAll(written, place), code);
}

const copied = (index: number): Promise<string> => shell.run(here(blocks[index] as Block), BLOCK_LIMIT_MS);
const lastLine = (output: string): string => output.trimEnd().split('\n').at(-1) ?? '';
const printed = (text: RegExp): Promise<RegExpExecArray> =>
  eventually(`the output ${String(text)}`, BLOCK_LIMIT_MS, () => text.exec(shell.output));

it('starts the service by the script that the package has, and leads through one terminal from there', () => {
  const [first, ...others] = blocks;
  expect(first).toMatchObject({ language: 'sh', words: ['terminal=service'], code: 'npm ci\nnpm start\n' });
  expect(others.map(({ language, words }) => [language, words])).toEqual(others.map(() => ['sh', []]));
  expect(others).toHaveLength(7);
});

it('has the receiver of the guide to webhooks', () => {
  const [receiver] = blocksOf(guide('webhooks.md')).filter(block => fileOf(block) === 'receiver.mjs');
  expect(page).toContain(`<<'RECEIVER'\n${receiver?.code ?? 'none'}RECEIVER\n`);
});

it('has no mark that bash takes for a command of before', () => {
  expect(blocks.filter(({ code }) => /![^\s=]/.test(code))).toEqual([]);
});

it(
  'leads from an account to a confirmed payment and its webhook, by its commands in their order',
  async () => {
    expect(JSON.parse(lastLine(await copied(1)))).toMatchObject({ object: 'list', data: [] });
    expect(lastLine(await copied(2))).toBe('verified');
    expect(await copied(3)).toMatch(/^USDC on base lands in wal_\w+ of mch_\w+ \(test mode\)\.$/m);
    await copied(4);
    await printed(/Listening at .*, forwarding to /);
    const told = await copied(5);
    expect(told).toMatch(/\/checkout\/pi_\w+$/m);
    expect(lastLine(told.replace(/^(?:payment\.|evt_).*\n/gm, ''))).toBe('confirmed');
    const [, id] = /\/checkout\/(pi_\w+)$/m.exec(told) ?? [];
    await printed(new RegExp(`^payment\\.confirmed evt_\\w+ ${id}$`, 'm'));
    await printed(new RegExp(`^evt_\\w+ +payment\\.confirmed +${id} +-> +200 `, 'm'));
    const further = await copied(6);
    expect(further).toMatch(/^pi_\w+ is underpaid$/m);
    expect(further).toContain('"status":"overpaid"');
    await shell.run(here(triggering), BLOCK_LIMIT_MS);
    await printed(/^pi_\w+ of 9900 EUR is created$/m);
    await printed(/^pi_\w+ of 700 EUR is created\n(?:.+\n)*?pi_\w+ is confirmed$/m);
    expect(await copied(7)).toContain('The local chain of base was ended.');
  },
  LIMIT_MS,
);

it(
  'brings events to a receiver by the commands of the guide to webhooks',
  async () => {
    const start = shell.output.length;
    // The last command would hold the terminal.
    await shell.run(here(listening).trimEnd().concat(' &'), BLOCK_LIMIT_MS);
    await eventually('the listener', BLOCK_LIMIT_MS, () => shell.output.includes('Listening at', start) || null);
    const created = await shell.run(`api payment_intents -d '{"amount": "800", "currency": "EUR"}'`, BLOCK_LIMIT_MS);
    const [id] = /pi_\w+/.exec(created) ?? [];
    await printed(new RegExp(`^evt_\\w+ +payment\\.created +${id} +-> +200 `, 'm'));
  },
  LIMIT_MS,
);
