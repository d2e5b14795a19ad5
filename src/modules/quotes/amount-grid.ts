import { createHash } from 'node:crypto';
import { refuse } from '../../vocabulary/errors';
import { ceilDiv, floorDiv, wholeUnit } from '../../vocabulary/money';
import type { Token } from '../../vocabulary/tokens';

/** The window above the price: 0.05% of it, at least 0.01 and at most 1 token. */
const WINDOW_BPS = 5n;
const BPS = 10_000n;
const MIN_WINDOW_PER_TOKEN = 100n;
/** Slots that a command tries to reserve for one price. */
const TRIES = 16;
/** Slots that are looked at for one price. Of a wider window, a part is looked at, which follows from the seed. */
export const LOOKED_AT_SLOTS = 65_536;
const SEED_BYTES_PER_TRY = 6;

/** The reservable amounts above a price: `count` neighbours on the token's grid, from index `first` on. */
export type GridWindow = { readonly first: bigint; readonly count: number };

/**
 * Slots for a price in base units. For every amount A of the window and the token's tolerance T, `A - T >= price`. The
 * difference `A - price` is less than 0.05% of the price; this limit is at least 0.01 token and at most 1 token. Throws
 * Refusal invalid_amount unless the price is positive.
 */
export function gridWindow(token: Token, priceBaseUnits: bigint): GridWindow {
  if (priceBaseUnits <= 0n) throw refuse('invalid_amount');
  const step = token.stepBaseUnits;
  const first = ceilDiv(priceBaseUnits + token.attributionToleranceBaseUnits, step);
  // The first amount lies less than step + T above the price. So the window has one slot less than would fit, and the
  // last slot stays inside.
  return { first, count: Number(floorDiv(windowBaseUnits(token, priceBaseUnits), step)) - 1 };
}

function windowBaseUnits(token: Token, priceBaseUnits: bigint): bigint {
  const largest = wholeUnit(token.decimals);
  const smallest = largest / MIN_WINDOW_PER_TOKEN;
  const share = (priceBaseUnits * WINDOW_BPS) / BPS;
  if (share < smallest) return smallest;
  return share > largest ? largest : share;
}

export function amountOfSlot(token: Token, slot: bigint): bigint {
  return slot * token.stepBaseUnits;
}

/** The one slot whose amount is within the attribution tolerance of the received amount; null when there is none. */
export function slotOfAmount(token: Token, receivedBaseUnits: bigint): bigint | null {
  const slot = floorDiv(receivedBaseUnits + token.stepBaseUnits / 2n, token.stepBaseUnits);
  const distance = receivedBaseUnits - amountOfSlot(token, slot);
  const magnitude = distance < 0n ? -distance : distance;
  return slot > 0n && magnitude <= token.attributionToleranceBaseUnits ? slot : null;
}

/**
 * The slots that a command tries while it does not know which are free, each once. The same seed gives the same order,
 * so a command that is run again meets its own reservation.
 */
export function seededSlots({ first, count }: GridWindow, seed: string): readonly bigint[] {
  const offsets = Array.from({ length: TRIES }, (_, attempt) => seededNumber(seed, `${attempt}`, count));
  return [...new Set(offsets)].map(offset => first + BigInt(offset));
}

/** The part of the window whose slots are looked at: all of it, unless it is wider than a look. */
export function lookedAtPart({ first, count }: GridWindow, seed: string): GridWindow {
  if (count <= LOOKED_AT_SLOTS) return { first, count };
  const offset = seededNumber(seed, 'part', count - LOOKED_AT_SLOTS + 1);
  return { first: first + BigInt(offset), count: LOOKED_AT_SLOTS };
}

/**
 * Up to 16 different numbers below `count`, in an order that follows from the seed: the ranks of the free slots that a
 * command tries. Each is as likely as any other.
 */
export function seededRanks(count: number, seed: string): readonly number[] {
  const chosen: number[] = [];
  // The last number takes the place of the chosen one, which is not chosen again.
  const moved = new Map<number, number>();
  for (let left = count; left > 0 && chosen.length < TRIES; left--) {
    const place = seededNumber(seed, `choice ${chosen.length}`, left);
    chosen.push(moved.get(place) ?? place);
    moved.set(place, moved.get(left - 1) ?? left - 1);
  }
  return chosen;
}

/** A number below `count`. 48 bits of SHA-256 modulo at most 10^6: the bias is below one in 10^8. */
function seededNumber(seed: string, purpose: string, count: number): number {
  const digest = createHash('sha256').update(`${seed}|${purpose}`).digest();
  return digest.readUIntBE(0, SEED_BYTES_PER_TRY) % count;
}
