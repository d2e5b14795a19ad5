/** xorshift32: small, fast, and the same everywhere. All chance in a simulation comes from one of these. */
export class Prng {
  private state: number;

  constructor(seed: number) {
    // Neighbouring seeds must not begin alike, and zero would never leave zero.
    this.state = (Math.imul(seed + 1, 0x9e3779b1) ^ 0x5bd1e995) | 0 || 1;
    for (let round = 0; round < 8; round++) this.next();
  }

  next(): number {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return this.state >>> 0;
  }

  /** A whole number from 0 to below `end`. */
  below(end: number): number {
    return this.next() % end;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }
}
