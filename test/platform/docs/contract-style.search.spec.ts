import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { operationsOf, type ApiDocument } from '../../../src/platform/docs/api-document';
import { searchSize } from '../../levels/search-size';
import { ApiStage } from '../../support/api-stage';

const PROGRAM = path.join(__dirname, 'lint-documents.mjs');
const LIMIT_MS = 120_000;
/** Each linter, with rules that a broken document breaks. */
const LINTERS = [
  ['redocly', ['operation-operationId', 'security-defined']],
  ['spectral', ['operation-operationId', 'operation-tag-defined']],
] as const;
/** The first so many of them. */
const ASKED = LINTERS.slice(0, searchSize('CONTRACT_LINTERS', { small: 1, full: LINTERS.length }));
/** Examples take half of the time. Beside a small search, `contract.int.spec.ts` alone holds them against schemas. */
const HAS_EXAMPLES = ASKED.length === LINTERS.length;

type Finding = { readonly severity: string; readonly rule: string; readonly message: string; readonly place: string };

let stage: ApiStage;
let document: ApiDocument;

beforeAll(async () => {
  stage = await ApiStage.open({ PUBLIC_URL: 'https://pay.example' });
  const { caller } = await stage.startInstance();
  document = JSON.parse((await caller.send({ method: 'GET', path: '/openapi.json' })).body) as ApiDocument;
});

afterAll(() => stage.close());

/** A copy whose calls have no examples. */
function withoutExamples<T extends object>(contract: T): T {
  const isData = (name: string, value: unknown): boolean =>
    name === 'example' || (name === 'examples' && typeof value === 'object' && !Array.isArray(value));
  return JSON.parse(JSON.stringify(contract, (name, value: unknown) => (isData(name, value) ? undefined : value))) as T;
}

/** The linter's findings in each document. */
function linted(linter: string, ...documents: readonly object[]): readonly (readonly Finding[])[] {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, linter], {
    input: JSON.stringify(documents),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as readonly (readonly Finding[])[];
}

it.each(ASKED)('is a document in which %s finds nothing, though it finds what breaks its rules', (linter, broken) => {
  const { openapi, info } = document;
  const faulty = { openapi, info, paths: { '/v1/x': { get: { responses: {}, tags: ['Nowhere'] } } } };
  const [found, inFaulty = []] = linted(linter, HAS_EXAMPLES ? document : withoutExamples(document), faulty);
  expect(found).toEqual([]);
  expect(inFaulty.map(({ rule }) => rule)).toEqual(expect.arrayContaining([...broken]));
}, LIMIT_MS); // prettier-ignore

// The rules below are those of the linters where the document broke them.

/** The calls of both directions, by their names. */
function calls() {
  const sent = Object.values(document.webhooks).map(({ post }) => post);
  return [...operationsOf(document).map(({ operation }) => operation), ...sent];
}

/** Every place below a value that `isFault` names, by its path; examples hold data, and no schemas. */
function faults(value: unknown, isFault: (object: object) => boolean, place = '#'): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = !Array.isArray(value) && isFault(value) ? [place] : [];
  const inner = Object.entries(value).filter(([name]) => name !== 'value' && name !== 'example');
  return [...own, ...inner.flatMap(([name, member]) => faults(member, isFault, `${place}/${name}`))];
}

it('says nothing beside a reference, which readers of older dialects leave out', () => {
  expect(faults(document, object => '$ref' in object && Object.keys(object).length > 1)).toEqual([]);
});

it('gives each enumeration of texts and each list of required fields its type', () => {
  expect(faults(document, object => 'enum' in object && !('type' in object))).toEqual([]);
  expect(faults(document, object => 'properties' in object && !('type' in object) && 'required' in object)).toEqual([]);
});

it('requires no field that the same schema does not describe', () => {
  const isVague = (object: object): boolean => {
    const { required, properties } = object as { readonly required?: unknown; readonly properties?: object };
    return Array.isArray(required) && required.some(name => !Object.hasOwn(properties ?? {}, name as string));
  };
  expect(faults(document, isVague)).toEqual([]);
});

it('leaves the other fields to the other parts, where several schemas hold for one value', () => {
  const isOpenToo = (part: object): boolean =>
    faults(part, object => 'properties' in object && !('additionalProperties' in object)).length === 0;
  const parts = (object: object): readonly object[] => (object as { readonly allOf?: readonly object[] }).allOf ?? [];
  expect(faults(document, object => !parts(object).every(isOpenToo))).toEqual([]);
});

it('declares each of its headings once, with a description, and no heading without calls', () => {
  const declared = document.tags.map(({ name }) => name);
  expect(new Set(declared).size).toBe(declared.length);
  expect(new Set(calls().flatMap(({ tags }) => tags))).toEqual(new Set(declared));
  for (const { description } of document.tags) expect(description).toMatch(/^[A-Z].*\.$/);
});

it('describes every call beyond its summary', () => {
  for (const { operationId, summary, description } of calls()) {
    expect([operationId, description]).toEqual([operationId, expect.stringMatching(/^[A-Z][^]*\.$/)]);
    expect(description).not.toBe(summary);
  }
});

it('tells scopes in words, because a bearer has none', () => {
  const scoped = operationsOf(document).filter(({ operation }) => operation['x-required-scope'] !== undefined);
  expect(scoped.length).toBeGreaterThan(20);
  for (const { operation } of operationsOf(document)) {
    expect(operation.security.flatMap(requirement => Object.values(requirement).flat())).toEqual([]);
    const { 'x-required-scope': scope } = operation;
    if (scope !== undefined) expect(operation.description).toContain(`\`${scope}\``);
  }
});

it('names whom to ask, and the licence', () => {
  expect(document.info).toMatchObject({
    contact: { name: expect.stringMatching(/./), url: expect.stringMatching(/^http/) },
    license: { name: expect.stringMatching(/./), identifier: expect.stringMatching(/^LicenseRef-/) },
  });
});
