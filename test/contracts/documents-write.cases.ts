import type { JsonObject } from '../../src/vocabulary/json';
import { DOCUMENTS_PER_READ, DuplicateKey, type Document } from '../../src/kernel/ports/documents';
import { rejection, uniqueName } from './contract-support';
import { doc, type DocumentsUnderTest } from './documents.contract';

const WRITERS = 32;

export function writeCases({ documents, collection, reopen }: DocumentsUnderTest): void {
  describe('get and put', () => {
    it('gives null for an id that is not there', async () => {
      expect(await (await collection()).get('nobody')).toBeNull();
    });

    it('gives what was put', async () => {
      const users = await collection();
      await users.put(doc('one', 3, { name: 'Ada' }));
      expect(await users.get('one')).toStrictEqual(doc('one', 3, { name: 'Ada' }));
    });

    it('puts over whatever stood there, newer or older', async () => {
      const users = await collection();
      await users.put(doc('one', 5, { name: 'Ada', born: 1815 }));
      await users.put(doc('one', 2, { name: 'Grace' }));
      expect(await users.get('one')).toStrictEqual(doc('one', 2, { name: 'Grace' }));
      expect(await users.count()).toBe(1);
    });

    it.each<[string, JsonObject]>([
      ['no members', {}],
      ['every JSON type', { text: '', number: 0, fraction: -1.25e-7, yes: true, no: false, nothing: null }],
      ['containers', { list: [], object: {}, deep: { list: [[], [{}], [[[1]]], null] } }],
      ['a safe integer', { most: Number.MAX_SAFE_INTEGER, least: Number.MIN_SAFE_INTEGER }],
      ['text of all planes', { text: 'Zażółć 支付 \u{1F4B8} \u0000 " \\ \n' }],
      ['members named as the document is', { id: 'other', version: 'x', body: {}, _id: 1 }],
      ['100,000 characters', { text: 'ä'.repeat(100_000) }],
    ])('gives back a body to the letter: %s', async (_, body) => {
      const users = await collection();
      await users.put(doc('one', 0, body));
      expect((await users.get('one'))?.body).toStrictEqual(body);
    });

    it.each([
      'a b',
      'ünïcode',
      "o'clock",
      '$set',
      'a.b',
      '%_',
      'tron:T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb:1',
      'x'.repeat(400),
    ])('tells documents apart by the id %s', async id => {
      const users = await collection();
      await users.put(doc(id, 1, { its: id }));
      expect(await users.get(id)).toStrictEqual(doc(id, 1, { its: id }));
      expect(await users.get(`${id}x`)).toBeNull();
    });

    it('takes an id in upper and in lower case for two', async () => {
      const users = await collection();
      await users.put(doc('Ada', 1));
      expect(await users.get('ada')).toBeNull();
    });

    it('keeps collections apart', async () => {
      const [one, two] = [await collection(), await collection()];
      await one.put(doc('same', 1, { of: 'one' }));
      await two.put(doc('same', 2, { of: 'two' }));
      expect(await one.get('same')).toStrictEqual(doc('same', 1, { of: 'one' }));
      await two.deleteUpTo('same', Infinity);
      expect(await one.count()).toBe(1);
    });

    it.each<[string, unknown]>([
      ['a bigint', { amount: 1n }],
      ['undefined', { amount: undefined }],
      ['NaN', { amount: NaN }],
      ['a date', { at: new Date(0) }],
    ])('refuses what JSON cannot hold: %s', async (_, body) => {
      const users = await collection();
      expect(await rejection(users.put(doc('one', 0, body as JsonObject)))).toBeInstanceOf(TypeError);
      expect(await users.get('one')).toBeNull();
    });
  });

  describe('getAll', () => {
    it('gives those that are there, each once', async () => {
      const users = await collection();
      await users.put(doc('one', 1, { name: 'Ada' }));
      await users.put(doc("o'two", -1, {}));
      await users.put(doc('three', 3));
      const found = await users.getAll(["o'two", 'nobody', 'one', 'one']);
      expect([...found].sort((a, b) => a.version - b.version)).toStrictEqual([
        doc("o'two", -1, {}),
        doc('one', 1, { name: 'Ada' }),
      ]);
    });

    it('gives nothing for no ids', async () => {
      const users = await collection();
      await users.put(doc('one'));
      expect(await users.getAll([])).toStrictEqual([]);
    });

    it('takes a thousand ids at once and no more', async () => {
      const users = await collection();
      const ids = Array.from({ length: DOCUMENTS_PER_READ }, (_, index) => `id-${index}`);
      await users.putAllNewer(ids.map(id => doc(id)));
      expect(await users.getAll(ids)).toHaveLength(DOCUMENTS_PER_READ);
      expect(await rejection(users.getAll([...ids, 'one more']))).toBeInstanceOf(RangeError);
    });
  });

  describe('putNewer', () => {
    it('writes where none stands, and over an older one', async () => {
      const users = await collection();
      expect(await users.putNewer(doc('one', 0, { at: 0 }))).toBe(true);
      expect(await users.putNewer(doc('one', 4, { at: 4 }))).toBe(true);
      expect(await users.get('one')).toStrictEqual(doc('one', 4, { at: 4 }));
    });

    it.each([3, 4])('leaves version 4 alone when version %d comes', async version => {
      const users = await collection();
      await users.put(doc('one', 4, { at: 'first' }));
      expect(await users.putNewer(doc('one', version, { at: 'second' }))).toBe(false);
      expect(await users.get('one')).toStrictEqual(doc('one', 4, { at: 'first' }));
    });

    it('ends with the newest whatever the order they come in', async () => {
      const users = await collection();
      const versions = Array.from({ length: WRITERS }, (_, index) => (index * 13) % WRITERS);
      const written = await Promise.all(versions.map(version => users.putNewer(doc('one', version, { at: version }))));
      expect(await users.get('one')).toStrictEqual(doc('one', WRITERS - 1, { at: WRITERS - 1 }));
      expect(written).toContain(true);
      expect(written[versions.indexOf(WRITERS - 1)]).toBe(true);
    });

    it('throws DuplicateKey when another document holds a unique key', async () => {
      const users = await collection({ unique: { by_email: ['email'] } });
      await users.put(doc('one', 0, { email: 'ada@example.com' }));
      const error = await rejection(users.putNewer(doc('two', 0, { email: 'ada@example.com' })));
      expect(error).toBeInstanceOf(DuplicateKey);
      expect(await users.get('two')).toBeNull();
    });
  });

  describe('putAllNewer', () => {
    it('takes none', async () => {
      const users = await collection();
      await users.putAllNewer([]);
      expect(await users.count()).toBe(0);
    });

    it('writes the newer ones of many and leaves the others', async () => {
      const users = await collection();
      await users.put(doc('old', 1, { by: 'before' }));
      await users.put(doc('new', 9, { by: 'before' }));
      await users.putAllNewer(['old', 'new', 'none'].map(id => doc(id, 5, { by: 'all' })));
      expect(await users.get('old')).toStrictEqual(doc('old', 5, { by: 'all' }));
      expect(await users.get('new')).toStrictEqual(doc('new', 9, { by: 'before' }));
      expect(await users.get('none')).toStrictEqual(doc('none', 5, { by: 'all' }));
    });

    it('keeps the newest of several of one id', async () => {
      const users = await collection();
      await users.putAllNewer([doc('one', 1), doc('one', 3, { newest: true }), doc('one', 2)]);
      expect(await users.get('one')).toStrictEqual(doc('one', 3, { newest: true }));
    });

    it('writes 2,000 in one call', async () => {
      const users = await collection();
      await users.putAllNewer(Array.from({ length: 2_000 }, (_, index) => doc(`id-${index}`, index, { index })));
      expect(await users.count()).toBe(2_000);
      expect(await users.get('id-1999')).toStrictEqual(doc('id-1999', 1_999, { index: 1_999 }));
    });

    it('gives the same when it is repeated', async () => {
      const users = await collection();
      const all: Document[] = Array.from({ length: 10 }, (_, index) => doc(`id-${index}`, index, { index }));
      await users.putAllNewer(all);
      await users.putAllNewer(all);
      expect(await users.count()).toBe(10);
    });
  });

  describe('insert', () => {
    it('writes where none stands, and only there', async () => {
      const users = await collection();
      expect(await users.insert(doc('one', 1, { by: 'first' }))).toBe(true);
      expect(await users.insert(doc('one', 2, { by: 'second' }))).toBe(false);
      expect(await users.get('one')).toStrictEqual(doc('one', 1, { by: 'first' }));
    });

    it('is false when a unique key is taken', async () => {
      const users = await collection({ unique: { by_email: ['email'] } });
      expect(await users.insert(doc('one', 0, { email: 'ada@example.com' }))).toBe(true);
      expect(await users.insert(doc('two', 0, { email: 'ada@example.com' }))).toBe(false);
      expect(await users.get('two')).toBeNull();
    });

    it('writes many, and names those that stand already', async () => {
      const users = await collection({ unique: { by_email: ['email'] } });
      await users.insertAll([doc('one', 1, { email: 'ada@example.com' }), doc('two', 1, { email: 'bo@example.com' })]);
      const others = [
        doc('one', 9, { email: 'cy@example.com' }),
        doc('three', 1, { email: 'ada@example.com' }),
        doc('four', 1, { email: 'dee@example.com' }),
      ];
      expect(await users.insertAll(others)).toStrictEqual(['one', 'three']);
      expect(await users.get('one')).toStrictEqual(doc('one', 1, { email: 'ada@example.com' }));
      expect(await users.get('four')).toStrictEqual(others[2]);
      expect(await users.count()).toBe(3);
      expect(await users.insertAll([])).toStrictEqual([]);
    });

    it('lets one of 32 win an id', async () => {
      const users = await collection();
      const won = await Promise.all(
        Array.from({ length: WRITERS }, (_, index) => users.insert(doc('one', 0, { by: index }))),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
      expect((await users.get('one'))?.body).toStrictEqual({ by: won.indexOf(true) });
    });

    it('lets one of 32 win a unique key', async () => {
      const users = await collection({ unique: { by_email: ['email'] } });
      const won = await Promise.all(
        Array.from({ length: WRITERS }, (_, index) =>
          users.insert(doc(`id-${index}`, 0, { email: 'ada@example.com' })),
        ),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await users.count()).toBe(1);
    });
  });

  describe('replace', () => {
    it('writes over the expected version only', async () => {
      const users = await collection();
      await users.put(doc('one', 3, { by: 'first' }));
      expect(await users.replace(doc('one', 9, { by: 'wrong' }), 2)).toBe(false);
      expect(await users.replace(doc('one', 4, { by: 'right' }), 3)).toBe(true);
      expect(await users.get('one')).toStrictEqual(doc('one', 4, { by: 'right' }));
    });

    it('makes no document', async () => {
      const users = await collection();
      expect(await users.replace(doc('one', 1), 0)).toBe(false);
      expect(await users.get('one')).toBeNull();
    });

    it('lets one of 32 have a version', async () => {
      const users = await collection();
      await users.put(doc('one', 0));
      const won = await Promise.all(
        Array.from({ length: WRITERS }, (_, index) => users.replace(doc('one', 1, { by: index }), 0)),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
      expect((await users.get('one'))?.body).toStrictEqual({ by: won.indexOf(true) });
    });

    it('throws DuplicateKey when another document holds a unique key', async () => {
      const users = await collection({ unique: { by_email: ['email'] } });
      await users.put(doc('one', 0, { email: 'ada@example.com' }));
      await users.put(doc('two', 0, { email: 'grace@example.com' }));
      const error = await rejection(users.replace(doc('two', 1, { email: 'ada@example.com' }), 0));
      expect(error).toBeInstanceOf(DuplicateKey);
      expect(await users.get('two')).toStrictEqual(doc('two', 0, { email: 'grace@example.com' }));
    });
  });

  describe('a unique key', () => {
    it('names its collection and index when it is violated', async () => {
      const name = uniqueName('contract');
      const users = await collection({ name, unique: { by_email: ['email'], by_phone: ['country', 'phone'] } });
      await users.put(doc('one', 0, { email: 'ada@example.com', country: 'gb', phone: '1' }));
      const email = { email: 'ada@example.com', country: 'gb', phone: '2' };
      const phone = { email: 'grace@example.com', country: 'gb', phone: '1' };
      expect(await rejection(users.put(doc('two', 0, email)))).toMatchObject({ collection: name, index: 'by_email' });
      expect(await rejection(users.put(doc('two', 0, phone)))).toMatchObject({ collection: name, index: 'by_phone' });
      expect(await users.count()).toBe(1);
    });

    it('lets a document keep its own', async () => {
      const users = await collection({ unique: { by_email: ['email'] } });
      await users.put(doc('one', 0, { email: 'ada@example.com' }));
      await users.put(doc('one', 1, { email: 'ada@example.com', changed: true }));
      expect(await users.count()).toBe(1);
    });

    it('is free again when its document is gone or has another', async () => {
      const users = await collection({ unique: { by_email: ['email'] } });
      await users.put(doc('one', 0, { email: 'ada@example.com' }));
      await users.put(doc('one', 1, { email: 'countess@example.com' }));
      expect(await users.insert(doc('two', 0, { email: 'ada@example.com' }))).toBe(true);
      await users.deleteUpTo('two', Infinity);
      expect(await users.insert(doc('three', 0, { email: 'ada@example.com' }))).toBe(true);
    });

    it('of several fields is taken only when all are', async () => {
      const users = await collection({ unique: { by_phone: ['country', 'phone'] } });
      expect(await users.insert(doc('one', 0, { country: 'gb', phone: '1' }))).toBe(true);
      expect(await users.insert(doc('two', 0, { country: 'pl', phone: '1' }))).toBe(true);
      expect(await users.insert(doc('three', 0, { country: 'pl', phone: '1' }))).toBe(false);
    });

    it('refuses one writer without harm to those beside it', async () => {
      const users = await collection({ unique: { by_email: ['email'] } });
      await users.put(doc('one', 0, { email: 'taken@example.com' }));
      const ends = await Promise.allSettled(
        ['a', 'taken', 'b', 'c'].map(name => users.put(doc(name, 0, { email: `${name}@example.com` }))),
      );
      expect(ends.map(end => end.status)).toStrictEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
      expect(await users.count()).toBe(4);
    });
  });

  describe('delete and count', () => {
    it('takes a document away, and does not mind one that is not there', async () => {
      const users = await collection();
      await users.put(doc('one', 0));
      await users.deleteUpTo('one', Infinity);
      await users.deleteUpTo('one', Infinity);
      expect(await users.get('one')).toBeNull();
      expect(await users.count()).toBe(0);
    });

    it('leaves a document alone that is newer than its removal', async () => {
      const users = await collection();
      await users.put(doc('one', 4, { kept: true }));
      await users.deleteUpTo('one', 3);
      expect(await users.get('one')).toStrictEqual(doc('one', 4, { kept: true }));
      await users.deleteUpTo('one', 4);
      await users.put(doc('one', 4));
      await users.deleteUpTo('one', 5);
      expect(await users.count()).toBe(0);
    });

    it('takes a document away at the version that is expected only', async () => {
      const users = await collection();
      await users.put(doc('one', 4, { kept: true }));
      expect(await users.deleteAt('one', 3)).toBe(false);
      expect(await users.deleteAt('one', 5)).toBe(false);
      expect(await users.deleteAt('two', 4)).toBe(false);
      expect(await users.get('one')).toStrictEqual(doc('one', 4, { kept: true }));
      expect(await users.deleteAt('one', 4)).toBe(true);
      expect(await users.deleteAt('one', 4)).toBe(false);
      expect(await users.count()).toBe(0);
    });

    it('lets a deleted id be written anew, at any version', async () => {
      const users = await collection();
      await users.put(doc('one', 9));
      await users.deleteUpTo('one', Infinity);
      expect(await users.putNewer(doc('one', 1, { again: true }))).toBe(true);
    });
  });

  describe('open', () => {
    it('opens a collection that is there with all that is in it', async () => {
      const name = uniqueName('contract');
      const first = await collection({ name });
      await first.put(doc('one', 1, { kept: true }));
      const second = await documents().open({ name, indexes: {} });
      expect(await second.get('one')).toStrictEqual(doc('one', 1, { kept: true }));
    });

    it('makes an index that a collection with documents lacks', async () => {
      const name = uniqueName('contract');
      const first = await collection({ name });
      await first.put(doc('one', 0, { rank: 2 }));
      await first.put(doc('two', 0, { rank: 1 }));
      const second = await documents().open({ name, indexes: { by_rank: ['rank'] } });
      const listed = await second.list({ index: 'by_rank', equals: {}, limit: 10 });
      expect(listed.map(({ id }) => id)).toStrictEqual(['two', 'one']);
    });

    it('has after closing and opening what it had before', async () => {
      const spec = { name: uniqueName('contract'), indexes: {}, unique: { by_email: ['email'] } };
      await (await collection(spec)).put(doc('one', 7, { email: 'ada@example.com' }));
      await reopen();
      const users = await documents().open(spec);
      expect(await users.get('one')).toStrictEqual(doc('one', 7, { email: 'ada@example.com' }));
      expect(await users.insert(doc('two', 0, { email: 'ada@example.com' }))).toBe(false);
    });
  });
}
