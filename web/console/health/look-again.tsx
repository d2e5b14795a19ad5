import { Icon } from '../../parts/icon';
import { usePaths } from '../../parts/signed-context';
import { TimeOf } from '../../parts/time-of';

type LookAgainProps = {
  /** The path of the page below the console. */
  readonly path: string;
  readonly atMs: number;
};

/** A page of lags differs at each moment, so it tells its moment. The button is for whoever does not wait. */
export function LookAgain({ path, atMs }: LookAgainProps) {
  const paths = usePaths();
  return (
    <>
      <span class="label" id="moment" data-live>
        As of <TimeOf at={atMs} as="exact" />
      </span>
      <a class="button" href={paths(path)}>
        <Icon name="refresh-cw" />
        Look again
      </a>
    </>
  );
}
