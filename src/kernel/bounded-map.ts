import { invariant } from './invariant';

/** The most that all values may weigh together, and the weight of each, which stays the same while it is held. */
type Weighing<Value> = { readonly limit: number; readonly of: (value: Value) => number };

/**
 * A map that holds as much as its limits allow. Beyond a limit, the entry goes that was set longest ago. Setting a key
 * anew makes its entry the newest; reading changes no order. An entry that is too heavy alone is not held at all.
 */
export class BoundedMap<Key, Value> {
  private readonly entries = new Map<Key, Value>();
  private weight = 0;

  constructor(
    private readonly limit: number,
    private readonly weighing: Weighing<Value> | null = null,
  ) {
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
    this.delete(key);
    this.entries.set(key, value);
    this.weight += this.weighing?.of(value) ?? 0;
    for (const oldest of this.entries.keys()) {
      if (!this.isOver()) break;
      this.delete(oldest);
    }
  }

  /** False where there was no such entry. */
  delete(key: Key): boolean {
    const value = this.entries.get(key);
    if (!this.entries.delete(key)) return false;
    this.weight -= this.weighing?.of(value as Value) ?? 0;
    return true;
  }

  clear(): void {
    this.entries.clear();
    this.weight = 0;
  }

  /** The oldest entry first. */
  [Symbol.iterator](): IterableIterator<[Key, Value]> {
    return this.entries[Symbol.iterator]();
  }

  private isOver(): boolean {
    return this.entries.size > this.limit || (this.weighing !== null && this.weight > this.weighing.limit);
  }
}
