import { invariant } from './invariant';

/**
 * Remembers as much as its limit allows. Beyond that, the entry goes that was set longest ago: setting a key anew makes
 * it the newest one, and reading changes no order.
 */
export class BoundedMap<Key, Value> {
  private readonly entries = new Map<Key, Value>();

  constructor(private readonly limit: number) {
    invariant(limit >= 1, 'a bounded map holds one entry at least');
  }

  get size(): number {
    return this.entries.size;
  }

  get(key: Key): Value | undefined {
    return this.entries.get(key);
  }

  has(key: Key): boolean {
    return this.entries.has(key);
  }

  set(key: Key, value: Value): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    const oldest = this.entries.keys().next();
    if (this.entries.size > this.limit && oldest.done !== true) this.entries.delete(oldest.value);
  }

  /** False where there was no such entry. */
  delete(key: Key): boolean {
    return this.entries.delete(key);
  }

  clear(): void {
    this.entries.clear();
  }

  /** The oldest entry first. */
  [Symbol.iterator](): IterableIterator<[Key, Value]> {
    return this.entries[Symbol.iterator]();
  }
}
