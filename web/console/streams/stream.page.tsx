import type { StreamView } from '../../../src/modules/streams/stream-view';
import { MomentSlider } from '../../parts/as-of';
import { Card } from '../../parts/card';
import { Json } from '../../parts/code';
import { ConsolePage } from '../../parts/console-page';
import { Definitions } from '../../parts/definitions';
import { usePaths } from '../../parts/signed-context';
import { Badge, spoken } from '../../parts/status-badge';
import { plural } from '../../words/plural';
import { EventCard } from './event-card';
import { EventsCard } from './events-card';
import { streamPath } from './stream-link';
import { chainFaultText } from './stream-words';
import { TimeCard } from './time-card';

type Props = { readonly view: StreamView };

/** One stream as of any moment: the state, the event that led there, and what happened before and after. */
export function StreamPage({ view, time }: Props & { readonly time: string }) {
  const { stream, category, as_of: asOf, revisions, events } = view;
  const paths = usePaths();
  const path = paths(streamPath(stream));
  const shown = events.find(({ revision }) => revision === asOf?.revision) ?? null;
  return (
    <ConsolePage
      title={stream}
      heading={spoken(category)}
      current="streams"
      back={{ path: 'streams', text: 'Events' }}
      actions={<ChainBadge view={view} />}
    >
      <div class="columns">
        <div class="stack">
          <MomentSlider
            path={path}
            shown={asOf && { revision: asOf.revision, at: asOf.recorded_at }}
            newest={revisions - 1}
          />
          <EventCard event={shown} />
          <EventsCard view={view} path={path} />
        </div>
        <div class="stack">
          <TimeCard path={path} time={time} />
          <FactsCard view={view} />
          <Card title="State at this moment" liveId="state">
            {view.state === null ? <p>There was no object.</p> : <Json label="State" value={view.state} />}
          </Card>
        </div>
      </div>
    </ConsolePage>
  );
}

function ChainBadge({ view: { chain } }: Props) {
  return chain.is_intact ? <Badge tone="ok" text="Hash chain holds" /> : <Badge tone="bad" text="Hash chain broken" />;
}

function FactsCard({ view: { stream, universe, category, id, revisions, chain } }: Props) {
  const { broken_at: broken } = chain;
  return (
    <Card title="Stream" liveId="stream">
      <Definitions
        entries={[
          ['Name', <code key="name">{stream}</code>],
          ['Mode', spoken(universe)],
          ['Kind', spoken(category)],
          ['Object', <code key="id">{id}</code>],
          ['Events', String(revisions)],
          [
            'Hash chain',
            broken === null
              ? `Each event follows on the one before it, over all ${plural(revisions, 'event')}.`
              : `Broken at event ${broken.revision}: ${chainFaultText(broken.fault)}.`,
          ],
        ]}
      />
    </Card>
  );
}
