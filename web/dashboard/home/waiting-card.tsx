import type { Counted, Waiting } from '../../../src/modules/home/queries/home-view';
import { Card } from '../../parts/card';
import { Icon } from '../../parts/icon';
import { usePaths } from '../../parts/signed-context';

type Wait = { readonly text: string; readonly note: string; readonly path: string };

const WAITS: Readonly<Record<keyof Waiting, Wait>> = {
  underpaid: { text: 'Underpaid payments', note: 'Decide about what has come.', path: 'reviews' },
  late: { text: 'Payments with late money', note: 'Decide about what has come.', path: 'reviews' },
  unmatchedTransfers: { text: 'Unmatched transfers', note: 'Say which payment each is for.', path: 'transfers' },
  holds: { text: 'Payments under a hold', note: 'Compliance decides on these.', path: 'payments?status=held' },
  disabledEndpoints: { text: 'Endpoints that kept failing', note: 'Mend and enable them.', path: 'webhooks' },
  exhaustedEvents: { text: 'Events not delivered', note: 'All attempts are made.', path: 'events?failed=true' },
};

/** The things that wait for a decision, each with its number and the way to it. */
export function WaitingCard({ waiting }: { readonly waiting: Waiting }) {
  const paths = usePaths();
  const found = (Object.keys(WAITS) as (keyof Waiting)[]).filter(kind => waiting[kind].count > 0);
  return (
    <Card title="Waiting for a decision" class="waiting">
      {found.length === 0 && (
        <p class="fine">
          <Icon name="check" />
          Nothing waits.
        </p>
      )}
      <ul class="waits">
        {found.map(kind => (
          <li key={kind}>
            <span class="count">{countText(waiting[kind])}</span>
            <div>
              <a href={paths(WAITS[kind].path)}>{WAITS[kind].text}</a>
              <p class="label">{WAITS[kind].note}</p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function countText({ count, isMore }: Counted): string {
  return isMore ? `${count}+` : `${count}`;
}
