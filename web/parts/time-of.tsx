import { isoTime, parseIsoTime } from '../../src/kernel/clock';
import { invariant } from '../../src/kernel/invariant';
import { useSigned } from './signed-context';

const FORMATS = {
  moment: { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  exact: {
    ...{ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit' },
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
  },
  day: { day: 'numeric', month: 'short', year: 'numeric' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;
const formats = new Map<string, Intl.DateTimeFormat>();

type TimeOfProps = {
  /** ISO-8601 UTC, or milliseconds. */
  readonly at: string | number;
  readonly as?: keyof typeof FORMATS;
};

/** A moment in the reader's time zone. */
export function TimeOf({ at, as = 'moment' }: TimeOfProps) {
  const { timeZone } = useSigned();
  invariant(timeZone !== null, 'a page without a reader tells a time');
  const ms = typeof at === 'number' ? at : parseIsoTime(at);
  return (
    <time dateTime={isoTime(ms)} title={`${timeText(ms, timeZone, 'exact')} ${timeZone}`}>
      {timeText(ms, timeZone, as)}
    </time>
  );
}

export function timeText(ms: number, timeZone: string, as: keyof typeof FORMATS): string {
  const name = `${as} ${timeZone}`;
  let format = formats.get(name);
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', { ...FORMATS[as], timeZone });
    formats.set(name, format);
  }
  return format.format(ms);
}
