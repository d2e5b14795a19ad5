import type { AdminNames } from '../../../src/modules/admins/api/name-admins.query';
import type { AuditEntryResource } from '../../../src/modules/audit/api/audit.contract';
import type { Fault, Place } from '../../http/given-filters';
import { Live } from '../../parts/card';
import { ConsolePage } from '../../parts/console-page';
import { DataTable } from '../../parts/data-table';
import { TextField } from '../../parts/fields';
import { Icon } from '../../parts/icon';
import { Empty, Filters, Pager, RefusedFilter } from '../../parts/list-parts';
import { usePaths } from '../../parts/signed-context';
import { spoken } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import { AUDIT_FILTERS, AuditFields } from './audit-fields';
import { ActorOf, actionWords } from './audit-words';

export type AuditView = Place &
  Fault & {
    readonly entries: readonly AuditEntryResource[];
    readonly names: AdminNames;
    /** The filters as typed. */
    readonly query: Readonly<Record<string, string>>;
  };

const COLUMNS = [
  { heading: 'Action' },
  { heading: 'Object' },
  { heading: 'Actor' },
  { heading: 'Mode' },
  { heading: 'Time' },
];
/** The entries with their actor, action and object, the newest first. */
export function AuditPage({ view }: { readonly view: AuditView }) {
  const { entries, names, query, fault, next, isFirst } = view;
  const paths = usePaths();
  const filters = new URLSearchParams(query);
  return (
    <ConsolePage
      title="Audit log"
      current="audit"
      actions={
        <a class="button" href={`${paths('audit/export')}${filters.size > 0 ? `?${filters}` : ''}`}>
          <Icon name="download" />
          Export
        </a>
      }
    >
      <Filters action={paths('audit')}>
        <AuditFields query={query} />
        <TextField name="from" type="date" label={AUDIT_FILTERS.from} value={query.from} />
        <TextField name="to" type="date" label={AUDIT_FILTERS.to} value={query.to} />
      </Filters>
      <Live id="entries" said={`${entries.length} shown`}>
        {fault !== null && <RefusedFilter fault={fault} />}
        {entries.length === 0 && fault === null && (
          <Empty icon="book-open" title="No such entry">
            <p>
              <a href={paths('audit')}>Show all entries</a>
            </p>
          </Empty>
        )}
        {entries.length > 0 && (
          <>
            <DataTable name="Audit log" columns={COLUMNS} rows={entries.map(entry => rowOf(entry, names, paths))} />
            <Pager action={paths('audit')} {...{ query, next, isFirst }} shown={entries.length} />
          </>
        )}
      </Live>
    </ConsolePage>
  );
}

function rowOf(
  { id, action, target, actor, mode, occurred_at }: AuditEntryResource,
  names: AdminNames,
  paths: (path: string) => string,
) {
  return {
    key: id,
    href: paths(`audit/${id}`),
    cells: [
      actionWords(action),
      names[target.id] ?? (
        <code key="target" class="wrapped">
          {target.id}
        </code>
      ),
      <span key="actor" class="brief">
        <ActorOf {...{ actor, names }} />
      </span>,
      spoken(mode),
      <TimeOf key="time" at={occurred_at} />,
    ],
  } as const;
}
