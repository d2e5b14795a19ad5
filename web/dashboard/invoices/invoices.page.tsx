import type { InvoiceResource } from '../../../src/modules/invoices/api/invoices.contract';
import { INVOICE_STATUSES } from '../../../src/modules/invoices/invoice.state';
import { Live } from '../../parts/card';
import { useMay } from '../../parts/dashboard-context';
import { DashboardPage } from '../../parts/dashboard-page';
import { DataTable, type Row } from '../../parts/data-table';
import { Icon } from '../../parts/icon';
import { Empty, Pager, RefusedFilter, Tabs } from '../../parts/list-parts';
import { usePaths } from '../../parts/signed-context';
import { spoken } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import { ExportLink } from '../export-link';
import type { Fault, Place } from '../../http/given-filters';
import { shortened } from '../shortened';
import { InvoiceBadge, Sum } from './invoice-parts';

export type InvoicesView = Place &
  Fault & {
    readonly invoices: readonly InvoiceResource[];
    /** The filter as it was given; null where all invoices are listed. */
    readonly status: string | null;
  };

const COLUMNS = [
  { heading: 'Number' },
  { heading: 'Amount', isNumber: true },
  { heading: 'Status' },
  { heading: 'Customer' },
  { heading: 'Due' },
  { heading: 'Drafted' },
];
const NAME_LENGTH = 40;

/** The invoices of a mode, newest number first. */
export function InvoicesPage({ view }: { readonly view: InvoicesView }) {
  const paths = usePaths();
  const tabs = [null, ...INVOICE_STATUSES].map(status => ({
    text: status === null ? 'All' : spoken(status),
    href: paths(status === null ? 'invoices' : `invoices?status=${status}`),
    isCurrent: status === view.status,
  }));
  return (
    <DashboardPage title="Invoices" current="invoices" actions={<Actions />}>
      <Tabs label="Kinds of invoices" tabs={tabs} />
      <Live id="invoices">
        <Found view={view} />
      </Live>
    </DashboardPage>
  );
}

function Actions() {
  const paths = usePaths();
  const mayManage = useMay('invoice.manage');
  return (
    <>
      <ExportLink kind="invoices" />
      {mayManage && (
        <a class="button main" href={paths('invoices/new')}>
          <Icon name="file-plus" />
          New invoice
        </a>
      )}
    </>
  );
}

function Found({ view: { invoices, status, fault, next, isFirst } }: { readonly view: InvoicesView }) {
  const paths = usePaths();
  if (fault !== null) return <RefusedFilter fault={fault} />;
  if (invoices.length === 0) return <NoInvoices isFiltered={status !== null} isFirst={isFirst} />;
  const query: Readonly<Record<string, string>> = status === null ? {} : { status };
  const rows = invoices.map(invoice => rowOf(invoice, paths(`invoices/${invoice.id}`)));
  return (
    <>
      <DataTable name="Invoices" columns={COLUMNS} rows={rows} />
      <Pager action={paths('invoices')} {...{ query, next, isFirst }} shown={invoices.length} />
    </>
  );
}

function rowOf(invoice: InvoiceResource, href: string): Row {
  return {
    key: invoice.id,
    href,
    cells: [
      invoice.number,
      <Sum key="amount" invoice={invoice} minorUnits={invoice.amount} />,
      <InvoiceBadge key="status" invoice={invoice} />,
      shortened(invoice.customer?.name ?? '–', NAME_LENGTH),
      invoice.due_at === null ? '–' : <TimeOf key="due" at={invoice.due_at} as="day" />,
      <TimeOf key="created" at={invoice.created} as="day" />,
    ],
  };
}

function NoInvoices({ isFiltered, isFirst }: { readonly isFiltered: boolean; readonly isFirst: boolean }) {
  const paths = usePaths();
  const mayManage = useMay('invoice.manage');
  if (isFiltered || !isFirst)
    return (
      <Empty icon="search" title={isFirst ? 'No invoice in this state' : 'No older invoices'}>
        <a href={paths('invoices')}>All invoices</a>
      </Empty>
    );
  return (
    <Empty icon="file-text" title="No invoices yet">
      <p>An invoice has a number, lines and a page of its own, by which its customer pays.</p>
      {mayManage && <a href={paths('invoices/new')}>Draft an invoice</a>}
    </Empty>
  );
}
