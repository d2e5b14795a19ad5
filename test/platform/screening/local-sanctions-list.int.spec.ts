import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NetworkId } from '../../../src/kernel/tokens';
import { LocalSanctionsList } from '../../../src/platform/screening/local-sanctions-list';

const EVM = '0x00000000219ab540356cBB839Cbe05303d7705Fa';
const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
/** The same 20 bytes as TRON above. */
const TRON_TWIN = '0xa614f803B6FD780986A42c78Ec9c7f77e6DeD13C';
const OTHER = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

const row = { address: EVM, network: 'base', list_source: 'ofac-sdn', reference: 'uid 1' };
const tronRow = { address: TRON, network: 'tron', list_source: 'eu', reference: 'uid 2' };

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sanctions-'));
});

afterAll(() => rm(folder, { recursive: true }));

async function fromText(text: string): Promise<LocalSanctionsList> {
  const path = join(folder, 'list.json');
  await writeFile(path, text);
  return LocalSanctionsList.fromFile(path);
}

describe('a list in force', () => {
  test.each<[string, NetworkId, string]>([
    ['as it is listed', 'base', EVM],
    ['in lower case', 'base', EVM.toLowerCase()],
    ['on the other EVM network', 'bnb', EVM],
    ['as the EVM twin of a TRON address', 'base', TRON_TWIN],
    ['on tron', 'tron', TRON],
  ])('knows an address %s', async (_, network, address) => {
    const list = await fromText(JSON.stringify([row, tronRow]));
    const { list_source: source, reference } = address === TRON || address === TRON_TWIN ? tronRow : row;
    expect(await list.screen(network, address)).toEqual({ verdict: 'high_risk', source, reference });
  });

  test('clears every other address, and everybody when it is empty', async () => {
    const clear = { verdict: 'clear', source: 'local-sanctions-list', reference: null };
    expect(await (await fromText(JSON.stringify([row]))).screen('base', OTHER)).toEqual(clear);
    expect(await (await fromText('[]')).screen('base', EVM)).toEqual(clear);
  });

  test.each<[NetworkId, string]>([
    ['base', 'not an address'],
    ['base', TRON],
    ['tron', EVM],
    ['base', '0x00000000219ab540356cBB839Cbe05303d7705fA'],
  ])('does not clear what is no address of %s: %s', async (network, address) => {
    const list = await fromText('[]');
    await expect(list.screen(network, address)).rejects.toMatchObject({ code: 'invalid_sanctions_address' });
  });
});

describe('a list that cannot be used clears nobody and says why', () => {
  test.each([
    ['no JSON', '{"address"', 'JSON'],
    ['an empty file', '', 'JSON'],
    ['no array', '{}', 'expected array'],
    ['a missing field', JSON.stringify([{ ...row, reference: undefined }]), '[0].reference'],
    ['an unknown field', JSON.stringify([{ ...row, addres: EVM }]), 'addres'],
    ['an unknown network', JSON.stringify([row, { ...row, network: 'solana' }]), '[1].network'],
    ['a failed EVM checksum', JSON.stringify([row, { ...row, address: EVM.replace('cBB', 'cbb') }]), '[1].address'],
    ['a failed TRON checksum', JSON.stringify([{ ...tronRow, address: TRON.replace('qje', 'qjf') }]), '[0].address'],
    ['a TRON address of the wrong case', JSON.stringify([{ ...tronRow, address: `T${TRON.slice(1).toLowerCase()}` }]), '[0].address'],
    ['hex without its prefix', JSON.stringify([{ ...row, address: EVM.slice(2) }]), '[0].address'],
    ['a repeated row', JSON.stringify([row, { ...row, address: EVM.toLowerCase() }]), '[1] repeats'],
  ])('%s', async (_, text, reason) => {
    const list = await fromText(text);
    expect(list.problem).toMatchObject({ code: 'invalid_config', message: expect.stringContaining(reason) });
    expect(list.problem?.message).toContain('list.json');
    await expect(list.screen('base', OTHER)).rejects.toMatchObject({ code: 'screening_timeout' });
  }); // prettier-ignore

  test.each(['missing.json', '.'])('the path %s', async name => {
    const list = await LocalSanctionsList.fromFile(join(folder, name));
    expect(list.problem?.code).toBe('invalid_config');
    await expect(list.screen('base', OTHER)).rejects.toMatchObject({ code: 'screening_timeout' });
  });
});

test('the built-in list has one test entry, on every network', async () => {
  const list = LocalSanctionsList.builtIn();
  const listed = { verdict: 'high_risk', source: 'test-entry', reference: 'Made up for tests; on no real list' };
  expect(list.problem).toBeNull();
  expect(await list.screen('tron', 'TJEKE5XhMTeDm9mR6sd7tiYwL53txK11S9')).toEqual(listed);
  expect(await list.screen('bnb', '0x5a9C710ed0000000000000000000000000000001')).toEqual(listed);
  expect(await list.screen('base', '0x5a9C710ed0000000000000000000000000000001')).toEqual(listed);
});
