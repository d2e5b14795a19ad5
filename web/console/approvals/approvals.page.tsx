import type { ApprovalResource } from '../../../src/modules/administration/api/approvals.contract';
import type { AdminNames } from '../../../src/modules/admins/api/name-admins.query';
import type { Fault, Place } from '../../http/given-filters';
import { Live } from '../../parts/card';
import { ConsolePage } from '../../parts/console-page';
import { DataTable } from '../../parts/data-table';
import { Empty, Pager, RefusedFilter, Tabs } from '../../parts/list-parts';
import { usePaths } from '../../parts/signed-context';
import { spoken } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import { actionText, ApprovalBadge, STATUSES } from './approval-words';

export type ApprovalsView = Place &
  Fault & {
    readonly approvals: readonly ApprovalResource[];
    readonly names: AdminNames;
    /** The status that is shown alone; empty for all. */
    readonly status: string;
  };

const COLUMNS = [
  { heading: 'Action' },
  { heading: 'Object' },
  { heading: 'Status' },
  { heading: 'Proposed by' },
  { heading: 'Proposed' },
  { heading: 'Ends' },
];

/** The actions that need a second administrator, the newest first. */
export function ApprovalsPage({ view }: { readonly view: ApprovalsView }) {
  const { approvals, names, status, fault, next, isFirst } = view;
  const paths = usePaths();
  const href = (of: string) => `${paths('approvals')}${of === '' ? '' : `?status=${of}`}`;
  const tabs = ['', ...STATUSES].map(of => ({
    ...{ text: of === '' ? 'All' : spoken(of), href: href(of), isCurrent: of === status },
  }));
  return (
    <ConsolePage title="Approvals" current="approvals">
      <Tabs label="Status" tabs={tabs} />
      <Live id="approvals" said={`${approvals.length} shown`}>
        {fault !== null && <RefusedFilter fault={fault} />}
        {approvals.length === 0 && fault === null && (
          <Empty icon="users" title={status === '' ? 'No proposals yet' : 'No such proposal'}>
            <p>An action that needs two administrators waits here for the second one.</p>
          </Empty>
        )}
        {approvals.length > 0 && (
          <>
            <DataTable
              name="Approvals"
              columns={COLUMNS}
              rows={approvals.map(approval => ({
                key: approval.id,
                href: paths(`approvals/${approval.id}`),
                cells: [
                  actionText(approval),
                  names[approval.target] ?? <code key="target">{approval.target}</code>,
                  <ApprovalBadge key="status" status={approval.status} />,
                  names[approval.proposed_by] ?? approval.proposed_by,
                  <TimeOf key="created" at={approval.created} />,
                  <TimeOf key="ends" at={approval.expires_at} />,
                ],
              }))}
            />
            <Pager
              action={paths('approvals')}
              query={status === '' ? {} : { status }}
              {...{ next, isFirst }}
              shown={approvals.length}
            />
          </>
        )}
      </Live>
    </ConsolePage>
  );
}
