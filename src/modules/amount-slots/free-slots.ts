import { InvariantViolation } from '../../kernel/invariant';
import { BITS_PER_BYTE, SLOTS_PER_STRETCH, type TakenAmountsDocument } from './taken-amounts.read-model';

const BYTES_PER_STRETCH = SLOTS_PER_STRETCH / BITS_PER_BYTE;
/** The free slots of a byte, by its value. */
const FREE_OF_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => BITS_PER_BYTE - bitsSet(byte));

/** The slots of a window that no document says to be taken, in their order: counted and found by whole bytes. */
export class FreeSlots {
  readonly count: number;
  /** A set bit is a slot that is taken, or lies beside the window. */
  private readonly taken: Buffer;

  constructor(
    documents: readonly Pick<TakenAmountsDocument, 'stretch' | 'taken'>[],
    private readonly window: { readonly first: bigint; readonly count: number },
  ) {
    const start = this.startBit();
    const end = start + window.count;
    this.taken = Buffer.alloc(Math.ceil(end / SLOTS_PER_STRETCH) * BYTES_PER_STRETCH);
    const firstStretch = window.first / BigInt(SLOTS_PER_STRETCH);
    for (const { stretch, taken } of documents) {
      const place = Number(BigInt(stretch) - firstStretch);
      Buffer.from(taken, 'base64').copy(this.taken, place * BYTES_PER_STRETCH);
    }
    this.take(0, start);
    this.take(end, this.taken.length * BITS_PER_BYTE);
    this.count = this.taken.reduce((sum, byte) => sum + freeOf(byte), 0);
  }

  /** The free slot that so many free ones precede. */
  at(rank: number): bigint {
    let left = rank;
    for (const [index, byte] of this.taken.entries()) {
      if (left < freeOf(byte)) return this.slotOf(index * BITS_PER_BYTE + bitOfFree(byte, left));
      left -= freeOf(byte);
    }
    throw new InvariantViolation(`there is no free slot behind ${rank} others`);
  }

  private take(from: number, to: number): void {
    for (let bit = from; bit < to; bit++) {
      const byte = Math.floor(bit / BITS_PER_BYTE);
      this.taken[byte] = (this.taken[byte] ?? 0) | (1 << (bit % BITS_PER_BYTE));
    }
  }

  private slotOf(bit: number): bigint {
    return this.window.first + BigInt(bit - this.startBit());
  }

  private startBit(): number {
    return Number(this.window.first % BigInt(SLOTS_PER_STRETCH));
  }
}

function freeOf(byte: number): number {
  return FREE_OF_BYTE[byte] ?? 0;
}

/** The place of the byte's free bit that so many free ones precede. */
function bitOfFree(byte: number, rank: number): number {
  let left = rank;
  for (let bit = 0; ; bit++) {
    if ((byte & (1 << bit)) !== 0) continue;
    if (left === 0) return bit;
    left -= 1;
  }
}

function bitsSet(byte: number): number {
  let count = 0;
  for (let bit = 0; bit < BITS_PER_BYTE; bit++) count += (byte >> bit) & 1;
  return count;
}
