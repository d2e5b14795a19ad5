import { SECOND_MS } from '../../src/kernel/clock';

const MINUTE = 60;
const HOUR = 3_600;

type CountdownProps = {
  /** Milliseconds by the clock that also decides. */
  readonly endsMs: number;
  readonly nowMs: number;
};

/** The time that is left, by the server's clock. The page's script lets it run. */
export function Countdown({ endsMs, nowMs }: CountdownProps) {
  const left = Math.max(0, Math.ceil((endsMs - nowMs) / SECOND_MS));
  const [hours, minutes, seconds] = [Math.floor(left / HOUR), twoDigits(left / MINUTE), twoDigits(left)];
  return (
    <span role="timer" class="countdown" dir="ltr" data-ends={endsMs} data-now={nowMs}>
      {hours > 0 ? `${hours}:${minutes}:${seconds}` : `${Number(minutes)}:${seconds}`}
    </span>
  );
}

/** The whole part of a number below sixty, in two digits. */
function twoDigits(value: number): string {
  return String(Math.floor(value) % MINUTE).padStart(2, '0');
}
