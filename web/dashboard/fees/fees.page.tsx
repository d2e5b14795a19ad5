import type { ComponentChildren } from 'preact';
import type {
  FeeBalanceResource,
  FeeEntryResource,
  FeeInvoiceResource,
} from '../../../src/modules/fees/api/fees.contract';
import { Figure, Live } from '../../parts/card';
import { useDashboard } from '../../parts/dashboard-context';
import { DashboardPage } from '../../parts/dashboard-page';
import { DataTable, type Row } from '../../parts/data-table';
import { Empty, NoOlder, Pager, Tabs } from '../../parts/list-parts';
import { Money } from '../../parts/money';
import { usePaths } from '../../parts/signed-context';
import { spoken } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import { ExportLink } from '../export-link';
import type { Place } from '../../http/given-filters';
import { FeeInvoiceBadge } from './fee-invoice.page';

export type FeesView = Place & {
  readonly entries: readonly FeeEntryResource[];
  readonly outstanding: FeeBalanceResource['outstanding'];
};
export type FeeInvoicesView = Place & { readonly invoices: readonly FeeInvoiceResource[] };

const ROWS = [
  { heading: 'Amount', isNumber: true },
  { heading: 'Kind' },
  { heading: 'For' },
  { heading: 'Memo' },
  { heading: 'Booked' },
];
const INVOICES = [
  { heading: 'Number' },
  { heading: 'Amount', isNumber: true },
  { heading: 'Status' },
  { heading: 'Due' },
  { heading: 'Made' },
];

/** The rows of the fee ledger, and the fees that no fee invoice asks for yet. */
export function FeesPage({ view }: { readonly view: FeesView }) {
  const paths = usePaths();
  const { entries, next, isFirst } = view;
  return (
    <FeesFrame title="Fees" isLedger>
      <Outstanding outstanding={view.outstanding} />
      <Live id="rows">
        {entries.length === 0 ? (
          <NoRows isFirst={isFirst} />
        ) : (
          <>
            <DataTable name="Fee ledger" columns={ROWS} rows={entries.map(entry => rowOf(entry, paths))} />
            <Pager action={paths('fees')} {...{ next, isFirst }} shown={entries.length} />
          </>
        )}
      </Live>
    </FeesFrame>
  );
}

type FrameProps = { readonly title: string; readonly isLedger?: boolean; readonly children: ComponentChildren };

function FeesFrame({ title, isLedger = false, children }: FrameProps) {
  const paths = usePaths();
  const tabs = [
    { text: 'Ledger', href: paths('fees'), isCurrent: isLedger },
    { text: 'Fee invoices', href: paths('fees/invoices'), isCurrent: !isLedger },
  ];
  return (
    <DashboardPage title={title} heading="Fees" current="fees" actions={<ExportLink kind="fees" />}>
      <Tabs label="Fees" tabs={tabs} />
      {children}
    </DashboardPage>
  );
}

function Outstanding({ outstanding }: Pick<FeesView, 'outstanding'>) {
  return (
    <section class="card" id="outstanding" data-live>
      <h2>Not invoiced yet</h2>
      {outstanding.length === 0 ? (
        <p>Nothing is outstanding.</p>
      ) : (
        <div class="figures">
          {outstanding.map(({ currency, currency_decimals: decimals, amount }) => (
            <Figure key={currency} label={currency} value={<Money minorUnits={amount} {...{ currency, decimals }} />} />
          ))}
        </div>
      )}
    </section>
  );
}

function rowOf(entry: FeeEntryResource, paths: (path: string) => string): Row {
  const { id, kind, amount, currency, currency_decimals: decimals, memo, created } = entry;
  const { payment_intent: payment, fee_invoice: invoice } = entry;
  return {
    key: id,
    cells: [
      <Money key="amount" minorUnits={amount} {...{ currency, decimals }} />,
      spoken(kind),
      <>
        {payment !== null && <a href={paths(`payments/${payment}`)}>Payment {payment.slice(-6)}</a>}
        {invoice !== null && <a href={paths(`fees/invoices/${invoice}`)}>Fee invoice {invoice.slice(-6)}</a>}
        {payment === null && invoice === null && '–'}
      </>,
      memo === null ? (
        '–'
      ) : (
        <span key="memo" class="long-text">
          {memo}
        </span>
      ),
      <TimeOf key="created" at={created} />,
    ],
  };
}

function NoRows({ isFirst }: Pick<Place, 'isFirst'>) {
  const paths = usePaths();
  if (!isFirst) return <NoOlder icon="percent" objects="rows" newest={paths('fees')} />;
  return (
    <Empty icon="percent" title="No fees yet">
      <p>A payment that is confirmed or overpaid has one fee. Its row comes some moments after the payment.</p>
    </Empty>
  );
}

/** The invoices by which the service asks for its fees. */
export function FeeInvoicesPage({ view: { invoices, next, isFirst } }: { readonly view: FeeInvoicesView }) {
  const paths = usePaths();
  return (
    <FeesFrame title="Fee invoices">
      <Live id="fee-invoices">
        {invoices.length === 0 ? (
          <NoInvoices isFirst={isFirst} />
        ) : (
          <>
            <DataTable name="Fee invoices" columns={INVOICES} rows={invoices.map(each => invoiceRow(each, paths))} />
            <Pager action={paths('fees/invoices')} {...{ next, isFirst }} shown={invoices.length} />
          </>
        )}
      </Live>
    </FeesFrame>
  );
}

function invoiceRow(invoice: FeeInvoiceResource, paths: (path: string) => string): Row {
  const { id, number, amount, currency, currency_decimals: decimals, due_at: due, created } = invoice;
  return {
    key: id,
    href: paths(`fees/invoices/${id}`),
    cells: [
      number,
      <Money key="amount" minorUnits={amount} {...{ currency, decimals }} />,
      <FeeInvoiceBadge key="status" invoice={invoice} />,
      <TimeOf key="due" at={due} as="day" />,
      <TimeOf key="created" at={created} as="day" />,
    ],
  };
}

function NoInvoices({ isFirst }: Pick<Place, 'isFirst'>) {
  const { mode } = useDashboard();
  const paths = usePaths();
  if (!isFirst) return <NoOlder icon="file-text" objects="fee invoices" newest={paths('fees/invoices')} />;
  return (
    <Empty icon="file-text" title={mode === 'test' ? 'Test mode has no fee invoices' : 'No fee invoices yet'}>
      {mode === 'test' && <p>Fees of test mode are reckoned, and never asked for.</p>}
    </Empty>
  );
}
