import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DuplicateKey,
  type CollectionSpec,
  type Document,
  type Documents,
  type ListQuery,
} from '../../../src/kernel/ports/documents';
import { tableName } from '../../../src/platform/documents/embedded/collection-schema';
import { EmbeddedDocuments } from '../../../src/platform/documents/embedded/embedded-documents';
import { pageQuery } from '../../../src/platform/documents/embedded/list-query';
import { EmbeddedFile } from '../../../src/platform/embedded-file/embedded-file';
import { eventually } from '../../contracts/contract-support';

const SPEC: CollectionSpec = {
  name: 'payments',
  indexes: {
    by_created: ['merchant', 'created', 'id'],
    by_status: ['merchant', 'status', 'created', 'id'],
    by_token: ['merchant', 'token', 'created', 'id'],
    by_due: ['clock', 'due', 'id'],
    by_origin: ['merchant', 'origin', 'created', 'id'],
    by_id: ['id'],
  },
  sparse: { by_origin: 'origin' },
  unique: { by_reference: ['merchant', 'reference'] },
};

describe('embedded documents', () => {
  let folder: string;
  let file: EmbeddedFile;
  let documents: Documents;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quittance-documents-'));
    file = EmbeddedFile.open(folder, { role: 'service' });
    documents = new EmbeddedDocuments(file);
  });
  afterEach(async () => {
    await documents.close();
    file.close();
    rmSync(folder, { recursive: true });
  });

  describe('a page', () => {
    const equals = { merchant: 'm' };
    const queries: readonly [string, ListQuery][] = [
      ['of one bound field', { index: 'by_created', equals, limit: 20 }],
      ['downwards', { index: 'by_created', equals, descending: true, limit: 20 }],
      ['after a key', { index: 'by_created', equals, after: { created: 5, id: 'p' }, limit: 20 }],
      ['after a key, downwards', { index: 'by_created', equals, after: { created: 5, id: 'p' }, descending: true, limit: 20 }],
      ['of two bound fields', { index: 'by_status', equals: { ...equals, status: 'open' }, limit: 20 }],
      ['of two bound fields after a key', { index: 'by_status', equals: { ...equals, status: 'open' }, after: { created: 5, id: 'p' }, limit: 20 }],
      ['of another two', { index: 'by_token', equals: { ...equals, token: 't' }, descending: true, limit: 20 }],
      ['of a sparse index', { index: 'by_origin', equals: { ...equals, origin: 'o' }, descending: true, limit: 20 }],
      ['of a range', { index: 'by_created', equals, range: { from: 1, to: 9 }, limit: 20 }],
      ['of a range after a key', { index: 'by_created', equals, range: { from: 1, to: 9 }, after: { created: 5, id: 'p' }, limit: 20 }],
      ['of what is due', { index: 'by_due', equals: { clock: 'live' }, range: { to: '2026-11-01T12:00:00.000Z' }, limit: 20 }],
      ['of null', { index: 'by_status', equals: { ...equals, status: null }, limit: 20 }],
      ['of all bound fields', { index: 'by_reference', equals: { ...equals, reference: 'r' }, limit: 20 }],
      ['of ids after one', { index: 'by_id', equals: {}, after: { id: 'p' }, limit: 20 }],
      ['of a prefix of an index', { index: 'by_status', equals, after: { status: 'open', created: 5, id: 'p' }, limit: 20 }],
    ]; // prettier-ignore

    it.each(queries)('is searched, neither scanned nor sorted: %s', async (_, query) => {
      const payments = await documents.open(SPEC);
      await payments.putAllNewer(
        Array.from({ length: 500 }, (__, created) => ({
          id: `p${created}`,
          version: 1,
          body: {
            merchant: `m${created % 3}`,
            status: 'open',
            token: 't',
            created,
            clock: 'live',
            reference: `r${created}`,
            origin: created % 7 === 0 ? 'o' : null,
          },
        })),
      );
      const fields = { ...SPEC.indexes, ...SPEC.unique }[query.index] as readonly string[];
      const { sql, parameters } = pageQuery(tableName(SPEC.name), fields, query, SPEC.sparse?.[query.index] ?? null);
      const plan = (
        file.statement(`explain query plan ${sql}`).all(...parameters) as [number, number, number, string][]
      )
        .map(([, , , detail]) => detail)
        .join('; ');
      expect(plan).toMatch(/^SEARCH .* USING (COVERING )?INDEX [^;]*$/);
    });
  });

  it('writes none of many when one of them is a duplicate, and all of those beside them', async () => {
    const payments = await documents.open(SPEC);
    const payment = (id: string, reference: number): Document => ({
      id,
      version: 1,
      body: { merchant: 'm', reference },
    });
    const ends = await Promise.allSettled([
      payments.put(payment('p1', 1)),
      payments.putAllNewer([payment('p2', 2), payment('p3', 1)]),
      payments.putAllNewer([payment('p4', 4), payment('p5', 5)]),
    ]);
    expect(ends.map(end => end.status)).toStrictEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((ends[1] as PromiseRejectedResult).reason).toStrictEqual(new DuplicateKey('payments', 'by_reference'));
    expect(await payments.get('p2')).toBeNull();
    expect(await payments.count()).toBe(3);
  });

  it('makes no index twice, and makes one anew that is defined otherwise', async () => {
    const indexes = (): unknown[] =>
      file.statement("select name from sqlite_schema where type = 'index' and sql is not null order by name").all();
    await documents.open(SPEC);
    const made = indexes();
    // The primary key serves `by_id`.
    expect(made).toHaveLength(6);
    await documents.open(SPEC);
    expect(indexes()).toStrictEqual(made);
    for (const change of [{ indexes: { ...SPEC.indexes, by_due: ['due', 'id'] } }, { sparse: {} }]) {
      await documents.open(SPEC);
      const before = indexes();
      await documents.open({ ...SPEC, ...change });
      expect(indexes()).toHaveLength(6);
      expect(indexes()).not.toStrictEqual(before);
    }
  });

  it('leaves nothing of what was dropped, be it big', async () => {
    const tables = (): unknown[] => file.statement("select name from sqlite_schema where type = 'table'").all();
    const payments = await documents.open(SPEC);
    await payments.putAllNewer(
      Array.from({ length: 2_500 }, (_, index) => ({
        id: `p${index}`,
        version: 1,
        body: { merchant: 'm', reference: index },
      })),
    );
    await documents.drop(SPEC.name);
    expect(tables()).not.toContainEqual([tableName(SPEC.name)]);
    await documents.close();
    expect(tables()).toStrictEqual([]);
  });

  it('drops at its start what another process had not finished dropping', async () => {
    file.database.exec('create table "dropped:abc" (id text primary key); insert into "dropped:abc" values (1)');
    const anew = new EmbeddedDocuments(file);
    await anew.close();
    expect(file.statement("select name from sqlite_schema where type = 'table'").all()).toStrictEqual([]);
  });

  it('follows a switch that another process makes', async () => {
    const payments = await documents.open(SPEC);
    await payments.put({ id: 'p1', version: 1, body: { of: 'old', merchant: 'm', reference: 1 } });
    const besideFile = EmbeddedFile.open(folder, { role: 'tool' });
    const beside = new EmbeddedDocuments(besideFile);
    const rebuilt = await beside.open({ ...SPEC, name: 'payments.2' });
    await rebuilt.put({ id: 'p1', version: 2, body: { of: 'new', merchant: 'm', reference: 1 } });
    await beside.switch('payments.2', 'payments');
    await eventually(async () => (await payments.get('p1'))?.version === 2);
    expect(await payments.list({ index: 'by_created', equals: { merchant: 'm' }, limit: 5 })).toHaveLength(1);
    expect(await payments.insert({ id: 'p2', version: 1, body: { merchant: 'm', reference: 1 } })).toBe(false);
    await beside.close();
    besideFile.close();
  });
});
