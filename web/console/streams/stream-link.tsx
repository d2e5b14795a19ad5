import { usePaths } from '../../parts/signed-context';

type StreamLinkProps = {
  readonly stream: string;
  /** The event to show; by default the newest one. */
  readonly revision?: number;
  /** Stands in place of the stream's name. `of` tells apart the links of one text, such as those of a table's rows. */
  readonly text?: string;
  readonly of?: string;
};

/** The address of a stream's page below the console. */
export function streamPath(stream: string): string {
  return `streams/${encodeURIComponent(stream)}`;
}

/** The way to a stream, or to one of its events. */
export function StreamLink({ stream, revision, text, of }: StreamLinkProps) {
  const paths = usePaths();
  const asOf = revision === undefined ? '' : `?as_of=${revision}`;
  return (
    <a href={`${paths(streamPath(stream))}${asOf}`}>
      {text ?? (
        <>
          {revision !== undefined && `Event ${revision} of `}
          <code>{stream}</code>
        </>
      )}
      {of !== undefined && <span class="sr"> {of}</span>}
    </a>
  );
}
