import { Card } from '../../parts/card';
import { ConsolePage } from '../../parts/console-page';
import { TextField } from '../../parts/fields';
import { Empty } from '../../parts/list-parts';
import { usePaths } from '../../parts/signed-context';
import { StreamLink } from './stream-link';

type FoundStreams = {
  /** The text that is searched; empty before anything was typed. */
  readonly text: string;
  readonly streams: readonly string[];
};

/** Asks for a stream, or for an object whose streams are listed. */
export function StreamsPage({ found: { text, streams } }: { readonly found: FoundStreams }) {
  const paths = usePaths();
  return (
    <ConsolePage title="Events" current="streams">
      <Card>
        <p>
          Each object has a stream of all events that ever changed it. A stream can be shown as of any moment, with the
          reason of each event.
        </p>
        <form method="get" action={paths('streams')} class="form" role="search">
          <TextField
            name="q"
            label="Object or stream"
            hint="An id such as pi_…, or a whole name such as test.payment_intent-pi_…"
            value={text}
            maxLength={400}
          />
          <button type="submit" class="button main">
            Find
          </button>
        </form>
      </Card>
      {text !== '' && streams.length === 0 && (
        <Empty icon="search" title="No such stream">
          <p>No stream that you may read has this name, and no object has this id.</p>
        </Empty>
      )}
      {streams.length > 0 && (
        <Card title="Streams of this object">
          <ul class="links">
            {streams.map(stream => (
              <li key={stream}>
                <StreamLink stream={stream} />
              </li>
            ))}
          </ul>
        </Card>
      )}
    </ConsolePage>
  );
}
