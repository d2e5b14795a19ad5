import { MINUTE_MS, parseIsoTime, startOfDay, utcDay } from '../../kernel/clock';
import type { ReadModel } from '../../kernel/ports/read-models';

/** Midnights of all time zones lie on quarters of UTC's hours, so quarters make up a day of any zone. */
export const QUARTER_MS = 15 * MINUTE_MS;

/** The payments that were paid in one currency, and their sum in minor units. */
type Taken = { readonly payments: number; readonly minor_units: string };

export type TakingsDocument = {
  readonly merchant_id: string;
  readonly mode: string;
  /** A day of UTC, such as `2026-11-26`. */
  readonly day: string;
  /** The day's quarters of an hour by their number, each with the takings by currency. */
  readonly quarters: Readonly<Record<string, Readonly<Record<string, Taken>>>>;
  /** The transfers that counted for a settled payment and were lost on the chain on this day. */
  readonly lost: { readonly transfers: number; readonly payments: readonly string[] };
};

/** One document for each merchant, mode and day of UTC. */
export const takingsReadModel: ReadModel<TakingsDocument> = {
  name: 'takings',
  version: 1,
  indexes: { by_day: ['merchant_id', 'mode', 'day', 'id'] },
};

/** The day of UTC that a moment lies in, and the quarter of an hour of that day. */
export function quarterOf(at: string): { readonly day: string; readonly quarter: number } {
  const day = utcDay(at);
  return { day, quarter: Math.floor((parseIsoTime(at) - startOfDay(day)) / QUARTER_MS) };
}
