import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ServiceInProcess } from '../support/service-in-process';
import { blocksOf, guide } from './guide-pages';
import { ShellSession } from './shell-session';

const START_LIMIT_MS = 60_000;
const BLOCK_LIMIT_MS = 60_000;
const LIMIT_MS = 180_000;
const AWAY = 'http://127.0.0.1:9';

const folder = mkdtempSync(path.join(tmpdir(), 'quittance-business-'));
const shellBlocks = (page: string) => blocksOf(guide(page)).filter(({ language }) => language === 'sh');
const [, account] = shellBlocks('quick-start.md');
const business = shellBlocks('../business.md');
const operating = shellBlocks('../operating.md');
const firstPayment = shellBlocks('../../README.md').find(({ code }) => code.includes('merchant create'));

let service: ServiceInProcess;
let shell: ShellSession;

beforeAll(async () => {
  service = await ServiceInProcess.start({ SANDBOX_CHAINS: 'on', BNB_TEST_RPC_URLS: AWAY, TRON_TEST_RPC_URLS: AWAY });
  const env = { NODE_ENV: 'test', DATA_FOLDER: service.dataFolder, QUITTANCE_URL: service.url };
  shell = await ShellSession.start(folder, env);
}, START_LIMIT_MS);

afterAll(async () => {
  await shell?.close();
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
}, START_LIMIT_MS);

/** Copies commands into the terminal. Files that they write lie in the test's folder. */
function copied(commands: string): Promise<string> {
  const here = commands
    .replaceAll('http://127.0.0.1:8080', service.url)
    .replaceAll('curl -fOJ', `curl --output-dir ${folder} -fOJ`)
    .replaceAll(/(--out |--pdf |> )(\w+\.\w+)/g, `$1${folder}/$2`);
  return shell.run(here, BLOCK_LIMIT_MS);
}

const lastLine = (output: string): string => output.trimEnd().split('\n').at(-1) ?? '';
const fileOf = (name: RegExp): string => {
  const found = readdirSync(folder).filter(file => name.test(file));
  expect(found).toHaveLength(1);
  return readFileSync(path.join(folder, found[0] as string), 'utf8');
};
/** The commands of an operator's page, by how they begin, each as it stands but for its ids. */
const operators = (beginning: string, ids: Readonly<Record<string, string>> = {}): readonly string[] =>
  operating
    .flatMap(({ code }) => code.split('\n'))
    .filter(line => line.startsWith(`npx quittance ${beginning}`))
    .map(line => Object.entries(ids).reduce((text, [written, id]) => text.replace(written, id), line));

it(
  'leads a merchant from a link and an invoice to a file, by the examples of the page in their order',
  async () => {
    const [link, invoice, file, reading, ...others] = business.map(({ code }) => code);
    expect(others).toEqual([]);
    await copied(account?.code ?? '');
    expect(lastLine(await copied(link ?? ''))).toMatch(/\/pay\/plink_\w+$/);
    expect(lastLine(await copied(invoice ?? ''))).toMatch(/\/invoices\/inv_\w+$/);
    await copied(file ?? '');
    expect(fileOf(/^payments-test-2026-10-01-to-\d{4}-\d\d-\d\d\.csv$/)).toMatch(/^id,status,created,/);
    const read = await copied(reading ?? '');
    expect(read).toContain('"object":"fee_balance"');
    expect(read).toContain('"object":"list"');
  },
  LIMIT_MS,
);

it(
  'leads an operator through fees, exports and books, by the examples of the page',
  async () => {
    const merchant = lastLine(await shell.run('field merchant_id <<<"$SHOP"', BLOCK_LIMIT_MS));
    const ids = { 'mch_…': merchant };
    const [adjust] = operators('fee adjust', ids);
    expect(await copied(adjust?.replace('-12', '500').replace('ticket-17', 'ticket-16') ?? '')).toContain(
      'is adjusted by 5.00 EUR (live mode).',
    );
    expect(await copied(adjust ?? '')).toContain('is adjusted by -0.12 EUR (live mode).');
    expect(await copied(operators('fee list')[0] ?? '')).toMatch(/4\.88 EUR outstanding/);
    const [asked] = /finv_\w+/.exec(await copied(operators('fee invoice', ids)[0] ?? '')) ?? ['none'];
    expect(await copied(operators('fee paid', { 'finv_…': asked })[0] ?? '')).toContain('is paid, and pauses nothing.');
    expect(await copied(operators('fee rate', ids)[0] ?? '')).toContain('pays 40 basis points from now on.');
    const exports = operators('export', ids);
    expect(exports).toHaveLength(2);
    for (const command of exports) expect(await copied(command)).toMatch(/^0 rows in .*\/(october|transfers)\.\w+\.$/m);
    const books = operators('reconcile', ids);
    expect(books).toHaveLength(4);
    for (const command of books) await copied(command);
    expect(fileOf(/^november\.csv$/)).toMatch(/^\w+,/);
    expect(fileOf(/^november\.pdf$/)).toMatch(/^%PDF-/);
  },
  LIMIT_MS,
);

it(
  'leads from the first page of the project to a first payment',
  async () => {
    expect(lastLine(await copied(firstPayment?.code ?? ''))).toBe('confirmed');
  },
  LIMIT_MS,
);
