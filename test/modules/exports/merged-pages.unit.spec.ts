import type { Document } from '../../../src/kernel/ports/documents';
import { mergedPages } from '../../../src/modules/exports/merged-pages';

type Body = { readonly created: string };

const ended: string[] = [];
beforeEach(() => void (ended.length = 0));

/** A list of documents that are named by their creation. */
async function* list(name: string, ...created: readonly string[]): AsyncGenerator<Document<Body>> {
  try {
    for (const at of created) yield { id: `${name}${at}`, version: 0, body: { created: at } };
  } finally {
    ended.push(name);
  }
}

async function idsOf(...given: Parameters<typeof mergedPages<Body>>): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = [];
  for await (const page of mergedPages(...given)) pages.push(page.map(({ id }) => id));
  return pages;
}

it('merges lists newest first, and by the id where two are of one moment', async () => {
  const lists = [list('a', '5', '3', '1'), list('b', '5', '4'), list('c')];
  expect(await idsOf(lists, { ascending: false, rows: 2 })).toEqual([['b5', 'a5'], ['b4', 'a3'], ['a1']]);
});

it('merges lists oldest first', async () => {
  const lists = [list('a', '1', '3'), list('b', '2', '3')];
  expect(await idsOf(lists, { ascending: true, rows: 9 })).toEqual([['a1', 'b2', 'a3', 'b3']]);
});

it('is empty where all lists are, and where there is none', async () => {
  expect(await idsOf([list('a'), list('b')], { ascending: true, rows: 9 })).toEqual([]);
  expect(await idsOf([], { ascending: true, rows: 9 })).toEqual([]);
});

it('ends every list once nobody reads on', async () => {
  for await (const page of mergedPages([list('a', '2', '1'), list('b', '0')], { ascending: false, rows: 1 })) {
    expect(page).toHaveLength(1);
    break;
  }
  expect(ended.sort()).toEqual(['a', 'b']);
});

it('ends every list where one of them fails', async () => {
  async function* failing(): AsyncGenerator<Document<Body>> {
    yield { id: 'f', version: 0, body: { created: '9' } };
    throw new Error('away');
  }
  await expect(idsOf([list('a', '2', '1'), failing()], { ascending: false, rows: 9 })).rejects.toThrow('away');
  expect(ended).toEqual(['a']);
});
