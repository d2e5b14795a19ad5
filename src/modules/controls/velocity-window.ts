import type { JsonObject } from '../../vocabulary/json';
import type { VelocityLimit } from '../../vocabulary/payment-limits';

/** A window is counted in so many slices. A slice counts until all of it has left the window. */
const SLICES = 60;
/** The newest counts that are known by name. A repeated count of one of them is none. */
const NAMES_KEPT = 64;

/** Milliseconds from `from` to just before `to`. */
type Slice = { readonly from: number; readonly to: number; readonly count: number; readonly amount: string };

/**
 * The payments of one subject within its window: their number and their sum, slice by slice, whatever the number. So a
 * document has a few kilobytes at most. Every span of the window's length has at most the limit; a payment may be
 * refused one sixtieth of the window too early.
 */
export type Counts = JsonObject & { readonly slices: readonly Slice[]; readonly names: readonly string[] };

export const NOTHING_COUNTED: Counts = { slices: [], names: [] };

/** One payment to count. `name` is the same wherever the same payment comes again. */
export type Counted = {
  readonly name: string;
  readonly amountUsdMinorUnits: bigint;
  readonly nowMs: number;
  /** A further part of a payment that counts already: its amount alone is added. */
  readonly isFurther?: boolean;
};

type Sum = { readonly count: number; readonly amount: bigint };

/** The counts as of the moment: slices that have left the window are gone. */
export function countsAt({ slices, names }: Counts, { windowMs }: VelocityLimit, nowMs: number): Counts {
  return { slices: slices.filter(({ to }) => to > nowMs - windowMs), names };
}

export function isCounted({ names }: Counts, { name }: Counted): boolean {
  return names.includes(name);
}

/** Whether the limit has room for the payment, beside those that are counted. */
export function hasRoom({ slices }: Counts, limit: VelocityLimit, counted: Counted): boolean {
  return fits(sumOf(slices), limit, counted);
}

/** Whether the payments that are counted are more than the limit. */
export function isExceeded({ slices }: Counts, { maxCount, maxAmountUsdMinorUnits }: VelocityLimit): boolean {
  const { count, amount } = sumOf(slices);
  return count > maxCount || amount > maxAmountUsdMinorUnits;
}

/** Milliseconds until there is room; null where there is none in an empty window either. */
export function roomInMs({ slices }: Counts, limit: VelocityLimit, counted: Counted): number | null {
  const oldestFirst = [...slices].sort((one, other) => one.to - other.to);
  for (const [index, { to }] of oldestFirst.entries())
    if (fits(sumOf(oldestFirst.slice(index + 1)), limit, counted)) return to + limit.windowMs - counted.nowMs;
  return null;
}

export function withCount({ slices, names }: Counts, limit: VelocityLimit, counted: Counted): Counts {
  const { from, to } = sliceAt(limit, counted.nowMs);
  const isOwn = (slice: Slice) => slice.from === from && slice.to === to;
  const { count, amount } = sumOf(slices.filter(isOwn));
  const more = counted.isFurther ? 0 : 1;
  const own = { from, to, count: count + more, amount: (amount + counted.amountUsdMinorUnits).toString() };
  return { slices: [...slices.filter(each => !isOwn(each)), own], names: [...names, counted.name].slice(-NAMES_KEPT) };
}

/** The counts as before the payment; a payment that is not known by name stays counted. */
export function withoutCount({ slices, names }: Counts, limit: VelocityLimit, counted: Counted): Counts {
  const { from, to } = sliceAt(limit, counted.nowMs);
  const less = slices.map(slice =>
    slice.from === from && slice.to === to
      ? { ...slice, count: slice.count - 1, amount: (BigInt(slice.amount) - counted.amountUsdMinorUnits).toString() }
      : slice,
  );
  return { slices: less.filter(({ count }) => count > 0), names: names.filter(name => name !== counted.name) };
}

/** The moment at which the newest slice has left the window. */
export function endOf({ slices }: Counts, { windowMs }: VelocityLimit): number {
  return Math.max(0, ...slices.map(({ to }) => to)) + windowMs;
}

function sliceAt({ windowMs }: VelocityLimit, nowMs: number): Pick<Slice, 'from' | 'to'> {
  const width = Math.ceil(windowMs / SLICES);
  const from = Math.floor(nowMs / width) * width;
  return { from, to: from + width };
}

function sumOf(slices: readonly Slice[]): Sum {
  return {
    count: slices.reduce((sum, { count }) => sum + count, 0),
    amount: slices.reduce((sum, { amount }) => sum + BigInt(amount), 0n),
  };
}

function fits({ count, amount }: Sum, limit: VelocityLimit, counted: Counted): boolean {
  return count < limit.maxCount && amount + counted.amountUsdMinorUnits <= limit.maxAmountUsdMinorUnits;
}
