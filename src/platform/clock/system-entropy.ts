import { randomBytes } from 'node:crypto';
import type { Entropy } from '../../kernel/entropy';
import { refuse } from '../../kernel/errors';

/** The operating system's generator. Throws Refusal rng_failure rather than mint anything from a degraded one. */
export class SystemEntropy implements Entropy {
  constructor(private readonly generate: (count: number) => Uint8Array = randomBytes) {}

  bytes(count: number): Uint8Array {
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
