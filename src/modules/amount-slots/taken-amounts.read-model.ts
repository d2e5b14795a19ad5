import type { ReadModel } from '../../kernel/ports/read-models';

/** The slots of one stretch: their bits are half a kilobyte. */
const SLOTS_PER_STRETCH = 4_096;
const BITS_PER_BYTE = 8;
/** 2^256 has 78 digits. */
const KEY_DIGITS = 78;

export type TakenAmountsDocument = {
  readonly mode: string;
  /** The grid of one token on one address: a slot's id without its number. */
  readonly grid: string;
  readonly stretch: string;
  /** One bit for each slot of the stretch, set while the slot is reserved; base64. */
  readonly taken: string;
};

/** The slots that are reserved, by stretches of neighbours: one question finds the free amounts above a price. */
export const takenAmountsReadModel: ReadModel<TakenAmountsDocument> = {
  name: 'taken_amounts',
  version: 1,
  indexes: { by_stretch: ['mode', 'grid', 'stretch', 'id'] },
};

/** Stretches that `slots` neighbours touch at most. */
export function stretchesOf(slots: number): number {
  return Math.ceil(slots / SLOTS_PER_STRETCH) + 1;
}

/** The stretch of a slot, as a text that sorts by value. */
export function stretchKey(slot: bigint): string {
  return String(slot / BigInt(SLOTS_PER_STRETCH)).padStart(KEY_DIGITS, '0');
}

/** The bits of a stretch with the slot's own bit changed; null stands for a stretch of which nothing is taken. */
export function withSlot(taken: string | null, slot: bigint, isTaken: boolean): string {
  const bits = taken === null ? Buffer.alloc(SLOTS_PER_STRETCH / BITS_PER_BYTE) : Buffer.from(taken, 'base64');
  const { byte, mask } = bitOf(slot);
  const others = (bits[byte] ?? 0) & ~mask;
  bits[byte] = isTaken ? others | mask : others;
  return bits.toString('base64');
}

/** The offsets, from `first` on, of the slots that no document says to be taken; ascending. */
export function freeOffsets(
  documents: readonly Pick<TakenAmountsDocument, 'stretch' | 'taken'>[],
  { first, count }: { readonly first: bigint; readonly count: number },
): readonly number[] {
  const known = new Map(documents.map(({ stretch, taken }) => [stretch, Buffer.from(taken, 'base64')]));
  const free: number[] = [];
  for (let offset = 0; offset < count;) {
    const start = first + BigInt(offset);
    const bits = known.get(stretchKey(start));
    const inStretch = Number(start % BigInt(SLOTS_PER_STRETCH));
    const end = Math.min(count, offset + SLOTS_PER_STRETCH - inStretch);
    for (let place = inStretch; offset < end; offset++, place++) {
      if (bits === undefined || !isSet(bits, place)) free.push(offset);
    }
  }
  return free;
}

function bitOf(slot: bigint): { readonly byte: number; readonly mask: number } {
  const place = Number(slot % BigInt(SLOTS_PER_STRETCH));
  return { byte: Math.floor(place / BITS_PER_BYTE), mask: 1 << (place % BITS_PER_BYTE) };
}

function isSet(bits: Buffer, place: number): boolean {
  return ((bits[Math.floor(place / BITS_PER_BYTE)] ?? 0) & (1 << (place % BITS_PER_BYTE))) !== 0;
}
