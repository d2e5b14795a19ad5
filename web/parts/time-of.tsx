import { isoTime, parseIsoTime } from '../../src/kernel/clock';
import { invariant } from '../../src/kernel/invariant';
import { useSigned } from './signed-context';

const FORMATS = {
  moment: { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  day: { day: 'numeric', month: 'short', year: 'numeric' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;
const formats = new Map<string, Intl.DateTimeFormat>();

/** `exact`: to the millisecond. */
type Precision = keyof typeof FORMATS | 'exact';
/** The seconds of an ISO-8601 moment, with their fraction: the same in each time zone. */
const SECONDS = [17, 23] as const;

type TimeOfProps = {
  /** ISO-8601 UTC, or milliseconds. */
  readonly at: string | number;
  readonly as?: Precision;
};

/** A moment in the reader's time zone. */
export function TimeOf({ at, as = 'moment' }: TimeOfProps) {
  const { timeZone } = useSigned();
  invariant(timeZone !== null, 'a page without a reader tells a time');
  const ms = typeof at === 'number' ? at : parseIsoTime(at);
  const [iso, moment] = [isoTime(ms), timeText(ms, timeZone, 'moment')];
  const exact = exactOf(moment, iso);
  return (
    <time dateTime={iso} title={`${exact} ${timeZone}`}>
      {as === 'moment' ? moment : as === 'exact' ? exact : timeText(ms, timeZone, as)}
    </time>
  );
}

export function timeText(ms: number, timeZone: string, as: Precision): string {
  if (as === 'exact') return exactOf(timeText(ms, timeZone, 'moment'), isoTime(ms));
  const name = `${as} ${timeZone}`;
  let format = formats.get(name);
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', { ...FORMATS[as], timeZone });
    formats.set(name, format);
  }
  return format.format(ms);
}

/** Formats are slow, and the seconds of a moment need none. */
function exactOf(moment: string, iso: string): string {
  return `${moment}:${iso.slice(...SECONDS)}`;
}
