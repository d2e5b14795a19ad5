import { isoTime, parseIsoTime, SECOND_MS } from '../../src/kernel/clock';
import { canonicalTimestamp } from '../../src/kernel/timestamp';
import { refuse } from '../../src/vocabulary/errors';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** Earlier years have fewer digits in a zone's own words, and later ones more in a timestamp. */
const YEARS = { from: '1000', before: '9999' };
const LAST_MOMENT = 'T23:59:59.999Z';
const FIRST_MOMENT = 'T00:00:00.000Z';

/**
 * The first or the last moment of a day in a time zone, as ISO-8601 UTC. A whole timestamp stays as it is; undefined
 * where nothing was typed. Throws Refusal invalid_timestamp.
 */
export function zonedDay(
  text: string | undefined,
  end: 'first' | 'last',
  timeZone: string,
  param: string,
): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (!DAY.test(text)) return text;
  if (text < YEARS.from || text >= YEARS.before) throw refuse('invalid_timestamp', { param });
  const asUtcMs = parseIsoTime(canonicalTimestamp(text + (end === 'first' ? FIRST_MOMENT : LAST_MOMENT), param));
  // The second look is for days on which the clocks are changed.
  const about = asUtcMs - aheadMs(asUtcMs, timeZone);
  return isoTime(asUtcMs - aheadMs(about, timeZone));
}

/** How far the zone's clocks are ahead of UTC at that moment. */
function aheadMs(atMs: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
    ...{ hourCycle: 'h23', timeZone },
  }).formatToParts(atMs);
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find(each => each.type === type)?.value ?? '00';
  const day = `${part('year')}-${part('month')}-${part('day')}`;
  const shown = parseIsoTime(`${day}T${part('hour')}:${part('minute')}:${part('second')}.000Z`);
  return shown - Math.floor(atMs / SECOND_MS) * SECOND_MS;
}
