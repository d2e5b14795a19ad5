import { DAY_MS, isoTime, startOfDay, utcDay } from '../../kernel/clock';
import { refuse } from '../../vocabulary/errors';

const DAY_PATTERN = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const MONTH_PATTERN = /^\d{4}-(?:0[1-9]|1[0-2])$/;
/** More days than any month has, counted from its first one, and fewer than two months have. */
const BEYOND_MONTH_MS = 32 * DAY_MS;

/** The UTC day of a moment, such as `2026-11-01`. */
export function dayOf(timeMs: number): string {
  return utcDay(isoTime(timeMs));
}

export function dayAfter(day: string): string {
  return dayOf(startOfDay(day) + DAY_MS);
}

export function dayBefore(day: string): string {
  return dayOf(startOfDay(day) - DAY_MS);
}

/** Whether the text is a day of the calendar in that form. */
export function isDay(text: string): boolean {
  // A day that its month does not have (such as 30 February) comes out as another day.
  return DAY_PATTERN.test(text) && dayOf(startOfDay(text)) === text;
}

/** Whether the text is a month in the form `2026-11`. */
export function isMonth(text: string): boolean {
  return MONTH_PATTERN.test(text);
}

/** The first and the last day of a month. Throws Refusal invalid_timestamp. */
export function daysOfMonth(month: string): { readonly from: string; readonly to: string } {
  if (!isMonth(month))
    throw refuse('invalid_timestamp', { param: 'month', message: 'A month is written such as 2026-11.' });
  const from = `${month}-01`;
  const nextMonth = dayOf(startOfDay(from) + BEYOND_MONTH_MS).slice(0, month.length);
  return { from, to: dayBefore(`${nextMonth}-01`) };
}

/** Bounds of a range of days, both inclusive. Throws Refusal invalid_timestamp, or invalid_range when reversed. */
export function dayRange(
  from: string | undefined,
  to: string | undefined,
): { readonly from?: string; readonly to?: string } | undefined {
  for (const [param, text] of Object.entries({ from, to })) {
    if (text === undefined || isDay(text)) continue;
    throw refuse('invalid_timestamp', { param, message: `${param} takes a day such as 2026-11-21.` });
  }
  if (from !== undefined && to !== undefined && from > to) throw refuse('invalid_range', { param: 'from' });
  if (from === undefined && to === undefined) return undefined;
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}
