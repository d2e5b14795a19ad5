import { executionAsyncId } from 'node:async_hooks';
import { AsyncLocalStorage as OneAtATime } from './one-at-a-time.cjs';

type Store = { readonly test?: { readonly name: string }; readonly hook?: string };

const [first, second] = [{ test: { name: 'first' } }, { test: { name: 'second' } }];

it('calls nothing for a promise of a test', async () => {
  await Promise.resolve();
  // Where functions are called for promises, each continuation of one has a number of its own.
  expect(executionAsyncId()).toBe(0);
});

it('tells the running test, and its hooks within it', async () => {
  const storage = new OneAtATime<Store>();
  const seen = await storage.run(first, async () => {
    const hook = await storage.run({ ...first, hook: 'before' }, () => Promise.resolve(storage.getStore()));
    return [hook, storage.getStore()];
  });
  expect(seen).toEqual([{ ...first, hook: 'before' }, first]);
  expect(storage.getStore()).toBeUndefined();
});

it('tells no test once a test has failed', async () => {
  const storage = new OneAtATime<Store>();
  await expect(storage.run(first, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await storage.run(second, () => Promise.resolve(storage.getStore()))).toBe(second);
});

it('refuses tests that run at the same time', async () => {
  const storage = new OneAtATime<Store>();
  let end = () => undefined as void;
  const running = storage.run(first, () => new Promise<void>(resolve => (end = resolve)));
  expect(() => storage.run(second, () => Promise.resolve())).toThrow('tests run one after another');
  end();
  await running;
});
