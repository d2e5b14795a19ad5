import fc from 'fast-check';
import { MOST_PIECE_BYTES, parseLists, PieceTooLarge } from '../../../src/platform/chains/json-lists';

async function* cut(text: string, lengths: readonly number[]): AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let start = 0, turn = 0; start < bytes.length; turn++) {
    const length = lengths[turn % lengths.length] ?? bytes.length;
    yield bytes.subarray(start, start + length);
    start += length;
  }
}

/** The answer with its receipts put together again from the parts that were handed out. */
async function readBack(text: string, lengths: readonly number[]): Promise<unknown> {
  const receipts: unknown[] = [];
  let logs: unknown[] = [];
  const answer = await parseLists(cut(text, lengths), [
    {
      path: 'result',
      take: elements => {
        receipts.push(...elements.map(element => ({ ...(element as object), logs })));
        logs = [];
      },
    },
    { path: 'result.[].logs', take: elements => logs.push(...elements) },
  ]);
  expect(answer).toMatchObject({ result: [] });
  return { ...(answer as object), result: receipts };
}

test('what is handed out and what is left are the whole answer, however it is cut', async () => {
  const key = fc
    .oneof(fc.constantFrom('logs', 'result', '', '"', '\\', '[]', 'ü'), fc.string())
    .filter(text => text !== '__proto__');
  const other = fc.dictionary(key, fc.jsonValue({ depthSize: 'small' }), { maxKeys: 3, noNullPrototype: true });
  const receipt = fc
    .tuple(other, fc.array(fc.jsonValue()), other)
    .map(([before, logs, after]) => ({ ...before, logs, deep: after }));
  const answer = fc.tuple(other, fc.array(receipt)).map(([before, result]) => ({ before, result }));
  const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(answer, lengths, fc.constantFrom(0, 2), async (given, cuts, indent) => {
      const text = JSON.stringify(given, null, indent);
      expect(await readBack(text, cuts)).toEqual(JSON.parse(text));
    }),
    { numRuns: 200 },
  );
});

test('elements come in batches that together are all of them, in their order', async () => {
  const all = Array.from({ length: 20_000 }, (_, index) => ({ index, text: '],[{"\\' }));
  const sizes: number[] = [];
  const found: unknown[] = [];
  const take = (elements: readonly unknown[]): void => {
    sizes.push(elements.length);
    found.push(...elements);
  };
  expect(await parseLists(cut(JSON.stringify(all), [65_536]), [{ path: '', take }])).toEqual([]);
  expect(found).toEqual(all);
  expect(Math.max(...sizes)).toBeLessThan(5_000);
});

test('a list elsewhere is left where it is', async () => {
  const take = jest.fn();
  const answer = { logs: [1], result: { other: { logs: [2] }, logs: null }, 'result.logs': [3] };
  expect(await parseLists(cut(JSON.stringify(answer), [3]), [{ path: 'result.logs', take }])).toEqual(answer);
  expect(take).not.toHaveBeenCalled();
});

test.each([
  ['ends within a list', '{"result":[{"a":1},{"a"'],
  ['ends within a string', '{"result":["a'],
  ['has a bracket of the wrong kind', '{"result":[{"a":1]}]}'],
  ['closes more than it opens', '{"result":[]}}'],
  ['has something else after it', '{"result":[]} x'],
  ['holds no JSON in a list', '{"result":[nothing]}'],
  ['is empty', ''],
  ['is no JSON', '<html>'],
  ['is deeper than anything', '['.repeat(1_000)],
])('a text that %s is a SyntaxError', async (_name, text) => {
  await expect(parseLists(cut(text, [4]), [{ path: 'result', take: () => undefined }])).rejects.toBeInstanceOf(
    SyntaxError,
  );
});

test('what belongs together is kept only up to a bound', async () => {
  const long = `{"result":["${'x'.repeat(MOST_PIECE_BYTES)}`;
  await expect(parseLists(cut(long, [1_048_576]), [{ path: 'result', take: () => undefined }])).rejects.toBeInstanceOf(
    PieceTooLarge,
  );
});
