import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exchangeWalletsProjection } from '../../projections/exchange-wallets.projection';
import { openToolbox } from '../../src/cli/toolbox';
import { CliSession } from './cli-support';

let cli: CliSession;
beforeEach(() => (cli = new CliSession()));
afterEach(() => cli.end());

const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const row = {
  network: 'bnb',
  address: EVM.toLowerCase(),
  entity: 'Example exchange',
  role: 'hot',
  source: 'its page on reserves',
  source_ref: null as string | null,
  added_at: '2026-10-01',
  confidence: 'high',
  active: true as unknown,
};
const header = Object.keys(row).join(',');

function file(name: string, content: unknown): string {
  const path = join(cli.folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

function run(path: string) {
  return cli.json<{ imported: number; unchanged: number; faults: { row: number; problem: string }[] }>(
    'exchange-wallets',
    'import',
    path,
  );
}

async function listed(id: string) {
  const toolbox = await openToolbox(cli.env, () => undefined, 'alice');
  const found = await toolbox.readModels.get(exchangeWalletsProjection, 'platform', id);
  await toolbox.close();
  return found && { version: found.version, ...found.body };
}

it('imports a JSON list, each row as it is stored, and a second time nothing', async () => {
  const path = file('list.json', [row, { ...row, network: 'tron', address: TRON, role: 'deposit', source_ref: 'x' }]);
  expect(await run(path)).toMatchObject({ exitCode: 0, imported: 2, unchanged: 0 });
  expect(await run(path)).toMatchObject({ exitCode: 0, imported: 0, unchanged: 2 });
  expect(await listed(`bnb:${EVM}`)).toStrictEqual({
    version: 0,
    network_id: 'bnb',
    address: EVM,
    entity: 'Example exchange',
    role: 'hot',
    source: 'its page on reserves',
    source_ref: null,
    added_at: '2026-10-01T00:00:00.000Z',
    confidence: 'high',
    active: true,
  });
});

it('imports CSV with quotes and any line end, and lets a later file take a row out of use', async () => {
  const values = ['bnb', EVM, '"Example, ""the"" exchange"', 'cold', 'a page', '', '2026-10-01T10:00:00Z', 'low'];
  const csv = (active: string) => file('list.csv', `\uFEFF${header}\r\n${[...values, active].join(',')}\r\n\r\n`);
  expect(await run(csv('true'))).toMatchObject({ exitCode: 0, imported: 1 });
  expect(await listed(`bnb:${EVM}`)).toMatchObject({
    version: 0,
    entity: 'Example, "the" exchange',
    source_ref: null,
    active: true,
  });
  expect(await run(csv('false'))).toMatchObject({ exitCode: 0, imported: 1 });
  expect(await listed(`bnb:${EVM}`)).toMatchObject({ version: 1, active: false });
});

it('names each bad row and then imports none', async () => {
  const path = file('list.json', [
    row,
    { ...row, address: EVM },
    { ...row, address: `${EVM.slice(0, -1)}D` },
    { ...row, address: '0x5290840009852788' },
    { ...row, network: 'tron', address: TRON.toLowerCase() },
    { ...row, network: 'ethereum' },
    { ...row, role: 'warm' },
    { ...row, added_at: 'yesterday' },
    { ...row, active: 'yes' },
    { ...row, note: 'x' },
    { ...row, entity: 'a\nb' },
    { ...row, source: undefined },
    { ...row, added_at: undefined },
    'a row',
  ]);
  const { exitCode, imported, faults } = await run(path);
  expect({ exitCode, imported }).toStrictEqual({ exitCode: 1, imported: 0 });
  expect(faults.map(({ row: number, problem }) => [number, problem.split(':')[0]])).toStrictEqual([
    [2, 'address'],
    [3, 'address'],
    [4, 'address'],
    [5, 'address'],
    [6, 'network'],
    [7, 'role'],
    [8, 'added_at'],
    [9, 'active'],
    [10, 'Unrecognized key'],
    [11, 'entity'],
    [12, 'source'],
    [13, 'added_at'],
    [14, 'Invalid input'],
  ]);
  expect(await listed(`bnb:${EVM}`)).toBeNull();
  const { out } = await cli.run(['exchange-wallets', 'import', path]);
  expect(out).toContain('row 2: address: row 1 has it already');
  expect(out).toContain('13 of 14 rows are bad: nothing was imported.');
});

it.each<[string, string, string]>([
  ['another kind of file', 'list.txt', ''],
  ['no JSON', 'list.json', '['],
  ['no list', 'list.json', '{}'],
  ['an empty CSV', 'list.csv', ''],
  ['an open quote', 'list.csv', 'a,b\n"x,y\n'],
  ['a quote in the middle', 'list.csv', 'a,b\nx"y,z\n'],
  ['a field too many', 'list.csv', 'a,b\n1,2,3\n'],
])('refuses %s', async (_, name, content) => {
  const { exitCode, out, err } = await cli.run(['exchange-wallets', 'import', file(name, content)]);
  expect({ exitCode, out }).toStrictEqual({ exitCode: 1, out: '' });
  expect(err).toMatch(/^parameter_invalid: .*list\.(txt|json|csv).*\(file\)\n$/);
});

it('refuses a file that is not there', async () => {
  const { exitCode, err } = await cli.run(['exchange-wallets', 'import', join(cli.folder, 'none.csv')]);
  expect(exitCode).toBe(1);
  expect(err).toContain('cannot be read');
});
