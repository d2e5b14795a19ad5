import { usePaths } from '../../parts/signed-context';

type StreamLinkProps = {
  readonly stream: string;
  /** The event to show; by default the newest one. */
  readonly revision?: number;
};

/** The address of a stream's page below the console. */
export function streamPath(stream: string): string {
  return `streams/${encodeURIComponent(stream)}`;
}

/** The way to a stream, or to one of its events. */
export function StreamLink({ stream, revision }: StreamLinkProps) {
  const paths = usePaths();
  const asOf = revision === undefined ? '' : `?as_of=${revision}`;
  return (
    <a href={`${paths(streamPath(stream))}${asOf}`}>
      {revision !== undefined && `Event ${revision} of `}
      <code>{stream}</code>
    </a>
  );
}
