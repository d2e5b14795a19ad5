import { killSwitches } from '../../../src/modules/administration/api/lists/switches';
import { Card } from '../../parts/card';
import { spoken } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import { networkName } from '../../words/chain-names';
import { ActionLink } from '../actions/action-link';
import type { ListPages } from '../lists/list-pages';
import { ModeBadge } from '../lists/object-words';
import type { RowOf } from '../lists/row-of';
import { stopReason, StopsTable } from './stops-table';

type KillSwitch = RowOf<typeof killSwitches>;

const STOPPED: readonly (readonly [scope: string, stops: string])[] = [
  ['merchant', 'No new payments of this merchant, links and invoices included.'],
  ['network', 'No method on this network is offered or chosen.'],
  ['asset', 'No method in this asset is offered or chosen.'],
];

const subjectName = ({ scope, subject }: Pick<KillSwitch, 'scope' | 'subject'>): string =>
  scope === 'network' ? networkName(subject) : subject;

/** The stops of new payments. */
export const SWITCHES: ListPages<KillSwitch> = {
  list: killSwitches,
  path: 'switches',
  title: 'Switches',
  icon: 'ban',
  none: 'Nothing is stopped',
  isByTime: false,
  columns: [
    { heading: 'Subject' },
    { heading: 'Scope' },
    { heading: 'Modes' },
    { heading: 'Reasons' },
    { heading: 'Since' },
  ],
  cells: ({ scope, subject, stops }) => [
    subjectName({ scope, subject }),
    spoken(scope),
    stops.map(({ mode, ground }) => <ModeBadge key={`${mode} ${ground}`} mode={mode} />),
    [...new Set(stops.map(stopReason))].join('; '),
    stops[0] ? <TimeOf at={stops[0].set_at} /> : 'Never',
  ],
  actions: () => <ActionLink action="setKillSwitch" text="Set a switch" isDanger />,
  above: () => (
    <Card title="What a switch does">
      <ul class="bullets">
        {STOPPED.map(([scope, stops]) => (
          <li key={scope}>
            {spoken(scope)}: {stops}
          </li>
        ))}
      </ul>
      <p>Payments under way go on: they are watched, confirmed and told as before.</p>
    </Card>
  ),
  detail: {
    title: stop => `${spoken(stop.scope)} ${subjectName(stop)}`,
    body: ({ row: { scope, subject, stops } }) => (
      <Card title="Stops" liveId="stops">
        <StopsTable {...{ scope, subject, stops }} />
      </Card>
    ),
  },
};
