import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { operationsOf, type ApiDocument } from '../../../src/platform/docs/api-document';
import { ApiStage } from '../../support/api-stage';

const LINTERS = path.join(__dirname, 'lint-documents.mjs');
const LIMIT_MS = 120_000;

type Finding = { readonly severity: string; readonly rule: string; readonly message: string; readonly place: string };
type Findings = { readonly redocly: readonly Finding[]; readonly spectral: readonly Finding[] };

let stage: ApiStage;
let document: ApiDocument;

beforeAll(async () => {
  stage = await ApiStage.open({ PUBLIC_URL: 'https://pay.example' });
  const { caller } = await stage.startInstance();
  document = JSON.parse((await caller.send({ method: 'GET', path: '/openapi.json' })).body) as ApiDocument;
});

afterAll(() => stage.close());

/** The findings of two linters in each document. */
function linted(...documents: readonly object[]): readonly Findings[] {
  const { status, stdout, stderr } = spawnSync(process.execPath, [LINTERS], {
    input: JSON.stringify(documents),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as readonly Findings[];
}

it('is a document in which two linters find nothing, though they find what breaks their recommended rules', () => {
  const { openapi, info } = document;
  const broken = { openapi, info, paths: { '/v1/x': { get: { responses: {}, tags: ['Nowhere'] } } } };
  const [found, inBroken] = linted(document, broken);
  expect(found).toEqual({ redocly: [], spectral: [] });
  const rules = (findings: readonly Finding[] = []) => findings.map(({ rule }) => rule);
  expect(rules(inBroken?.redocly)).toEqual(expect.arrayContaining(['operation-operationId', 'security-defined']));
  expect(rules(inBroken?.spectral)).toEqual(expect.arrayContaining(['operation-operationId', 'operation-tag-defined']));
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
