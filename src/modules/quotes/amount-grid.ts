import { createHash } from 'node:crypto';
import { refuse } from '../../vocabulary/errors';
import { ceilDiv, floorDiv, wholeUnit } from '../../vocabulary/money';
import type { Token } from '../../vocabulary/tokens';

/** The window above the price: 0.05% of it, at least 0.01 and at most 1 token. */
const WINDOW_BPS = 5n;
const BPS = 10_000n;
const MIN_WINDOW_PER_TOKEN = 100n;
const RANDOM_TRIES = 16;
/**
 * Slots that are tried for one price. No token's smallest window has more of them, so that window is tried whole. A
 * wider window counts as full after so many taken slots.
 */
const MAX_TRIES = 10_000;
const SEED_BYTES_PER_TRY = 6;

/** The reservable amounts above a price: `count` neighbours on the token's grid, from index `first` on. */
type GridWindow = { readonly first: bigint; readonly count: number };

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
 * The slots to try for a price, in order and each once. The first 16 follow from `seed`. The others follow from the
 * last of these through the window, back to their start. The same seed gives the same order, so a command that is run
 * again meets its own reservation.
 */
export function* slotTries(token: Token, priceBaseUnits: bigint, seed: string): Iterable<bigint> {
  const { first, count } = gridWindow(token, priceBaseUnits);
  const tried = new Set<number>();
  let offset = 0;
  for (let attempt = 0; attempt < RANDOM_TRIES; attempt++) {
    offset = seededOffset(seed, attempt, count);
    if (tried.has(offset)) continue;
    tried.add(offset);
    yield first + BigInt(offset);
  }
  let yielded = tried.size;
  for (let distance = 1; distance < count && yielded < MAX_TRIES; distance++) {
    const next = (offset + distance) % count;
    if (tried.has(next)) continue;
    yielded++;
    yield first + BigInt(next);
  }
}

/** 48 bits of SHA-256 modulo at most 10^6: the bias is below one in 10^8. */
function seededOffset(seed: string, attempt: number, count: number): number {
  const digest = createHash('sha256').update(`${seed}|${attempt}`).digest();
  return digest.readUIntBE(0, SEED_BYTES_PER_TRY) % count;
}
