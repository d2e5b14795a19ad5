import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Clock } from '../../../src/kernel/clock';
import type { NetworkId } from '../../../src/vocabulary/networks';
import {
  importSanctions,
  type ImportReport,
  type SanctionsImport,
} from '../../../src/platform/screening/import/import-sanctions';
import { SanctionsListFile } from '../../../src/platform/screening/sanctions-list-file';
import { RecordingLog } from '../../support/payment-fixture';

const SAMPLE = path.join(__dirname, 'sdn-advanced-sample.xml');
const sample = readFileSync(SAMPLE, 'utf8');
const EVM = '0x5a9c710ED0000000000000000000000000000002';
const TRON_USDT = 'TJEKE5XhMTeDm9mR6sd7tiYwL53uByjvqu';
const TRON_TRX = 'TJEKE5XhMTeDm9mR6sd7tiYwL53uMKd6AD';
const BAD_EVM = '0x5a9c710Ed0000000000000000000000000000002';
const NOW_MS = Date.parse('2026-11-04T08:00:00.000Z');
const clock: Clock = { now: () => NOW_MS, wait: () => Promise.resolve() };

let folder: string;
let target: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sanctions-'));
  target = path.join(folder, 'list.json');
});

afterEach(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(path.join(folder, name), content);
  return path.join(folder, name);
}

function run(files: readonly string[], options: Partial<SanctionsImport> = {}): Promise<ImportReport> {
  return importSanctions({ files, listSource: 'ofac-sdn', target, skipInvalid: false, nowMs: NOW_MS, ...options });
}

type Stored = { lists: Record<string, unknown>[]; entries: Record<string, string>[] };
const stored = (): Stored => JSON.parse(readFileSync(target, 'utf8')) as Stored;
const storedAddresses = (): readonly string[] =>
  stored().entries.map(entry => `${entry['network']} ${entry['address']}`);

async function verdict(network: NetworkId, payer: string) {
  const list = await SanctionsListFile.open(target, clock, new RecordingLog());
  return list.screen({ mode: 'live', network, payer, recipient: EVM });
}

