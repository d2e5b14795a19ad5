import type { StreamEvent, StreamView } from '../../../src/modules/streams/stream-view';
import { Card } from '../../parts/card';
import { Note } from '../../parts/note';
import { TimeOf } from '../../parts/time-of';
import { Timeline, type Happening } from '../../parts/timeline';
import { plural } from '../../words/plural';
import { Changes } from './event-card';
import { eventTitle } from './stream-words';

type EventsCardProps = {
  readonly view: Pick<StreamView, 'events' | 'earlier' | 'later' | 'chain'>;
  /** The address of the stream's page. */
  readonly path: string;
};

/** The events around the moment, each with its reason and its difference. */
export function EventsCard({ view: { events, earlier, later, chain }, path }: EventsCardProps) {
  const brokenAt = chain.broken_at?.revision ?? null;
  return (
    <Card title="What happened, and why" liveId="events">
      {earlier > 0 && <Hidden count={earlier} where="earlier" />}
      <Timeline
        label="Events"
        steps={events.map(event => stepOf(event, { path, isBroken: event.revision === brokenAt }))}
      />
      {later > 0 && <Hidden count={later} where="later" />}
    </Card>
  );
}

function Hidden({ count, where }: { readonly count: number; readonly where: 'earlier' | 'later' }) {
  return (
    <Note tone="idle" icon="info">
      <p>{plural(count, `${where} event`)} not shown. The slider leads there.</p>
    </Note>
  );
}

function stepOf(
  event: StreamEvent,
  { path, isBroken }: { readonly path: string; readonly isBroken: boolean },
): Happening {
  const { revision, type, reason, recorded_at, actor_in_words: actor, changes, is_later: isLater } = event;
  return {
    ...{ id: `event-${revision}`, isLater, title: eventTitle(type), text: reason },
    ...(isBroken
      ? ({ icon: 'triangle-alert', tone: 'bad' } as const)
      : ({ icon: 'scroll-text', tone: 'idle' } as const)),
    time: (
      <a href={`${path}?as_of=${revision}`}>
        <TimeOf at={recorded_at} as="exact" />
      </a>
    ),
    source: `event ${revision}, by ${actor}`,
    evidence: [[`What it changed (${changes.length})`, <Changes key="changes" event={event} />]],
  };
}
