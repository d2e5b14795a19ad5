import { DuplicateKey } from '../../src/kernel/ports/documents';
import { rejection, uniqueName } from './contract-support';
import { doc, type DocumentsUnderTest } from './documents.contract';

export function switchCases({ documents, collection, reopen }: DocumentsUnderTest): void {
  const indexes = { by_rank: ['rank', 'id'] };
  const unique = { by_email: ['email'] };

  it('puts the new collection in the place of the live one', async () => {
    const [live, building] = [uniqueName('live'), uniqueName('building')];
    const reader = await collection({ name: live, indexes });
    await reader.put(doc('old', 9, { rank: 1 }));
    await (await collection({ name: building, indexes })).put(doc('new', 1, { rank: 2 }));
    await documents().switch(building, live);
    expect(await reader.get('old')).toBeNull();
    expect(await reader.get('new')).toStrictEqual(doc('new', 1, { rank: 2 }));
    expect(await reader.list({ index: 'by_rank', equals: {}, limit: 10 })).toHaveLength(1);
  });

  it('leaves nothing under the name of the one that was building', async () => {
    const [live, building] = [uniqueName('live'), uniqueName('building')];
    await collection({ name: live, indexes });
    await (await collection({ name: building, indexes })).put(doc('new', 1));
    await documents().switch(building, live);
    expect(await (await collection({ name: building, indexes })).count()).toBe(0);
  });

  it('works where there is no live one yet', async () => {
    const [live, building] = [uniqueName('live'), uniqueName('building')];
    await (await collection({ name: building, indexes })).put(doc('new', 1));
    await documents().switch(building, live);
    expect(await (await collection({ name: live, indexes })).get('new')).toStrictEqual(doc('new', 1));
  });

  it('brings its indexes and unique keys along', async () => {
    const [live, building] = [uniqueName('live'), uniqueName('building')];
    await collection({ name: live });
    await (
      await collection({ name: building, indexes, unique })
    ).put(doc('new', 1, { email: 'ada@example.com', rank: 1 }));
    await documents().switch(building, live);
    const switched = await collection({ name: live, indexes, unique });
    const error = await rejection(switched.put(doc('other', 1, { email: 'ada@example.com' })));
    expect(error).toBeInstanceOf(DuplicateKey);
    expect(error).toMatchObject({ collection: live, index: 'by_email' });
    expect(await switched.list({ index: 'by_rank', equals: { rank: 1 }, limit: 10 })).toHaveLength(1);
  });

  it('can be done again and again', async () => {
    const live = uniqueName('live');
    const reader = await collection({ name: live, indexes, unique });
    for (let round = 1; round <= 5; round++) {
      const building = uniqueName('building');
      const next = await collection({ name: building, indexes, unique });
      await next.put(doc('one', round, { round, email: 'ada@example.com', rank: round }));
      await documents().switch(building, live);
      expect(await reader.get('one')).toMatchObject({ version: round });
      expect(await reader.list({ index: 'by_rank', equals: { rank: round }, limit: 10 })).toHaveLength(1);
    }
  });

  it('shows readers the one or the other, whole', async () => {
    const [live, building] = [uniqueName('live'), uniqueName('building')];
    const count = 300;
    const fill = (kind: string) =>
      Array.from({ length: count }, (_, index) => doc(`id-${index}`, 1, { kind, rank: index }));
    const reader = await collection({ name: live, indexes });
    await reader.putAllNewer(fill('old'));
    await (await collection({ name: building, indexes })).putAllNewer(fill('new'));
    let switched = false;
    const switching = documents()
      .switch(building, live)
      .then(() => (switched = true));
    const kinds: string[] = [];
    while (!switched) {
      const page = await reader.list({ index: 'by_rank', equals: {}, limit: 1_000 });
      const [kind, ...others] = new Set(page.map(({ body }) => body.kind as string));
      expect(others).toStrictEqual([]);
      expect(page).toHaveLength(count);
      kinds.push(kind as string);
      await new Promise(resolve => setImmediate(resolve));
    }
    await switching;
    expect(kinds).toStrictEqual([...kinds].sort().reverse());
    expect((await reader.get('id-7'))?.body.kind).toBe('new');
  });

  it('takes writes before and after', async () => {
    const [live, building] = [uniqueName('live'), uniqueName('building')];
    const writer = await collection({ name: live, indexes });
    await collection({ name: building, indexes });
    await documents().switch(building, live);
    expect(await writer.putNewer(doc('one', 1, { rank: 1 }))).toBe(true);
    await reopen();
    const reader = await documents().open({ name: live, indexes });
    expect(await reader.get('one')).toStrictEqual(doc('one', 1, { rank: 1 }));
  });

  it('refuses what is not there, and leaves the live one as it was', async () => {
    const live = uniqueName('live');
    const reader = await collection({ name: live });
    await reader.put(doc('one', 1));
    await rejection(documents().switch(uniqueName('building'), live));
    expect(await reader.get('one')).toStrictEqual(doc('one', 1));
  });

  it('drops a collection with all that is in it', async () => {
    const name = uniqueName('contract');
    await (await collection({ name, indexes, unique })).put(doc('one', 1, { email: 'ada@example.com' }));
    await documents().drop(name);
    const anew = await collection({ name, indexes, unique });
    expect(await anew.count()).toBe(0);
    expect(await anew.insert(doc('two', 1, { email: 'ada@example.com' }))).toBe(true);
  });

  it('does not mind dropping what is not there', async () => {
    const kept = await collection();
    await kept.put(doc('one', 1));
    await documents().drop(uniqueName('contract'));
    expect(await kept.count()).toBe(1);
  });

  it.each(['', '1st', 'a"b', "a'b", 'a b', 'a;b', '$a', 'a\0b', 'x'.repeat(200)])(
    'refuses the collection name %j',
    async name => {
      expect(await rejection(documents().open({ name, indexes: {} }))).toBeInstanceOf(RangeError);
    },
  );

  it.each([[{ 'by"x': ['x'] }], [{ by_x: ["x') --"] }], [{ by_x: ['a.b'] }], [{ by_x: [] }], [{ By: ['x'] }]])(
    'refuses the indexes %j',
    async wrong => {
      const name = uniqueName('contract');
      expect(await rejection(documents().open({ name, indexes: wrong as Record<string, string[]> }))).toBeInstanceOf(
        RangeError,
      );
    },
  );
}
