import type { killSwitches } from '../../../src/modules/administration/api/lists/switches';
import { DataTable } from '../../parts/data-table';
import { spoken } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import { ActionLink } from '../actions/action-link';
import { ModeBadge } from '../lists/object-words';
import type { RowOf } from '../lists/row-of';

type Stops = RowOf<typeof killSwitches>['stops'];
type StopsTableProps = { readonly scope: string; readonly subject: string; readonly stops: Stops };

/** Verification stops an account without a reason in words. */
export function stopReason({ ground, reason }: Pick<Stops[number], 'ground' | 'reason'>): string {
  return ground === 'kyb' ? 'The business is not verified' : reason;
}

/** The stops of one subject. An operator lifts an operator's stop; verification lifts its own. */
export function StopsTable({ scope, subject, stops }: StopsTableProps) {
  if (stops.length === 0) return <p>None: new payments are taken, where nothing else stops them.</p>;
  return (
    <DataTable
      name={`Stops of ${subject}`}
      columns={[
        { heading: 'Mode' },
        { heading: 'By' },
        { heading: 'Reason' },
        { heading: 'Since' },
        { heading: 'Lift' },
      ]}
      rows={stops.map(({ mode, ground, reason, set_at }) => ({
        key: `${mode} ${ground}`,
        cells: [
          <ModeBadge mode={mode} />,
          ground === 'kyb' ? 'Verification' : spoken(ground),
          stopReason({ ground, reason }),
          <TimeOf at={set_at} />,
          ground === 'operator' ? (
            <ActionLink
              action="liftKillSwitch"
              text="Lift"
              target={`${scope}:${subject}`}
              fields={{ mode }}
              of={`${mode} mode`}
            />
          ) : (
            'By the verification alone'
          ),
        ],
      }))}
    />
  );
}
