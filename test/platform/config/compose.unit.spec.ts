import { readFileSync } from 'node:fs';
import path from 'node:path';
import { configSchema } from '../../../src/platform/config/config-schema';
import { envExample } from '../../docs/env-example';

const ROOT = path.resolve(__dirname, '..', '..', '..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const compose = read('docker-compose.yml');
const KNOWN = Object.keys(configSchema.shape);
const EXACT = /^\S+:\d+\.\d+\.\d+(?:-[\w.-]+)?(?:@sha256:[0-9a-f]{64})?$/;
/** The digest of this image could not be looked up. */
const WITHOUT_DIGEST = ['eventstore/eventstore'];

type Lock = { readonly packages: Readonly<Record<string, { readonly engines?: { readonly node?: string } }>> };

/** The lines of a block below a line, without the indentation of the block. */
function blockOf(text: string, head: string): string {
  const lines = text.split('\n');
  const start = lines.indexOf(head);
  if (start < 0) throw new Error(`docker-compose.yml has no line "${head}"`);
  const margin = `${head.slice(0, head.search(/\S/))}  `;
  const length = lines.slice(start + 1).findIndex(line => line !== '' && !line.startsWith(margin));
  const block = lines.slice(start + 1, length < 0 ? undefined : start + 1 + length);
  return block.map(line => line.slice(margin.length)).join('\n');
}

const keysOf = (block: string): readonly string[] =>
  [...block.matchAll(/^([A-Za-z][\w-]*):/gm)].map(([, key]) => key as string);

const services = blockOf(compose, 'services:');
const engines = blockOf(compose, 'x-engines: &engines');

it('has a service for each profile, and nothing outside of the two', () => {
  const profiles = new Map(
    keysOf(services).map(name => [name, /^profiles: \[(\w+)\]$/m.exec(blockOf(services, `${name}:`))?.[1]]),
  );
  expect(profiles.get('service')).toBe('production');
  expect(profiles.get('service-development')).toBe('development');
  expect(new Set(profiles.values())).toEqual(new Set(['production', 'development']));
});

it.each(['service', 'service-development'])('gives the variables of %s that the service reads, and .env', name => {
  const service = blockOf(services, `${name}:`);
  const given = keysOf(blockOf(service, 'environment:'));
  expect(given).toContain('NODE_ENV');
  expect([...given, ...keysOf(engines)].filter(variable => !KNOWN.includes(variable))).toEqual([]);
  expect(service).toContain('<<: *service');
  expect(blockOf(service, 'environment:')).toContain('<<: *engines');
});

it('hands every variable of .env to the service', () => {
  expect(blockOf(compose, 'x-service: &service')).toContain('env_file: [.env]');
  expect(compose).not.toContain('${');
});

it('publishes no port of an engine in production', () => {
  for (const name of ['eventstoredb', 'mongodb', 'mongodb-init'])
    expect(blockOf(services, `${name}:`)).not.toContain('ports:');
  const published = [...compose.matchAll(/ports: \['([^']+)'\]/g)].map(([, ports]) => ports);
  expect(published.filter(ports => !ports?.startsWith('127.0.0.1:'))).toEqual([]);
});

it('names each image by its exact version, and by its digest where that is known', () => {
  const composed = [...compose.matchAll(/^ +image: (.+)$/gm)].map(([, image]) => image as string);
  const built = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image as string);
  expect([composed.length, built.length]).toEqual([3, 2]);
  expect([...composed, ...built].filter(image => !EXACT.test(image))).toEqual([]);
  const floating = [...composed, ...built].filter(image => !image.includes('@sha256:'));
  expect(floating.map(image => image.split(':')[0])).toEqual(WITHOUT_DIGEST);
});

it('runs on the node that .nvmrc names, which is of a line that every package declares', () => {
  const [node = ''] = read('.nvmrc').split('\n');
  const images = [...read('Dockerfile').matchAll(/^FROM node:(\S+?)-bookworm-slim@/gm)].map(([, version]) => version);
  expect(images).toEqual([node, node]);
  const { engines } = JSON.parse(read('package.json')) as { readonly engines: { readonly node: string } };
  expect(engines.node).toBe('>=20.19');
  expect(refusing(node)).toEqual([]);
});

it('has an example of .env that names every variable, as `npm run docs:generate` makes it', () => {
  expect(read('.env.example')).toBe(envExample());
  const named = [...envExample().matchAll(/^#([A-Z][A-Z_]*)=/gm)].map(([, name]) => name);
  expect(named).toEqual(KNOWN);
});

it.each([
  ['.gitignore', '.env'],
  ['.dockerignore', '.env*'],
])('keeps .env, which holds secrets, out by %s', (file, pattern) => {
  expect(read(file).split('\n')).toContain(pattern);
});

/** The installed packages whose `engines` leave out that version of node. */
function refusing(version: string): readonly string[] {
  const { packages } = JSON.parse(read('package-lock.json')) as Lock;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isTaken = (range: string): boolean => range.split('||').some(part => takes(part.trim(), major, minor));
  return Object.entries(packages).flatMap(([name, { engines }]) =>
    engines?.node === undefined || isTaken(engines.node) ? [] : [`${name}: ${engines.node}`],
  );
}

/** `>=20.19`, `^22.13.0`, `10.*`: all forms that the lock file has. Throws Error for another one. */
function takes(range: string, major: number, minor: number): boolean {
  if (range === '*') return true;
  const [, sign, from, fromMinor = '0'] =
    /^(>=|\^|~)?\s*v?(\d+)(?:\.(\d+|[x*]))?(?:\.(?:\d+|[x*]))?$/.exec(range) ?? [];
  if (from === undefined) throw new Error(`the range ${range} of node`);
  const isFrom = major > Number(from) || (major === Number(from) && minor >= (Number(fromMinor) || 0));
  return sign === '>=' ? isFrom : isFrom && major === Number(from);
}