describe('sdn_advanced.xml', () => {
  test('is taken under whatever tag an address stands, once each, with its place, date and counts', async () => {
    expect(await run([SAMPLE])).toEqual({
      publishedOn: '2026-11-03',
      evm: 1,
      tron: 2,
      elsewhere: 1,
      added: 3,
      removed: 0,
      faults: [],
      written: true,
    });
    const reference = 'party 90001, profile 90001, ETH';
    expect(stored()).toEqual({
      lists: [
        {
          list_source: 'ofac-sdn',
          imported_at: '2026-11-04T08:00:00.000Z',
          published_on: '2026-11-03',
          files: ['sdn-advanced-sample.xml'],
          addresses: 3,
          skipped: 0,
        },
      ],
      entries: [
        { address: EVM, network: 'bnb', list_source: 'ofac-sdn', reference },
        { address: EVM, network: 'base', list_source: 'ofac-sdn', reference },
        { address: TRON_USDT, network: 'tron', list_source: 'ofac-sdn', reference: 'party 90002, profile 90002, USDT' },
        { address: TRON_TRX, network: 'tron', list_source: 'ofac-sdn', reference: 'party 90002, profile 90002, TRX' },
      ],
    });
    expect(readdirSync(folder)).toEqual(['list.json']);
  });

  test('is in force for a service that screens by the file', async () => {
    await run([SAMPLE]);
    const reference = 'party 90002, profile 90002, TRX';
    expect(await verdict('tron', TRON_TRX)).toEqual({ verdict: 'high_risk', source: 'ofac-sdn', reference });
    expect(await verdict('base', EVM.toLowerCase())).toMatchObject({ verdict: 'high_risk' });
    expect(await verdict('bnb', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913')).toMatchObject({ verdict: 'clear' });
  });

  test('is read with any namespace prefix', async () => {
    const prefixed = sample.replace(/<(\/?)([A-Z])/g, '<$1s:$2').replace('xmlns=', 'xmlns:s=');
    expect(await run([file('sdn.xml', prefixed)])).toMatchObject({ evm: 1, tron: 2 });
  });

  const line = (text: string): number => sample.slice(0, sample.indexOf(text)).split('\n').length;
  const faults: readonly [string, (xml: string) => string, string][] = [
    ['cut off', xml => xml.slice(0, -200), 'ends before its last element does'],
    ['with a document type', xml => xml.replace('<Sanctions', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><Sanctions'), 'line 3: a document type'],
    ['with another root', xml => xml.replaceAll('Sanctions', 'sdnList'), 'line 3: the first element is sdnList, not Sanctions'],
    ['without its types', xml => xml.replaceAll('Digital Currency Address', 'Digital Address'), 'no FeatureType is a Digital Currency Address'],
    ['with types behind its parties', xml => xml.replace(/<ReferenceValueSets>[^]*<\/ReferenceValueSets>/, '').replace('</Sanctions>', `${/<ReferenceValueSets>[^]*<\/ReferenceValueSets>/.exec(xml)?.[0]}</Sanctions>`), 'behind the first DistinctParty'],
    ['with a type without an ID', xml => xml.replace('FeatureType ID="345"', 'FeatureType'), `line ${line('ID="345"')}: FeatureType has no ID`],
    ['with a feature without a type', xml => xml.replace('<Feature ID="30" FeatureTypeID="345">', '<Feature ID="30">'), `line ${line('<Feature ID="30"')}: Feature has no FeatureTypeID`],
    ['with an empty address', xml => xml.replace(EVM, ''), `line ${line(EVM)}: VersionDetail is empty`],
    ['with a feature without an address', xml => xml.replace(/<VersionDetail DetailTypeID="1432">0x5a9c710ED.*?<\/VersionDetail>/, ''), `the Feature of line ${line('<Feature ID="30"')} has no VersionDetail`],
    ['with an address that never ends', xml => xml.replace(EVM, '0'.repeat(501)), `line ${line(EVM)}: VersionDetail is longer than 500`],
    ['of another encoding', xml => xml.replace('version="1.0" standalone', 'version="1.0" encoding="windows-1252" standalone'), 'line 1: the encoding windows-1252 is not UTF-8'],
  ]; // prettier-ignore

  test.each(faults)('%s is named and leaves the old list in place', async (_, change, problem) => {
    await run([SAMPLE]);
    const before = readFileSync(target, 'utf8');
    const bad = file('sdn.xml', change(sample));
    const importing = run([bad]);
    await expect(importing).rejects.toMatchObject({ code: 'invalid_sanctions_entry', param: 'file' });
    await expect(importing).rejects.toThrow(bad);
    await expect(importing).rejects.toThrow(problem);
    expect(readFileSync(target, 'utf8')).toBe(before);
    expect(readdirSync(folder).sort()).toEqual(['list.json', 'sdn.xml']);
  });

  test('with an address that fails its checksum is named, and is imported without it when told to', async () => {
    await run([SAMPLE]);
    const before = readFileSync(target, 'utf8');
    const bad = file('sdn.xml', sample.replace(EVM, BAD_EVM).replace(TRON_TRX, TRON_TRX.slice(0, -1)));
    const faults = [
      { file: bad, line: line(EVM), problem: `${BAD_EVM} fails its checksum` },
      { file: bad, line: line(TRON_TRX), problem: `"${TRON_TRX.slice(0, -1)}" is no address` },
    ];
    expect(await run([bad])).toMatchObject({ faults, written: false });
    expect(readFileSync(target, 'utf8')).toBe(before);
    expect(await run([bad], { skipInvalid: true })).toMatchObject({
      faults,
      written: true,
      evm: 1,
      tron: 1,
      removed: 1,
    });
    expect(stored().lists).toMatchObject([{ addresses: 2, skipped: 2 }]);
  });
});

test.each(['ARB', 'BSC', 'ETC', 'ETH', 'TRX'])(
  'what is no address under the tag %s is a fault, not of elsewhere',
  async tag => {
    const cut = sample.replace('Address - ETH', `Address - ${tag}`).replace(EVM, EVM.slice(0, -1));
    const bad = file('sdn.xml', cut);
    expect(await run([bad])).toMatchObject({
      written: false,
      faults: expect.arrayContaining([expect.objectContaining({ problem: `"${EVM.slice(0, -1)}" is no address` })]),
    });
  },
);

describe('plain lists', () => {
  test('of text and JSON together are one source’s whole list', async () => {
    await run([SAMPLE]);
    const text = file('a.txt', `\uFEFF# two of them\r\n${TRON_USDT}\r\n\r\n  ${TRON_TRX}\n`);
    const json = file('b.json', JSON.stringify([TRON_TRX, EVM.toLowerCase()]));
    expect(await run([text, json])).toMatchObject({ evm: 1, tron: 2, added: 0, removed: 0, publishedOn: null });
    expect(stored().entries[0]?.['reference']).toBe('line 2');
    expect(await run([json])).toMatchObject({ evm: 1, tron: 1, added: 0, removed: 1 });
  });

  test('leave the entries of other sources alone, even of the same address', async () => {
    await run([SAMPLE]);
    await run([file('eu.txt', TRON_TRX)], { listSource: 'eu' });
    expect(storedAddresses().filter(each => each.includes(TRON_TRX))).toHaveLength(2);
    expect(stored().lists.map(list => list['list_source'])).toEqual(['ofac-sdn', 'eu']);
    await run([file('ofac.txt', EVM)]);
    expect(await verdict('tron', TRON_TRX)).toMatchObject({ verdict: 'high_risk', source: 'eu' });
  });

  test('keep what was written before there were lists of several sources', async () => {
    file('list.json', JSON.stringify([{ address: EVM, network: 'base', list_source: 'own', reference: '1' }]));
    await run([file('eu.txt', TRON_TRX)], { listSource: 'eu' });
    expect(await verdict('base', EVM)).toMatchObject({ verdict: 'high_risk', source: 'own' });
  });

  test('name each line that is no address', async () => {
    const bad = file('a.txt', `${EVM}\nbc1qexample\n${TRON_TRX.toLowerCase()}\n`);
    expect(await run([bad])).toMatchObject({
      written: false,
      faults: [
        { line: 2, problem: '"bc1qexample" is no address' },
        { line: 3, problem: `"${TRON_TRX.toLowerCase()}" is no address` },
      ],
    });
    expect(readdirSync(folder)).toEqual(['a.txt']);
  });

  test.each<[string, string | Uint8Array, string]>([
    ['a.json', '{"address":"0x"}', 'line 1: not a JSON array'],
    ['a.json', '["', 'line 1: not JSON'],
    ['a.json', JSON.stringify([EVM, { address: EVM }]), 'line 2: the entry is not a text'],
    ['a.txt', '', 'no address of a network that is served here'],
    ['a.txt', Buffer.from([0x54, 0xff]), 'not valid'],
    ['a.csv', EVM, 'ends in none of .xml, .txt and .json'],
  ])('%s with %j is refused and writes nothing', async (name, content, problem) => {
    await expect(run([file(name, content)])).rejects.toMatchObject({
      code: 'invalid_sanctions_entry',
      message: expect.stringContaining(problem),
    });
    expect(readdirSync(folder)).toEqual([name]);
  });

  test('a file that is not there is named', async () => {
    await expect(run([path.join(folder, 'none.xml')])).rejects.toThrow('none.xml');
  });
});

test('a list file that cannot be read is never overwritten', async () => {
  file('list.json', '[{');
  await expect(run([SAMPLE])).rejects.toMatchObject({ code: 'invalid_sanctions_entry', param: 'SANCTIONS_LIST_FILE' });
  expect(readFileSync(target, 'utf8')).toBe('[{');
});
