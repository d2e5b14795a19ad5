/**
 * Does `work` for each, in their order, `limit` of them at once. After a failure no further work begins, and the
 * failure is thrown once all running work has ended.
 */
export async function eachAtOnce<T>(all: Iterable<T>, limit: number, work: (one: T) => Promise<void>): Promise<void> {
  const waiting = all[Symbol.iterator]();
  const faults: unknown[] = [];
  const workOff = async (): Promise<void> => {
    for (let next = waiting.next(); !next.done && faults.length === 0; next = waiting.next())
      await work(next.value).catch((error: unknown) => faults.push(error));
  };
  await Promise.all(Array.from({ length: limit }, workOff));
  if (faults.length > 0) throw faults[0];
}
