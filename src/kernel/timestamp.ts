import { isoTime, parseIsoTime } from './clock';
import { refuse } from '../vocabulary/errors';

const ISO_UTC = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?Z$/;

/**
 * A timestamp as a client writes it, ISO-8601 in UTC with up to milliseconds, in the stored form. Throws Refusal
 * invalid_timestamp.
 */
export function canonicalTimestamp(text: string, param: string): string {
  const canonical = ISO_UTC.test(text) ? isoTime(parseIsoTime(text)) : null;
  // A day that its month does not have (such as 30 February) comes out as another day.
  if (canonical?.slice(0, 10) !== text.slice(0, 10)) throw refuse('invalid_timestamp', { param });
  return canonical;
}

/** Bounds of a range of times, both inclusive. Throws Refusal invalid_timestamp, or invalid_range when reversed. */
export function timeRange(
  from: { readonly text: string | undefined; readonly param: string },
  to: { readonly text: string | undefined; readonly param: string },
): { readonly from?: string; readonly to?: string } | undefined {
  const first = from.text === undefined ? undefined : canonicalTimestamp(from.text, from.param);
  const last = to.text === undefined ? undefined : canonicalTimestamp(to.text, to.param);
  if (first !== undefined && last !== undefined && first > last) throw refuse('invalid_range', { param: from.param });
  if (first === undefined && last === undefined) return undefined;
  return { ...(first !== undefined && { from: first }), ...(last !== undefined && { to: last }) };
}
