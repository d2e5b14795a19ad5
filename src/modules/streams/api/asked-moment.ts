import { parseIsoTime } from '../../../kernel/clock';
import { canonicalTimestamp } from '../../../kernel/timestamp';
import { parseFilters } from '../../../platform/http/lists';
import { refuse } from '../../../vocabulary/errors';
import type { StreamMoment } from '../stream-view';

const REVISION = /^(?:0|[1-9]\d{0,8})$/;

/**
 * The moment of a query's `revision` or `as_of`; null where it names none. Throws Refusal invalid_filter,
 * parameter_invalid or invalid_timestamp.
 */
export function askedMoment(query: Readonly<Record<string, unknown>>): StreamMoment | null {
  const { revision, as_of: asOf } = parseFilters(query, ['revision', 'as_of']);
  if (revision !== undefined && asOf !== undefined)
    throw refuse('parameter_invalid', { param: 'as_of', message: 'Give a revision or a time, not both.' });
  if (asOf !== undefined) return { timeMs: parseIsoTime(canonicalTimestamp(asOf, 'as_of')) };
  if (revision === undefined) return null;
  if (!REVISION.test(revision)) throw refuse('parameter_invalid', { param: 'revision' });
  return { revision: Number(revision) };
}
