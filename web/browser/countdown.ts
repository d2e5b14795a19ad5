import { all } from './page-parts';

/**
 * The time that is left, by the server's clock: `<span role="timer" data-ends="MS" data-now="MS">`, both in
 * milliseconds, `data-now` being the moment of rendering. The text becomes `m:ss`, or `h:mm:ss` from an hour on.
 * A `<progress data-countdown max="SECONDS" value>` in the same region falls along.
 *
 * The customer's clock is never read: time passes from the arrival of the page by a clock that nobody sets. At zero the
 * page is asked again a few times, each wait twice the last.
 */
const TICK_MS = 500;
const ASKED_AGAIN_MS = 2_000;
const MOST_ASKED = 5;
const arrivals = new WeakMap<Element, number>();
const asked = new Map<string, number>();

/** The page was rendered just before its first byte came. */
function arrivalOfPage(): number {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return navigation?.responseStart ?? 0;
}

/** `arrivedMs` is when the answer came that names the server's time. */
export function setArrival(root: ParentNode, arrivedMs: number): void {
  for (const timer of all('[data-ends]', root)) arrivals.set(timer, arrivedMs);
}

/** A part of the page that stays still learns the server's time of the newest answer. */
export function setRight(old: ParentNode, fresh: ParentNode, arrivedMs: number): void {
  const timers = all('[data-ends]', fresh);
  all('[data-ends]', old).forEach((timer, index) => {
    timer.dataset['now'] = timers[index]?.dataset['now'];
    arrivals.set(timer, arrivedMs);
  });
}

function inWords(seconds: number): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  const rest = two(seconds % 60);
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${rest}`;
}

export function startCountdown(ask: () => void): void {
  const tick = (): void => {
    for (const timer of all('[data-ends]')) {
      const { ends = '', now } = timer.dataset;
      const leftMs = Number(ends) - Number(now) - performance.now() + (arrivals.get(timer) ?? 0);
      const seconds = Math.max(0, Math.ceil(leftMs / 1000));
      const text = inWords(seconds);
      if (timer.textContent !== text) timer.textContent = text;
      const bar = (timer.closest('[data-live]') ?? document).querySelector<HTMLProgressElement>('[data-countdown]');
      if (bar) bar.value = seconds;
      const times = asked.get(ends) ?? 0;
      if (document.hidden || times >= MOST_ASKED || leftMs > -(2 ** times - 1) * ASKED_AGAIN_MS) continue;
      asked.set(ends, times + 1);
      ask();
    }
  };
  setArrival(document, arrivalOfPage());
  setInterval(tick, TICK_MS);
  tick();
}
