import { canonicalTimestamp } from '../../src/kernel/timestamp';
import { refuse } from '../../src/vocabulary/errors';

/** After the event of this number, or what was recorded until a time, as ISO-8601 UTC. */
export type AskedMoment = { readonly revision: number } | { readonly time: string };

const REVISION = /^\d{1,6}$/;
/** As a browser's field of a day and a time sends it. */
const TYPED = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?$/;
const WITHOUT_SECONDS = 'yyyy-mm-ddThh:mm'.length;

/**
 * The moment of a page's `as_of`: an event's number, or a time in UTC; null for now. Throws Refusal parameter_invalid
 * or invalid_timestamp.
 */
export function askedMoment(asOf: unknown): AskedMoment | null {
  if (asOf === undefined || asOf === '') return null;
  if (typeof asOf === 'string' && REVISION.test(asOf)) return { revision: Number(asOf) };
  if (typeof asOf === 'string' && TYPED.test(asOf))
    return { time: canonicalTimestamp(`${asOf}${asOf.length === WITHOUT_SECONDS ? ':00' : ''}Z`, 'as_of') };
  if (typeof asOf === 'string' && /^\d{4}-/.test(asOf)) return { time: canonicalTimestamp(asOf, 'as_of') };
  throw refuse('parameter_invalid', { param: 'as_of', message: 'as_of is the number of an event, or a time in UTC.' });
}
