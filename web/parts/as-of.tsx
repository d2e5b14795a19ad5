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
