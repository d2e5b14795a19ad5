import type { ComponentChildren } from 'preact';
import type { StreamEvent } from '../../../src/modules/streams/stream-view';
import { Card } from '../../parts/card';
import { Json } from '../../parts/code';
import { Definitions } from '../../parts/definitions';
import { Diff } from '../../parts/diff';
import { TimeOf } from '../../parts/time-of';
import { eventTitle } from './stream-words';

/** The event that led to the moment: why it came about, and what it changed. */
export function EventCard({ event }: { readonly event: StreamEvent | null }) {
  if (event === null)
    return (
      <Card title="Before the first event" liveId="event">
        <p>The stream began later.</p>
      </Card>
    );
  const { revision, type, reason, data } = event;
  return (
    <Card title={`Event ${revision}: ${eventTitle(type)}`} liveId="event">
      <p>{reason}</p>
      <h3>What it changed</h3>
      <Changes event={event} />
      <details id="evidence">
        <summary>Evidence: all that the event says</summary>
        <Json label={`Data of event ${revision}`} value={data} />
        <Definitions entries={factsOf(event)} />
      </details>
    </Card>
  );
}

/** The difference that an event made to the state. */
export function Changes({ event: { revision, changes } }: { readonly event: StreamEvent }) {
  if (changes.length === 0) return <p>Nothing that the state shows.</p>;
  const shown = changes.map(({ field, ...change }) => ({ name: field, ...change }));
  return <Diff label={`Changes of event ${revision}`} changes={shown} />;
}

function factsOf(event: StreamEvent): readonly (readonly [string, ComponentChildren])[] {
  const { id, type, occurred_at, recorded_at, actor_in_words: actor, causation_id: cause, correlation_id } = event;
  const code = (text: string | null) => (text === null ? 'None' : <code>{text}</code>);
  return [
    ['Type', code(type)],
    ['By', actor],
    ['Recorded', <TimeOf key="recorded" at={recorded_at} as="exact" />],
    ['Time by the clock of its mode', <TimeOf key="occurred" at={occurred_at} as="exact" />],
    ['Merchant', code(event.merchant_id)],
    ['Network address', event.ip ?? 'None, or not for your role'],
    ['Request', code(event.request_id)],
    ['Event', code(id)],
    ['Command', code(event.command_id)],
    ['Caused by', code(cause)],
    ['Belongs to', code(correlation_id)],
    [
      'Hash',
      <span key="hash" class="hash">
        {event.hash}
      </span>,
    ],
  ];
}
