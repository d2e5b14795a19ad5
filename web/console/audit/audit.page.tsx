import type { AdminNames } from '../../../src/modules/admins/queries/name-admins.query';
import type { AuditEntryResource } from '../../../src/modules/audit/api/audit-entry.resource';
import { AUDIT_ACTIONS } from '../../../src/modules/audit/audit-rules';
import { UNIVERSES } from '../../../src/vocabulary/modes';
import type { Fault, Place } from '../../http/given-filters';
import { Live } from '../../parts/card';
import { ConsolePage } from '../../parts/console-page';
import { DataTable } from '../../parts/data-table';
import { SelectField, TextField, type Option } from '../../parts/fields';
import { Icon } from '../../parts/icon';
import { Empty, Filters, Pager, RefusedFilter } from '../../parts/list-parts';
import { usePaths } from '../../parts/signed-context';
import { spoken } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import { ActorOf, actionWords } from './audit-words';

export const AUDIT_FILTERS = {
  actor: 'Actor',
  target: 'Object',
  action: 'Action',
  merchant: 'Merchant',
  mode: 'Mode',
  from: 'From',
  to: 'To',
} as const;

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
const ACTIONS: readonly Option[] = [
  { value: '', text: 'Any action' },
  ...[...AUDIT_ACTIONS].sort().map(action => ({ value: action, text: actionWords(action) })),
];
const MODES: readonly Option[] = [
  { value: '', text: 'Any mode' },
  ...UNIVERSES.map(mode => ({ value: mode, text: spoken(mode) })),
];

/** The entries with their actor, action and object, the newest first. */
export function AuditPage({ view }: { readonly view: AuditView }) {
  const { entries, names, query, fault, next, isFirst } = view;
  const paths = usePaths();
  const field = <Name extends keyof typeof AUDIT_FILTERS>(name: Name) =>
    ({ name, label: AUDIT_FILTERS[name], value: query[name] ?? '' }) as const;
  return (
    <ConsolePage
      title="Audit log"
      current="audit"
      actions={
        <a class="button" href={paths('audit/export')}>
          <Icon name="download" />
          Export
        </a>
      }
    >
      <Filters action={paths('audit')}>
        <TextField {...field('actor')} placeholder="An id, or an administrator’s e-mail" />
        <TextField {...field('target')} placeholder="An id, such as mch_…" />
        <SelectField {...field('action')} options={ACTIONS} />
        <TextField {...field('merchant')} placeholder="mch_…" />
        <SelectField {...field('mode')} options={MODES} />
        <TextField {...field('from')} type="date" />
        <TextField {...field('to')} type="date" />
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
      names[target.id] ?? <code key="target">{target.id}</code>,
      <ActorOf key="actor" {...{ actor, names }} />,
      spoken(mode),
      <TimeOf key="time" at={occurred_at} />,
    ],
  } as const;
}
