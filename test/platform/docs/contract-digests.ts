import { createHash } from 'node:crypto';
import { canonicalJson, type JsonObject, type JsonValue } from '../../../src/vocabulary/json';
import { operationsOf, type ApiDocument } from '../../../src/platform/docs/api-document';

const SHOWN_DIGITS = 16;

/** An example is no part of the contract: it is recorded by itself. */
const withoutExamples = (key: string, value: unknown): unknown => (key === 'example' ? undefined : value);

/** Each part of the contract by its name, without the address that the service was started under. */
function partsOf(served: ApiDocument): Readonly<Record<string, JsonValue>> {
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

/** A digest of each part of a contract, by the part's name. */
export function contractDigests(served: ApiDocument): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(partsOf(served)).map(([name, part]) => [name, digest(part)]));
}

function digest(part: JsonValue): string {
  return createHash('sha256').update(canonicalJson(part)).digest('hex').slice(0, SHOWN_DIGITS);
}
