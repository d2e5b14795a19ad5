import { DataTable } from '../../parts/data-table';
import { Live } from '../../parts/card';
import { DashboardPage } from '../../parts/dashboard-page';
import { SelectField, TextField } from '../../parts/fields';
import { Empty, Filters, Pager, RefusedFilter } from '../../parts/list-parts';
import { usePaths } from '../../parts/signed-context';
import { TimeOf } from '../../parts/time-of';
import type { Fault, Place } from '../../http/given-filters';
import { StatusCode } from './status-code';

type ListedRequest = {
  readonly request_id: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: string | null;
  readonly created: string;
  readonly ms: number;
};

type RequestsPageProps = Place &
  Fault & {
    readonly requests: readonly ListedRequest[];
    readonly filters: Readonly<Record<keyof typeof REQUEST_FILTERS, string>>;
  };

export const REQUEST_FILTERS = { status: 'Status', path: 'Path begins with', key: 'Key' } as const;

const CLASSES = [
  { value: '', text: 'Any status' },
  { value: '2', text: '2xx: done' },
  { value: '4', text: '4xx: refused' },
  { value: '5', text: '5xx: failed' },
];

/** The requests of an account's keys, the newest first. */
export function RequestsPage({ requests, filters, fault, next, isFirst }: RequestsPageProps) {
  const paths = usePaths();
  const field = <Name extends keyof typeof REQUEST_FILTERS>(name: Name) =>
    ({ name, label: REQUEST_FILTERS[name], value: filters[name] }) as const;
  const isFiltered = Object.values(filters).some(value => value !== '');
  return (
    <DashboardPage title="Requests" current="requests">
      <Filters action={paths('requests')}>
        <SelectField {...field('status')} options={CLASSES} />
        <TextField {...field('path')} placeholder="/v1/payment_intents" />
        <TextField {...field('key')} placeholder="key_…" />
      </Filters>
      <Live id="requests">
        {fault !== null && <RefusedFilter fault={fault} />}
        {requests.length === 0 && fault === null && <Nothing isFiltered={isFiltered || !isFirst} />}
        {requests.length > 0 && (
          <DataTable
            name="Requests"
            columns={[
              { heading: 'Request' },
              { heading: 'Status' },
              { heading: 'Code' },
              { heading: 'Time' },
              { heading: 'Taken', isNumber: true },
            ]}
            rows={requests.map(({ request_id: id, method, path, status, code, created, ms }) => ({
              key: id,
              href: paths(`requests/${id}`),
              cells: [
                <span key="request" class="wrapped">
                  {method} {path}
                </span>,
                <StatusCode key="status" status={status} />,
                code ?? '–',
                <TimeOf key="time" at={created} />,
                `${ms} ms`,
              ],
            }))}
          />
        )}
        {(requests.length > 0 || !isFirst || next !== null) && (
          <Pager action={paths('requests')} query={filters} next={next} isFirst={isFirst} shown={requests.length} />
        )}
      </Live>
    </DashboardPage>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  const paths = usePaths();
  if (isFiltered)
    return (
      <Empty icon="scroll-text" title="No such request here">
        <p>
          Requests are kept for 30 days. <a href={paths('requests')}>Show all requests</a>
        </p>
      </Empty>
    );
  return (
    <Empty icon="scroll-text" title="No key has sent a request yet">
      <p>
        Each request of your keys in this mode is listed here, with its answer. <a href={paths('keys')}>API keys</a>
      </p>
    </Empty>
  );
}
