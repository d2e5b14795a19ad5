import type { ReadModel } from '../../kernel/ports/read-models';

/** The slots of one stretch: their bits are half a kilobyte. */
export const SLOTS_PER_STRETCH = 4_096;
export const BITS_PER_BYTE = 8;
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

function bitOf(slot: bigint): { readonly byte: number; readonly mask: number } {
  const place = Number(slot % BigInt(SLOTS_PER_STRETCH));
  return { byte: Math.floor(place / BITS_PER_BYTE), mask: 1 << (place % BITS_PER_BYTE) };
}
