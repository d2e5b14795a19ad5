import { DAY_MS, isoTime, startOfDay, utcDay } from '../../kernel/clock';
import { QUARTER_MS, type TakingsDocument } from './takings.read-model';

/** The days that the home page shows, today among them. */
export const SHOWN_DAYS = 14;

export type DayTakings = {
  /** A day of the merchant's time zone, such as `2026-11-26`. */
  readonly day: string;
  readonly payments: number;
  readonly minorUnits: bigint;
};

/** The takings in one currency. Currencies are never added. */
export type CurrencyTakings = {
  readonly currency: string;
  /** The shown days, the oldest first; the last one is today. */
  readonly days: readonly DayTakings[];
};

/** The day of a time zone that a moment lies in. */
function dayInZone(timeMs: number, timeZone: string): string {
  return zoneDays(timeZone).format(timeMs);
}

/** The shown days of a time zone, the oldest first, up to the day of `nowMs`. */
export function shownDays(nowMs: number, timeZone: string): readonly string[] {
  const today = startOfDay(dayInZone(nowMs, timeZone));
  return Array.from({ length: SHOWN_DAYS }, (_, index) => utcDay(isoTime(today - (SHOWN_DAYS - 1 - index) * DAY_MS)));
}

/** The takings of the shown days by currency, in the order of the alphabet; a currency without any is left out. */
export function takingsByDay(
  documents: readonly TakingsDocument[],
  days: readonly string[],
  timeZone: string,
): readonly CurrencyTakings[] {
  const format = zoneDays(timeZone);
  const sums = new Map<string, Map<string, DayTakings>>();
  for (const { day: dayOfUtc, quarters } of documents) {
    for (const [quarter, currencies] of Object.entries(quarters)) {
      const day = format.format(startOfDay(dayOfUtc) + Number(quarter) * QUARTER_MS);
      if (!days.includes(day)) continue;
      for (const [currency, { payments, minor_units }] of Object.entries(currencies)) {
        const ofCurrency = sums.get(currency) ?? new Map<string, DayTakings>();
        const before = ofCurrency.get(day) ?? { day, payments: 0, minorUnits: 0n };
        const after = {
          day,
          payments: before.payments + payments,
          minorUnits: before.minorUnits + BigInt(minor_units),
        };
        sums.set(currency, ofCurrency.set(day, after));
      }
    }
  }
  return [...sums.entries()]
    .map(([currency, ofCurrency]) => ({
      currency,
      days: days.map(day => ofCurrency.get(day) ?? { day, payments: 0, minorUnits: 0n }),
    }))
    .sort((one, other) => (one.currency < other.currency ? -1 : 1));
}

/** Canada writes days as ISO 8601 does. */
function zoneDays(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
}
