import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson, type JsonObject, type JsonValue } from '../../../src/vocabulary/json';
import { operationsOf, type ApiDocument } from '../../../src/platform/docs/api-document';
import { servedDocument } from '../../../clients/typescript/generator/served-document';

const RECORD = join(__dirname, '../../fixtures/contract.json');
const LIMIT_MS = 60_000;
const SHOWN_DIGITS = 16;

/** An example is no part of the contract: it is recorded by itself. */
const withoutExamples = (key: string, value: unknown): unknown => (key === 'example' ? undefined : value);

/** Each part of the contract by its name, without the address that the service was started under. */
async function contract(): Promise<Readonly<Record<string, JsonValue>>> {
  const served = (await servedDocument()) as unknown as ApiDocument;
  const url = served.servers[0]?.url ?? '';
  const text = JSON.stringify(served).replaceAll(url, 'https://pay.example');
  const document = JSON.parse(text, withoutExamples) as ApiDocument;
  const { paths: _, webhooks, components, ...head } = document;
  const named = (place: string, parts: object) =>
    Object.entries(parts).map(([name, part]) => [`${place} ${name}`, part as JsonValue] as const);
  return Object.fromEntries([
    ['document', head as unknown as JsonObject],
    ...operationsOf(document).map(({ method, path, operation }) => [`${method} ${path}`, operation as JsonValue]),
    ...named('webhook', webhooks),
    ...named('schema', components.schemas),
    ...named('components', { ...components, schemas: {}, examples: Object.keys(components.examples) }),
  ]) as Readonly<Record<string, JsonValue>>;
}

function digest(part: JsonValue): string {
  return createHash('sha256').update(canonicalJson(part)).digest('hex').slice(0, SHOWN_DIGITS);
}

/** A change of the contract is meant, or it is a fault. `npm run contract:record` records a change that is meant. */
it(
  'serves the recorded contract, part by part',
  async () => {
    const parts = Object.entries(await contract());
    const digests = Object.fromEntries(parts.map(([name, part]) => [name, digest(part)]));
    if (process.env.RECORD_CONTRACT === '1') writeFileSync(RECORD, `${JSON.stringify(digests, null, 2)}\n`);
    expect(digests).toEqual(JSON.parse(readFileSync(RECORD, 'utf8')));
  },
  LIMIT_MS,
);
