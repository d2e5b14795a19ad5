import { parseIsoTime } from '../../src/kernel/clock';
import { invariant } from '../../src/kernel/invariant';
import { useSigned } from './signed-context';
import { timeText } from './time-of';

type MomentProps = {
  /** The address of the page. */
  readonly path: string;
  /** The event shown last, with its time; null before the first one. */
  readonly shown: { readonly revision: number; readonly at: string } | null;
  /** The number of the newest event; the first event is 0. */
  readonly newest: number;
};

/**
 * The slider to any earlier event. The slider is no live part, since people hold it. A further event makes another
 * part, with which all is new.
 */
export function MomentSlider({ path, shown, newest }: MomentProps) {
  const { timeZone } = useSigned();
  invariant(timeZone !== null, 'a page without a reader tells a time');
  const text = () => {
    if (shown === null) return 'before the first event';
    if (shown.revision === newest) return `now, event ${newest}`;
    return `event ${shown.revision} of ${newest}, ${timeText(parseIsoTime(shown.at), timeZone, 'exact')}`;
  };
  return (
    <>
      <span id={`newest-${newest}`} data-live hidden />
      <AsOf action={path} at={shown?.revision ?? -1} newest={newest} text={text()} />
    </>
  );
}

type AsOfProps = {
  readonly action: string;
  /** The number of the last event shown, and of the newest one; the first event is 0. */
  readonly at: number;
  readonly newest: number;
  /** The moment shown, such as `event 2 of 6, 15:04:01`. */
  readonly text: string;
};

/** Shows an object as of an earlier event. The page follows the slider; without script a button asks. */
export function AsOf({ action, at, newest, text }: AsOfProps) {
  return (
    <form
      method="get"
      action={action}
      class={at < newest ? 'card as-of past no-print' : 'card as-of no-print'}
      data-asks
    >
      <label for="as-of">As of</label>
      <output id="as-of-text" for="as-of" data-live data-said={text}>
        {text}
      </output>
      <input
        type="range"
        id="as-of"
        name="as_of"
        min={0}
        max={newest}
        step={1}
        value={at}
        list="as-of-events"
        aria-valuetext={text}
      />
      <datalist id="as-of-events">
        {Array.from({ length: Math.min(newest + 1, 100) }, (_, event) => (
          <option key={event} value={event} />
        ))}
      </datalist>
      <button type="submit" class="button" data-unscripted>
        Show
      </button>
      {at < newest && <a href={action}>Now</a>}
    </form>
  );
}
