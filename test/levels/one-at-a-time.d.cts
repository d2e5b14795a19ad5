/** The part of AsyncLocalStorage that jest uses. */
export class AsyncLocalStorage<Store> {
  getStore(): Store | undefined;
  run<Result>(store: Store, callback: () => Promise<Result>): Promise<Result>;
}
