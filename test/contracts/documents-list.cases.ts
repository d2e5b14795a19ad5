import type { JsonObject, JsonValue } from '../../src/vocabulary/json';
import type { Collection, Document, ListQuery } from '../../src/kernel/ports/documents';
import { rejection } from './contract-support';
import { doc, type DocumentsUnderTest } from './documents.contract';

const PAGE_LIMIT = 1_000;

export function listCases({ collection }: DocumentsUnderTest): void {
  const idsOf = (listed: readonly Document[]): string[] => listed.map(({ id }) => id);

  async function filled(
    indexes: Record<string, readonly string[]>,
    bodies: Readonly<Record<string, JsonObject>>,
  ): Promise<Collection> {
    const made = await collection({ indexes });
    await made.putAllNewer(Object.entries(bodies).map(([id, body]) => doc(id, 1, body)));
    return made;
  }

  /** All pages of a query, by the key of each page's last document. */
  async function allPages(source: Collection, query: ListQuery, key: readonly string[]): Promise<string[]> {
    const seen: string[] = [];
    let after: Record<string, JsonValue> | undefined;
    for (;;) {
      const page = await source.list({ ...query, ...(after && { after }) });
      seen.push(...idsOf(page));
      const last = page.at(-1);
      if (!last) return seen;
      after = Object.fromEntries(key.map(field => [field, field === 'id' ? last.id : (last.body[field] ?? null)]));
    }
  }

  it('finds by a sparse index the documents with a value of its field, and takes no other question', async () => {
    const made = await collection({
      indexes: { by_origin: ['merchant', 'origin', 'id'] },
      sparse: { by_origin: 'origin' },
    });
    const bodies = { p1: { origin: 'o' }, p2: { origin: null }, p3: {}, p4: { origin: 'other' }, p5: { origin: 'o' } };
    await made.putAllNewer(Object.entries(bodies).map(([id, body]) => doc(id, 1, { merchant: 'a', ...body })));
    const list = (equals: ListQuery['equals']) => made.list({ index: 'by_origin', equals, limit: 10 });
    expect(idsOf(await list({ merchant: 'a', origin: 'o' }))).toStrictEqual(['p1', 'p5']);
    await made.put(doc('p2', 2, { merchant: 'a', origin: 'o' }));
    await made.put(doc('p1', 2, { merchant: 'a', origin: null }));
    expect(idsOf(await list({ merchant: 'a', origin: 'o' }))).toStrictEqual(['p2', 'p5']);
    expect(await rejection(list({ merchant: 'a' }))).toBeInstanceOf(RangeError);
    expect(await rejection(list({ merchant: 'a', origin: null }))).toBeInstanceOf(RangeError);
  });

  describe('of payments', () => {
    let payments: Collection;
    beforeAll(async () => {
      payments = await filled(
        {
          by_status: ['merchant', 'status', 'created', 'id'],
          by_created: ['merchant', 'created', 'id'],
          by_id: ['id'],
        },
        {
          p1: { merchant: 'a', status: 'open', created: 30 },
          p2: { merchant: 'a', status: 'paid', created: 10 },
          p3: { merchant: 'a', status: 'open', created: 20 },
          p4: { merchant: 'b', status: 'open', created: 25 },
          p5: { merchant: 'a', status: 'open', created: 20 },
          p6: { merchant: 'a', status: 'paid', created: 40 },
        },
      );
    });
    const list = async (query: Partial<ListQuery>): Promise<string[]> =>
      idsOf(await payments.list({ index: 'by_created', equals: { merchant: 'a' }, limit: 100, ...query }));

    it('gives whole documents', async () => {
      const equals = { merchant: 'b' };
      expect(await payments.list({ index: 'by_created', equals, limit: 10 })).toStrictEqual([
        doc('p4', 1, { merchant: 'b', status: 'open', created: 25 }),
      ]);
    });

    it('gives documents without the members that a query omits, where they have them', async () => {
      const nested = await filled(
        { by_id: ['id'] },
        {
          n1: { state: { ledger: { transfers: { tr_1: 1 }, review: null }, kept: ['a'] }, other: 1 },
          n2: { state: { ledger: null } },
          n3: { state: 'none', other: { ledger: 1 } },
        },
      );
      const omit = ['state.ledger.transfers', 'state.kept', 'other'];
      expect(await nested.list({ index: 'by_id', equals: {}, limit: 10, omit })).toStrictEqual([
        doc('n1', 1, { state: { ledger: { review: null } } }),
        doc('n2', 1, { state: { ledger: null } }),
        doc('n3', 1, { state: 'none' }),
      ]);
      const bad = nested.list({ index: 'by_id', equals: {}, limit: 10, omit: ["a') or ('"] });
      expect(await rejection(bad)).toBeInstanceOf(RangeError);
    });

    it('orders by the fields that are not bound', async () => {
      expect(await list({})).toStrictEqual(['p2', 'p3', 'p5', 'p1', 'p6']);
    });

    it('orders downwards', async () => {
      expect(await list({ descending: true })).toStrictEqual(['p6', 'p1', 'p5', 'p3', 'p2']);
    });

    it('binds several fields', async () => {
      expect(await list({ index: 'by_status', equals: { merchant: 'a', status: 'open' } })).toStrictEqual([
        'p3',
        'p5',
        'p1',
      ]);
    });

    it('binds the fields in whatever order they are named', async () => {
      expect(await list({ index: 'by_status', equals: { status: 'paid', merchant: 'a' } })).toStrictEqual(['p2', 'p6']);
    });

    it('binds all fields', async () => {
      const equals = { merchant: 'a', status: 'open', created: 20, id: 'p5' };
      expect(await list({ index: 'by_status', equals })).toStrictEqual(['p5']);
    });

    it('binds none', async () => {
      expect(await list({ index: 'by_id', equals: {} })).toStrictEqual(['p1', 'p2', 'p3', 'p4', 'p5', 'p6']);
    });

    it('gives nothing where nothing matches', async () => {
      expect(await list({ equals: { merchant: 'c' } })).toStrictEqual([]);
    });

    it.each<[string, ListQuery['range'], string[]]>([
      ['from', { from: 20 }, ['p3', 'p5', 'p1', 'p6']],
      ['to', { to: 20 }, ['p2', 'p3', 'p5']],
      ['from and to, both included', { from: 20, to: 30 }, ['p3', 'p5', 'p1']],
      ['one value', { from: 30, to: 30 }, ['p1']],
      ['between values', { from: 21, to: 29 }, []],
      ['fractions', { from: 19.5, to: 20.5 }, ['p3', 'p5']],
      ['upside down', { from: 30, to: 20 }, []],
    ])('takes a range: %s', async (_, range, expected) => {
      expect(await list({ range: range ?? {} })).toStrictEqual(expected);
    });

    it('takes a range downwards', async () => {
      expect(await list({ range: { from: 20, to: 30 }, descending: true })).toStrictEqual(['p1', 'p5', 'p3']);
    });

    it('takes a range of ids', async () => {
      expect(await list({ index: 'by_id', equals: {}, range: { from: 'p2', to: 'p4' } })).toStrictEqual([
        'p2',
        'p3',
        'p4',
      ]);
    });

    it('stops at the limit', async () => {
      expect(await list({ limit: 2 })).toStrictEqual(['p2', 'p3']);
    });

    it.each([1, 2, 3, 100])('pages by %d without a gap or a repetition, also between equal keys', async limit => {
      const query = { index: 'by_created', equals: { merchant: 'a' }, limit };
      expect(await allPages(payments, query, ['created', 'id'])).toStrictEqual(['p2', 'p3', 'p5', 'p1', 'p6']);
    });

    it.each([1, 2, 3])('pages downwards by %d', async limit => {
      const query = { index: 'by_created', equals: { merchant: 'a' }, limit, descending: true };
      expect(await allPages(payments, query, ['created', 'id'])).toStrictEqual(['p6', 'p1', 'p5', 'p3', 'p2']);
    });

    it('pages within a range', async () => {
      const query = { index: 'by_created', equals: { merchant: 'a' }, range: { from: 15, to: 35 }, limit: 1 };
      expect(await allPages(payments, query, ['created', 'id'])).toStrictEqual(['p3', 'p5', 'p1']);
    });

    it('goes on after a key that is not there any more', async () => {
      expect(await list({ after: { created: 20, id: 'p4' } })).toStrictEqual(['p5', 'p1', 'p6']);
      expect(await list({ after: { created: 20, id: 'p4' }, descending: true })).toStrictEqual(['p3', 'p2']);
    });
  });

  it('follows a document as it changes its place', async () => {
    const jobs = await filled({ by_state: ['state', 'id'] }, { one: { state: 'waiting' }, two: { state: 'waiting' } });
    await jobs.put(doc('one', 2, { state: 'done' }));
    expect(idsOf(await jobs.list({ index: 'by_state', equals: { state: 'waiting' }, limit: 10 }))).toStrictEqual([
      'two',
    ]);
    expect(idsOf(await jobs.list({ index: 'by_state', equals: { state: 'done' }, limit: 10 }))).toStrictEqual(['one']);
    await jobs.deleteUpTo('two', Infinity);
    expect(await jobs.list({ index: 'by_state', equals: { state: 'waiting' }, limit: 10 })).toStrictEqual([]);
  });

  it('binds texts, numbers, booleans and null, each to itself', async () => {
    const bodies = {
      text: { of: '5' },
      number: { of: 5 },
      yes: { of: true },
      no: { of: false },
      nothing: { of: null },
    };
    const kinds = await filled({ by_of: ['of', 'id'] }, bodies);
    for (const [id, { of }] of Object.entries(bodies)) {
      expect(idsOf(await kinds.list({ index: 'by_of', equals: { of }, limit: 10 }))).toStrictEqual([id]);
    }
  });

  it('takes a member that is missing for null', async () => {
    const jobs = await filled({ by_ended: ['ended', 'id'] }, { a: { ended: null }, b: {}, c: { ended: 'today' } });
    expect(idsOf(await jobs.list({ index: 'by_ended', equals: { ended: null }, limit: 10 }))).toStrictEqual(['a', 'b']);
  });

  it('orders null before numbers and numbers before texts', async () => {
    const mixed = await filled({ by_of: ['of', 'id'] }, {
      a: { of: 'b' }, b: { of: 10 }, c: { of: null }, d: { of: 9 }, e: { of: 'a' }, f: { of: -1 }, g: {}, h: { of: '' },
    }); // prettier-ignore
    const query = { index: 'by_of', equals: {}, limit: 100 };
    expect(idsOf(await mixed.list(query))).toStrictEqual(['c', 'g', 'f', 'd', 'b', 'h', 'e', 'a']);
    expect(idsOf(await mixed.list({ ...query, descending: true }))).toStrictEqual([
      'a',
      'e',
      'h',
      'b',
      'd',
      'f',
      'g',
      'c',
    ]);
  });

  it.each([1, 2, 3])('pages by %d past null, upwards and downwards', async limit => {
    const jobs = await filled({ by_ended: ['kind', 'ended', 'id'] }, {
      a: { kind: 'x', ended: null }, b: { kind: 'x', ended: 2 }, c: { kind: 'x' }, d: { kind: 'x', ended: 1 }, e: { kind: 'y' },
    }); // prettier-ignore
    const query = { index: 'by_ended', equals: { kind: 'x' }, limit };
    expect(await allPages(jobs, query, ['ended', 'id'])).toStrictEqual(['a', 'c', 'd', 'b']);
    expect(await allPages(jobs, { ...query, descending: true }, ['ended', 'id'])).toStrictEqual(['b', 'd', 'c', 'a']);
  });

  it('keeps an open range to values of its own kind', async () => {
    const mixed = await filled(
      { by_of: ['of', 'id'] },
      { a: { of: null }, b: { of: 1 }, c: { of: 5 }, d: { of: 'm' }, e: { of: 'z' } },
    );
    const list = async (range: NonNullable<ListQuery['range']>): Promise<string[]> =>
      idsOf(await mixed.list({ index: 'by_of', equals: {}, range, limit: 10 }));
    expect(await list({ from: 1 })).toStrictEqual(['b', 'c']);
    expect(await list({ to: 5 })).toStrictEqual(['b', 'c']);
    expect(await list({ from: 'm' })).toStrictEqual(['d', 'e']);
    expect(await list({ to: 'm' })).toStrictEqual(['d']);
  });

  it('orders texts by their bytes, times among them', async () => {
    const texts = ['2026-11-01T12:00:00.000Z', '2026-11-01T12:00:00.001Z', '2026-2', 'B', 'a', 'ä', '支', '\u{1F4B8}'];
    const bodies = Object.fromEntries(texts.map((text, index) => [`d${index}`, { text }]));
    const ordered = await filled({ by_text: ['text'] }, bodies);
    const listed = await ordered.list({ index: 'by_text', equals: {}, limit: 100 });
    expect(listed.map(({ body }) => body.text)).toStrictEqual(texts);
  });

  it('orders numbers by their values', async () => {
    const numbers = [-1e20, -10, -9.5, 0, 0.1, 1, 9, 10, 1e15, Number.MAX_SAFE_INTEGER, 1e300];
    const bodies = Object.fromEntries([...numbers].reverse().map((number, index) => [`d${index}`, { number }]));
    const ordered = await filled({ by_number: ['number'] }, bodies);
    const listed = await ordered.list({ index: 'by_number', equals: {}, limit: 100 });
    expect(listed.map(({ body }) => body.number)).toStrictEqual(numbers);
  });

  it('lists by a unique index as by any other', async () => {
    const users = await collection({ unique: { by_email: ['email'] } });
    await users.put(doc('one', 0, { email: 'ada@example.com' }));
    const query = { index: 'by_email', equals: { email: 'ada@example.com' }, limit: 1 };
    expect(await users.list(query)).toStrictEqual([doc('one', 0, { email: 'ada@example.com' })]);
  });

  it(`gives ${PAGE_LIMIT} documents at most, whatever the limit`, async () => {
    const many = await collection({ indexes: { by_index: ['index'] } });
    await many.putAllNewer(Array.from({ length: PAGE_LIMIT + 5 }, (_, index) => doc(`id-${index}`, 0, { index })));
    expect(await many.list({ index: 'by_index', equals: {}, limit: 5_000 })).toHaveLength(PAGE_LIMIT);
  });

  it('pages through all that stays in place while others write', async () => {
    const growing = await collection({ indexes: { by_index: ['index', 'id'] } });
    const even = Array.from({ length: 200 }, (_, index) => doc(`even-${index}`, 0, { index: 2 * index }));
    await growing.putAllNewer(even);
    const grow = async (): Promise<void> => {
      for (let index = 0; index < 200; index++) await growing.put(doc(`odd-${index}`, 0, { index: 2 * index + 1 }));
    };
    const writing = grow();
    const seen: string[] = [];
    let after: Record<string, JsonValue> = { index: -1, id: '' };
    for (;;) {
      const page = await growing.list({ index: 'by_index', equals: {}, after, limit: 7 });
      const last = page.at(-1);
      if (!last) break;
      seen.push(...idsOf(page));
      after = { index: last.body.index ?? null, id: last.id };
      await growing.put(doc(`later-${seen.length}`, 0, { index: 1_000 }));
    }
    await writing;
    expect(seen.filter(id => id.startsWith('even-'))).toStrictEqual(even.map(({ id }) => id));
    expect(new Set(seen).size).toBe(seen.length);
  });

  it.each<[string, Partial<ListQuery>]>([
    ['an index that is not there', { index: 'by_nothing' }],
    ['a bound field that is not the first', { equals: { created: 1 } }],
    ['a bound field that the index has not', { equals: { merchant: 'a', colour: 'red' } }],
    ['a range with no field left', { equals: { merchant: 'a', created: 1, id: 'x' }, range: { from: 1 } }],
    ['a page key that lacks a field', { after: { created: 1 } }],
    ['a limit of none', { limit: 0 }],
    ['a limit below none', { limit: -1 }],
    ['a limit that is no whole number', { limit: 1.5 }],
  ])('refuses %s', async (_, query) => {
    const payments = await filled({ by_created: ['merchant', 'created', 'id'] }, { p1: { merchant: 'a', created: 1 } });
    const whole = { index: 'by_created', equals: { merchant: 'a' }, limit: 10, ...query };
    expect(await rejection(payments.list(whole))).toBeInstanceOf(RangeError);
  });
}
