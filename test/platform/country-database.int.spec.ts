import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CountryDatabase } from '../../src/platform/country-database';
import { tinyMmdb } from '../support/tiny-mmdb';

const BYTES = tinyMmdb([
  { address: '203.0.113.0', bits: 24, country: 'DE' },
  { address: '198.51.100.0', bits: 25, country: 'KP' },
]);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countries-'));
});
afterAll(() => rm(folder, { recursive: true }));

it.each([
  ['203.0.113.7', 'DE'],
  ['::ffff:203.0.113.7', 'DE'],
  ['::FFFF:cb00:7107', 'DE'],
  ['0:0:0:0:0:ffff:198.51.100.127', 'KP'],
  ['198.51.100.127', 'KP'],
  ['198.51.100.128', null],
  ['2001:db8::1', null],
  ['fe80::1%eth0', null],
  ['no address', null],
])('tells the country of %s: %s', async (address, country) => {
  const file = join(folder, 'countries.mmdb');
  await writeFile(file, BYTES);
  expect((await CountryDatabase.open(file)).countryOf(address)).toBe(country);
});

it.each([
  ['missing.mmdb', null],
  ['damaged.mmdb', Buffer.from('no database')],
])('refuses a file that cannot be read: %s', async (name, bytes) => {
  const file = join(folder, name);
  if (bytes) await writeFile(file, bytes);
  await expect(CountryDatabase.open(file)).rejects.toMatchObject({ code: 'invalid_config' });
});
