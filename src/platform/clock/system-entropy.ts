import { randomBytes } from 'node:crypto';
import type { Entropy } from '../../kernel/entropy';
import { refuse } from '../../vocabulary/errors';

/** A few bytes from the operating system take as long as these, and every request needs a few dozen. */
const POOL_BYTES = 4_096;

/** The operating system's generator. Throws Refusal rng_failure rather than mint anything from a degraded one. */
export class SystemEntropy implements Entropy {
  private pool: Uint8Array = new Uint8Array();
  private used = 0;

  constructor(private readonly generate: (count: number) => Uint8Array = randomBytes) {}

  bytes(count: number): Uint8Array {
    if (count > POOL_BYTES) return this.generated(count);
    if (this.used + count > this.pool.length) {
      this.pool = this.generated(POOL_BYTES);
      this.used = 0;
    }
    const bytes = new Uint8Array(this.pool.subarray(this.used, this.used + count));
    // Keys are made of these bytes, so no copy stays in the pool.
    this.pool.fill(0, this.used, this.used + count);
    this.used += count;
    return bytes;
  }

  private generated(count: number): Uint8Array {
    let bytes: Uint8Array;
    try {
      bytes = this.generate(count);
    } catch (cause) {
      throw refuse('rng_failure', { cause });
    }
    if (bytes.length !== count) throw refuse('rng_failure');
    return bytes;
  }
}
