import { DataTable } from '../../parts/data-table';
import { Live } from '../../parts/card';
import { DashboardPage } from '../../parts/dashboard-page';
import { usePaths } from '../../parts/dashboard-path';
import { SelectField, TextField } from '../../parts/fields';
import { Empty, Filters, Pager } from '../../parts/list-parts';
import { TimeOf } from '../../parts/time-of';
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

type RequestsPageProps = {
  readonly requests: readonly ListedRequest[];
  /** The id behind which older requests are looked for; null where there are none. */
  readonly next: string | null;
  readonly filters: { readonly status: string; readonly path: string; readonly key: string };
  readonly isFirst: boolean;
};

const CLASSES = [
  { value: '', text: 'Any status' },
  { value: '2', text: '2xx: done' },
  { value: '4', text: '4xx: refused' },
  { value: '5', text: '5xx: failed' },
];

/** The requests of an account's keys, the newest first. */
export function RequestsPage({ requests, next, filters, isFirst }: RequestsPageProps) {
  const paths = usePaths();
  const isFiltered = Object.values(filters).some(value => value !== '');
  return (
    <DashboardPage title="Requests" current="requests">
      <Filters action={paths('requests')}>
        <SelectField name="status" label="Status" value={filters.status} options={CLASSES} />
        <TextField name="path" label="Path begins with" value={filters.path} placeholder="/v1/payment_intents" />
        <TextField name="key" label="Key" value={filters.key} placeholder="key_…" />
      </Filters>
      <Live id="requests">
        {requests.length === 0 ? (
          <Nothing isFiltered={isFiltered || !isFirst} />
        ) : (
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
        <Pager action={paths('requests')} query={filters} next={next} isFirst={isFirst} shown={requests.length} />
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
