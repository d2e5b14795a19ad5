import type {
  AttemptEntry,
  EventEntry,
  PaymentTimeline,
  TimelineEntry,
  WebhookEntry,
} from '../../../src/modules/payment-intents/queries/get-payment-timeline.query';
import { Card } from '../../parts/card';
import { Diff } from '../../parts/diff';
import { Note } from '../../parts/note';
import { TimeOf } from '../../parts/time-of';
import { Timeline, type Happening } from '../../parts/timeline';
import { plural } from '../../words/plural';
import type { ActorNames } from './actor-names';
import { actorText, eventWords } from './event-words';
import { answerText, factEntry } from './fact-words';

type Props = { readonly timeline: PaymentTimeline; readonly names: ActorNames; readonly path: string };

/** The payment's events, webhooks and attempts, each with its evidence. */
export function TimelineCard({ timeline, names, path }: Props) {
  const { entries, earlier, later } = timeline;
  return (
    <Card title="What happened, and how we know" liveId="timeline">
      {earlier > 0 && <Hidden count={earlier} where="earlier" />}
      <Timeline label="Events" steps={entries.map(entry => stepOf(entry, { names, path }))} />
      {later > 0 && <Hidden count={later} where="later" />}
    </Card>
  );
}

function Hidden({ count, where }: { readonly count: number; readonly where: 'earlier' | 'later' }) {
  return (
    <Note tone="idle" icon="info">
      <p>
        {count} {where} events are not shown. The slider leads to them.
      </p>
    </Note>
  );
}

function stepOf(entry: TimelineEntry, shown: Pick<Props, 'names' | 'path'>): Happening {
  if (entry.kind === 'event') return eventStep(entry, shown);
  return entry.kind === 'webhook' ? webhookStep(entry) : attemptStep(entry);
}

function eventStep(entry: EventEntry, { names, path }: Pick<Props, 'names' | 'path'>): Happening {
  const { revision, at, type, actor, facts, changes, isLater } = entry;
  const shown = changes.map(({ field, before, after }) => ({ name: field, before, after }));
  const difference = <Diff label={`Changes of event ${revision}`} changes={shown} />;
  return {
    ...eventWords(entry),
    id: `event-${revision}`,
    isLater,
    time: (
      <a href={`${path}?as_of=${revision}`}>
        <TimeOf at={at} as="exact" />
      </a>
    ),
    source: `event ${revision}, ${type}, by ${actorText(actor, names)}`,
    evidence: [...facts.map(factEntry), ...(changes.length > 0 ? [['What it changed', difference] as const] : [])],
  };
}

function webhookStep({ id, type, at, endpoints, isDelivered, isLater }: WebhookEntry): Happening {
  return {
    ...{ id, isLater, icon: 'webhook', tone: isDelivered ? 'ok' : 'idle' },
    title: type,
    time: <TimeOf at={at} as="exact" />,
    text:
      endpoints === 0
        ? 'This webhook has no delivery.'
        : `A webhook for ${plural(endpoints, 'endpoint')}, ${isDelivered ? 'delivered' : 'not delivered yet'}.`,
    source: `webhook event ${id}`,
    evidence: [['Endpoints', String(endpoints)]],
  };
}

function attemptStep(entry: AttemptEntry): Happening {
  const { id, at, url, endpoint, attempt, trigger, succeeded, latencyMs, excerpt, isLater } = entry;
  const answer = answerText(entry);
  return {
    ...{ id, isLater, icon: 'send', tone: succeeded ? 'ok' : 'bad' },
    title: succeeded ? 'Webhook delivered' : 'Webhook not delivered',
    time: <TimeOf at={at} as="exact" />,
    text: `${trigger === 'manual' ? 'By hand' : `Attempt ${attempt}`}: ${answer}.`,
    source: `attempt ${id}`,
    evidence: [
      ['Endpoint', url ?? endpoint],
      ['Answer', answer],
      ['Latency', `${latencyMs} ms`],
      ...(excerpt === '' ? [] : ([['Body', excerpt]] as const)),
    ],
  };
}
