import type { GroupView, ParkedMessageView } from '../../../src/modules/system/system-reads';
import { Card, Live } from '../../parts/card';
import { ConsolePage } from '../../parts/console-page';
import { DataTable } from '../../parts/data-table';
import { Definitions } from '../../parts/definitions';
import { Empty } from '../../parts/list-parts';
import { TimeOf } from '../../parts/time-of';
import { plural } from '../../words/plural';
import { ActionLink } from '../actions/action-link';
import { StreamLink } from '../streams/stream-link';
import { eventTitle } from '../streams/stream-words';
import { lagText } from './health.page';
import { LookAgain } from './look-again';

type ParkedView = {
  readonly group: GroupView;
  /** Some of them, where there are many. */
  readonly messages: readonly ParkedMessageView[];
  readonly atMs: number;
};

/** The messages of a group that failed again and again, and the way to try them anew. */
export function ParkedPage({ view: { group, messages, atMs } }: { readonly view: ParkedView }) {
  const { group: name, parked, lag_ms: lag } = group;
  return (
    <ConsolePage
      title={`Group ${name}`}
      current="health"
      back={{ path: 'health', text: 'Health' }}
      actions={
        <>
          <LookAgain path={`health/groups/${name}`} atMs={atMs} />
          <Live id="replay">
            {parked > 0 && <ActionLink action="replayParked" text="Try all anew" target={name} isMain />}
          </Live>
        </>
      }
    >
      <Card liveId="group">
        <Definitions
          entries={[
            ['Parked', plural(parked, 'message')],
            ['Behind', lagText(lag)],
          ]}
        />
      </Card>
      <Live id="messages">
        {messages.length === 0 ? (
          <Empty icon="circle-check" title="No message is parked" />
        ) : (
          <Card title={messages.length < parked ? `${messages.length} of the parked messages` : 'Parked messages'}>
            <p>The reason of each failure stands in the log of the process, under the id of the event.</p>
            <DataTable
              name="Parked messages"
              columns={[{ heading: 'Event' }, { heading: 'Recorded' }, { heading: 'Stream' }, { heading: 'Id' }]}
              rows={messages.map(({ event, stream, revision, type, recorded_at }) => ({
                key: event,
                cells: [
                  eventTitle(type),
                  <TimeOf key="recorded" at={recorded_at} as="exact" />,
                  <StreamLink key="stream" {...{ stream, revision }} />,
                  <code key="id">{event}</code>,
                ],
              }))}
            />
          </Card>
        )}
      </Live>
    </ConsolePage>
  );
}
