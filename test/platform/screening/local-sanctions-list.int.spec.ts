import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../../src/kernel/clock';
import type { ScreeningVerdict } from '../../../src/kernel/ports/screening';
import type { NetworkId } from '../../../src/vocabulary/networks';
import { LocalSanctionsList } from '../../../src/platform/screening/local-sanctions-list';
import { LOOK_EVERY_MS, SanctionsListFile } from '../../../src/platform/screening/sanctions-list-file';
import type { ScreeningMember } from '../../../src/platform/screening/screening-member';
import { RecordingLog } from '../../support/payment-fixture';

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

let nowMs = 1_793_534_400_000;
const clock: Clock = { now: () => nowMs, wait: () => Promise.resolve() };
let log: RecordingLog;

beforeEach(() => {
  log = new RecordingLog();
});

async function fromText(text: string): Promise<SanctionsListFile> {
  const path = join(folder, 'list.json');
  await writeFile(path, text);
  return SanctionsListFile.open(path, clock, log);
}

function screen(list: ScreeningMember, network: NetworkId, payer: string): Promise<ScreeningVerdict> {
  return list.screen({ mode: 'live', network, payer, recipient: OTHER });
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
    expect(await screen(list, network, address)).toEqual({ verdict: 'high_risk', source, reference });
  });

  test('clears every other address, and everybody when it is empty', async () => {
    const clear = { verdict: 'clear', source: 'local-sanctions-list', reference: null };
    expect(await screen(await fromText(JSON.stringify([row])), 'base', OTHER)).toEqual(clear);
    expect(await screen(await fromText('[]'), 'base', EVM)).toEqual(clear);
  });

  test.each<[NetworkId, string]>([
    ['base', 'not an address'],
    ['base', TRON],
    ['tron', EVM],
    ['base', '0x00000000219ab540356cBB839Cbe05303d7705fA'],
  ])('does not clear what is no address of %s: %s', async (network, address) => {
    const list = await fromText('[]');
    await expect(screen(list, network, address)).rejects.toMatchObject({ code: 'invalid_sanctions_address' });
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
    expect(log.lines).toMatchObject([{ level: 'error' }]);
    await expect(screen(list, 'base', OTHER)).rejects.toMatchObject({
      code: 'screening_timeout',
      message: expect.stringContaining('list.json'),
      cause: { code: 'invalid_config', message: expect.stringContaining(reason) },
    });
  }); // prettier-ignore

  test.each(['missing.json', '.'])('the path %s', async name => {
    const list = await SanctionsListFile.open(join(folder, name), clock, log);
    expect(log.lines).toMatchObject([{ level: 'error' }]);
    await expect(screen(list, 'base', OTHER)).rejects.toMatchObject({ code: 'screening_timeout' });
  });
});

describe('a list that changes', () => {
  async function replace(text: string): Promise<void> {
    await writeFile(join(folder, 'new.json'), text);
    await rename(join(folder, 'new.json'), join(folder, 'list.json'));
  }

  test('is in force at the first screening after ten seconds, and for all that are asked at once', async () => {
    const list = await fromText('[]');
    await replace(JSON.stringify([row]));
    nowMs += LOOK_EVERY_MS - 1;
    expect(await screen(list, 'base', EVM)).toMatchObject({ verdict: 'clear' });
    nowMs += 1;
    const verdicts = await Promise.all([1, 2, 3].map(() => screen(list, 'base', EVM)));
    expect(verdicts.map(each => each.verdict)).toEqual(['high_risk', 'high_risk', 'high_risk']);
  });

  test('is read once a change', async () => {
    const list = await fromText('[]');
    for (let look = 0; look < 3; look++) {
      nowMs += LOOK_EVERY_MS;
      await screen(list, 'base', EVM);
    }
    await replace('[ ]');
    nowMs += LOOK_EVERY_MS;
    await screen(list, 'base', EVM);
    expect(log.lines.map(line => line.message)).toEqual(['sanctions list in force', 'sanctions list in force']);
  });

  test('into one that cannot be used clears nobody until it is put right', async () => {
    const list = await fromText('[]');
    await replace('[{');
    nowMs += LOOK_EVERY_MS;
    await expect(screen(list, 'base', EVM)).rejects.toMatchObject({ code: 'screening_timeout' });
    await rm(join(folder, 'list.json'));
    nowMs += LOOK_EVERY_MS;
    await expect(screen(list, 'base', EVM)).rejects.toMatchObject({ code: 'screening_timeout' });
    await replace('[]');
    nowMs += LOOK_EVERY_MS;
    expect(await screen(list, 'base', EVM)).toMatchObject({ verdict: 'clear' });
    expect(log.lines.map(line => line.level)).toEqual(['info', 'error', 'error', 'info']);
  });
});

test('an address that two sources list is listed, whichever comes first', async () => {
  const list = await fromText(JSON.stringify([row, { ...row, list_source: 'eu', reference: 'uid 9' }]));
  expect(await screen(list, 'base', EVM)).toEqual({ verdict: 'high_risk', source: 'ofac-sdn', reference: 'uid 1' });
});

test('the built-in list has one test entry, on every network', async () => {
  const list = LocalSanctionsList.builtIn();
  const listed = { verdict: 'high_risk', source: 'test-entry', reference: 'Made up for tests; on no real list' };
  expect(await screen(list, 'tron', 'TJEKE5XhMTeDm9mR6sd7tiYwL53txK11S9')).toEqual(listed);
  expect(await screen(list, 'bnb', '0x5a9C710ed0000000000000000000000000000001')).toEqual(listed);
  expect(await screen(list, 'base', '0x5a9C710ed0000000000000000000000000000001')).toEqual(listed);
});
