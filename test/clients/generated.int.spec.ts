import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { OpenApiDocument } from '../../clients/typescript/generator/open-api';
import { servedDocument } from '../../clients/typescript/generator/served-document';
import { writeClient } from '../../clients/typescript/generator/write-client';
import { Quittance } from '../../clients/typescript/src';
import { KEY } from './answering';

const ROOT = path.resolve(__dirname, '..', '..');
const COMMITTED = path.join(ROOT, 'clients', 'typescript', 'src', 'generated');
const LIMIT_MS = 60_000;

function contents(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(readdirSync(folder).map(name => [name, readFileSync(path.join(folder, name), 'utf8')]));
}

describe('the generated half of the client', () => {
  let document: OpenApiDocument;

  beforeAll(async () => {
    document = await servedDocument();
  }, LIMIT_MS);

  it(
    'is what `npm run client:generate` makes of the API as it is served',
    () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'quittance-client-'));
      try {
        writeClient(document, folder, ROOT);
        expect(contents(COMMITTED)).toStrictEqual(contents(folder));
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    LIMIT_MS,
  );

  it('has a method for each operation', () => {
    const operations = Object.entries(document.paths).filter(([served]) => served.startsWith('/v1/'));
    const wanted = operations.reduce((sum, [, item]) => sum + Object.keys(item).length, 0);
    const client = new Quittance({ apiKey: KEY, baseUrl: 'https://pay.example' });
    const resources = Object.values(client) as readonly object[];
    const methods = resources.flatMap(resource =>
      Object.getOwnPropertyNames(Object.getPrototypeOf(resource)).filter(name => name !== 'constructor'),
    );
    expect(methods).toHaveLength(wanted);
    expect(wanted).toBeGreaterThan(25);
  });
});
