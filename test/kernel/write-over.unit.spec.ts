import type { Collection, Document } from '../../src/kernel/ports/documents';
import { guardedTries } from '../../src/kernel/write-over';
import { MemoryDocuments } from '../support/memory-documents';

type Count = { readonly count: number };

const TRIES = 3;

describe('guarded tries', () => {
  let counts: Collection<Count>;

  beforeEach(async () => {
    counts = await new MemoryDocuments().open<Count>({ name: 'counts', indexes: {} });
  });

  /** Adds one, with `rival` between the read and the write of each try. Answers the tries' standing counts. */
  async function add(
    rival: (attempt: number) => Promise<unknown> | undefined,
    known?: Document<Count> | null,
  ): Promise<(number | null)[]> {
    const seen: (number | null)[] = [];
    for await (const { standing, write } of guardedTries(counts, 'one', TRIES, known)) {
      seen.push(standing?.count ?? null);
      await rival(seen.length);
      if (await write({ count: (standing?.count ?? 0) + 1 })) break;
    }
    return seen;
  }

  const write = (version: number, count: number) => counts.put({ id: 'one', version, body: { count } });

  it('writes where no document stands, and over the one that stands', async () => {
    expect(await add(() => undefined)).toStrictEqual([null]);
    expect(await counts.get('one')).toStrictEqual({ id: 'one', version: 1, body: { count: 1 } });
    expect(await add(() => undefined)).toStrictEqual([1]);
    expect(await counts.get('one')).toStrictEqual({ id: 'one', version: 2, body: { count: 2 } });
  });

  it('reads the document anew where another writer was faster', async () => {
    expect(await add(attempt => (attempt === 1 ? write(1, 10) : undefined))).toStrictEqual([null, 10]);
    expect(await counts.get('one')).toStrictEqual({ id: 'one', version: 2, body: { count: 11 } });
  });

  it('ends after its tries, and leaves what the others wrote', async () => {
    expect(await add(attempt => write(attempt, 10 * attempt))).toStrictEqual([null, 10, 20]);
    expect(await counts.get('one')).toStrictEqual({ id: 'one', version: 3, body: { count: 30 } });
  });

  it('start from the document that is known, and read it where another writer was faster since', async () => {
    expect(await add(() => undefined, null)).toStrictEqual([null]);
    const known = await counts.get('one');
    expect(await add(() => undefined, known)).toStrictEqual([1]);
    expect(await add(() => undefined, known)).toStrictEqual([1, 2]);
    expect(await add(() => undefined, null)).toStrictEqual([null, 3]);
    expect(await counts.get('one')).toStrictEqual({ id: 'one', version: 4, body: { count: 4 } });
  });
});
