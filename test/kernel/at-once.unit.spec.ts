import { eachAtOnce } from '../../src/kernel/at-once';

/** Ends each piece of work when told. */
function stage() {
  const begun: number[] = [];
  const ends = new Map<number, (fault?: Error) => void>();
  const work = (one: number) =>
    new Promise<void>((resolve, reject) => {
      begun.push(one);
      ends.set(one, fault => (fault ? reject(fault) : resolve()));
    });
  const end = async (one: number, fault?: Error) => {
    ends.get(one)?.(fault);
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  return { begun, work, end };
}

it('begins each in its order, so many at once', async () => {
  const { begun, work, end } = stage();
  const all = eachAtOnce([1, 2, 3, 4], 2, work);
  expect(begun).toStrictEqual([1, 2]);
  await end(2);
  expect(begun).toStrictEqual([1, 2, 3]);
  await end(1);
  expect(begun).toStrictEqual([1, 2, 3, 4]);
  await end(4);
  await end(3);
  await expect(all).resolves.toBeUndefined();
});

it('begins none after a failure, and throws it once those under way have ended', async () => {
  const { begun, work, end } = stage();
  let isOver = false;
  const all = eachAtOnce([1, 2, 3], 2, work).finally(() => (isOver = true));
  const outcome = all.catch((error: unknown) => error);
  await end(1, new Error('on purpose'));
  expect([begun, isOver]).toStrictEqual([[1, 2], false]);
  await end(2);
  expect(await outcome).toStrictEqual(new Error('on purpose'));
  expect(begun).toStrictEqual([1, 2]);
});
