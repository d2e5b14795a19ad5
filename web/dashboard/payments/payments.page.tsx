import type { FoundPayments, PaymentRow } from '../../../src/modules/payment-intents/queries/find-payments.query';
import { STATUSES } from '../../../src/modules/payment-intents/payment-intent.transitions';
import { NETWORKS } from '../../../src/vocabulary/networks';
import { TOKEN_IDS } from '../../../src/vocabulary/tokens';
import { Live } from '../../parts/card';
import { useMay } from '../../parts/dashboard-context';
import { DashboardPage } from '../../parts/dashboard-page';
import { DataTable, type Row } from '../../parts/data-table';
import { SelectField, TextField, type Option } from '../../parts/fields';
import { Icon } from '../../parts/icon';
import { Empty, Filters, NoOlder, Pager, RefusedFilter, Tabs } from '../../parts/list-parts';
import { Money } from '../../parts/money';
import { Note } from '../../parts/note';
import { usePaths } from '../../parts/signed-context';
import { Badge, spoken, StatusBadge } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import { tokenName } from '../../words/chain-names';
import { ExportLink } from '../export-link';
import type { Fault } from '../../http/given-filters';
import { shortened } from '../shortened';

export type PaymentsView = Fault & {
  /** The filters as they were typed, without the place in the list. */
  readonly query: Readonly<Record<string, string>>;
  readonly isFiltered: boolean;
  readonly isFirst: boolean;
  readonly found: FoundPayments;
};

export const PAYMENT_FILTERS = {
  ...{ search: 'Search', status: 'Status', token_id: 'Token', amount: 'Amount', currency: 'Currency' },
  ...{ created_from: 'Created from', created_to: 'Created to' },
} as const;

const COLUMNS = [
  { heading: 'Amount', isNumber: true },
  { heading: 'Status' },
  { heading: 'Received', isNumber: true },
  { heading: 'Network' },
  { heading: 'About' },
  { heading: 'Created' },
];
const ANY: Option = { value: '', text: 'Any' };
const STATUS_OPTIONS: readonly Option[] = [
  ANY,
  { value: 'needs_decision', text: 'Needs a decision' },
  { value: 'held', text: 'Under a hold' },
  ...STATUSES.map(status => ({ value: status, text: spoken(status) })),
];
const TOKEN_OPTIONS: readonly Option[] = [ANY, ...TOKEN_IDS.map(id => ({ value: id, text: tokenName(id) }))];
const TABS = [
  ['', 'All'],
  ['needs_decision', 'To review'],
  ['awaiting_payment', 'Awaiting payment'],
  ['confirmed', 'Confirmed'],
  ['expired', 'Expired'],
] as const;
const FOLDED = ['token_id', 'amount', 'currency', 'created_from', 'created_to'] as const;
const ABOUT_LENGTH = 32;
const LEAST_OF_NAME = 10;

/** The payments of a mode: filtered, searched, newest first. */
export function PaymentsPage({ view }: { readonly view: PaymentsView }) {
  return (
    <DashboardPage title="Payments" current="payments" actions={<Actions />}>
      <StatusTabs query={view.query} />
      <PaymentFilters query={view.query} />
      <Live id="payments">
        <Found view={view} />
      </Live>
    </DashboardPage>
  );
}

function Actions() {
  const paths = usePaths();
  const mayCreate = useMay('payment.create');
  return (
    <>
      <ExportLink kind="payments" />
      {mayCreate && (
        <a class="button main" href={paths('payments/new')}>
          <Icon name="file-plus" />
          New payment
        </a>
      )}
    </>
  );
}

function StatusTabs({ query }: { readonly query: PaymentsView['query'] }) {
  const paths = usePaths();
  const { status: chosen = '', ...others } = query;
  const tabs = TABS.map(([status, text]) => {
    const wanted = new URLSearchParams({ ...others, ...(status !== '' && { status }) });
    const href = paths('payments') + (wanted.size > 0 ? `?${wanted}` : '');
    return { text, href, isCurrent: status === chosen };
  });
  return <Tabs label="Kinds of payments" tabs={tabs} />;
}

function PaymentFilters({ query }: { readonly query: PaymentsView['query'] }) {
  const paths = usePaths();
  return (
    <Filters action={paths('payments')}>
      <TextField
        name="search"
        type="search"
        label={PAYMENT_FILTERS.search}
        isOptional
        placeholder="Id, hash, address or metadata"
        maxLength={541}
        value={query.search}
      />
      <details class="more" id="more-filters" open={FOLDED.some(name => query[name] !== undefined)}>
        <summary>More filters</summary>
        <div class="more-fields">
          <FoldedFields query={query} />
        </div>
      </details>
    </Filters>
  );
}

function FoldedFields({ query }: { readonly query: PaymentsView['query'] }) {
  const field = <Name extends keyof typeof PAYMENT_FILTERS>(name: Name) =>
    ({ name, label: PAYMENT_FILTERS[name], value: query[name], isOptional: true }) as const;
  return (
    <>
      <SelectField {...field('status')} options={STATUS_OPTIONS} />
      <SelectField {...field('token_id')} options={TOKEN_OPTIONS} />
      <TextField {...field('amount')} keyboard="decimal" maxLength={40} />
      <TextField {...field('currency')} maxLength={3} placeholder="EUR" />
      <TextField {...field('created_from')} type="date" />
      <TextField {...field('created_to')} type="date" />
    </>
  );
}

function Found({ view }: { readonly view: PaymentsView }) {
  const { found, fault, query, isFirst } = view;
  const paths = usePaths();
  if (fault !== null) return <RefusedFilter fault={fault} />;
  const { rows, next, isCut } = found;
  return (
    <>
      {rows.length > 0 && <PaymentTable name="Payments" rows={rows} />}
      {isCut && <CutNote />}
      {rows.length === 0 && !isCut && <NoPayments view={view} />}
      {(rows.length > 0 || isCut) && (
        <Pager action={paths('payments')} query={query} next={next} isFirst={isFirst} shown={rows.length} />
      )}
    </>
  );
}

function CutNote() {
  return (
    <Note tone="info" icon="info">
      <p>So far nothing more was found. “Older” goes on looking.</p>
    </Note>
  );
}

function NoPayments({ view: { isFiltered, isFirst } }: { readonly view: PaymentsView }) {
  const paths = usePaths();
  const mayCreate = useMay('payment.create');
  if (!isFirst) return <NoOlder icon="arrow-left-right" objects="payments" newest={paths('payments')} />;
  if (isFiltered)
    return (
      <Empty icon="search" title="No payment passes these filters">
        <p>The search finds whole ids, hashes, addresses and values of metadata, not parts of them.</p>
        <a href={paths('payments')}>All payments</a>
      </Empty>
    );
  return (
    <Empty icon="arrow-left-right" title="No payments yet">
      <p>A payment is made by your shop through the API, by a link, by an invoice, or here by hand.</p>
      {mayCreate && <a href={paths('payments/new')}>Make a payment</a>}
    </Empty>
  );
}

/** Payments as lines, each of which leads to its payment. */
function PaymentTable({ name, rows }: { readonly name: string; readonly rows: readonly PaymentRow[] }) {
  const paths = usePaths();
  return <DataTable name={name} columns={COLUMNS} rows={rows.map(row => lineOf(row, paths(`payments/${row.id}`)))} />;
}

function lineOf(row: PaymentRow, href: string): Row {
  const { currency, currencyDecimals: decimals, receivedTokenAmount, asset, networkId, created } = row;
  const hasReceived = receivedTokenAmount !== null && row.receivedMinorUnits !== '0';
  return {
    key: row.id,
    href,
    cells: [
      <Money key="amount" {...{ currency, decimals }} minorUnits={row.amountMinorUnits} />,
      <Standing key="status" {...row} />,
      hasReceived ? `${receivedTokenAmount} ${asset}` : '–',
      networkId === null ? '–' : NETWORKS[networkId].name,
      <span key="about" class="brief">
        {about(row)}
      </span>,
      <TimeOf key="created" at={created} />,
    ],
  };
}

type StandingProps = Pick<PaymentRow, 'status' | 'isHoldOpen' | 'isRejected'> & { readonly needsDecision?: boolean };

/** The payment's status, and the decisions on it. */
export function Standing({ status, isHoldOpen, isRejected, needsDecision = false }: StandingProps) {
  return (
    <span class="standing">
      <StatusBadge status={status} />
      {isHoldOpen && <Badge tone="warn" text="Held" />}
      {needsDecision && !isHoldOpen && <Badge tone="review" text="Decide" />}
      {isRejected && <Badge tone="bad" text="Rejected" />}
    </span>
  );
}

/** The words by which a shop knows its payment: the description, otherwise the first of the metadata. */
export function about({ description, metadata }: Pick<PaymentRow, 'description' | 'metadata'>): string {
  const [first] = Object.entries(metadata);
  return shortened(description ?? (first ? named(...first) : '–'), ABOUT_LENGTH);
}

/** A long name gives way to its value, which tells one payment from another. */
function named(name: string, value: string): string {
  const room = ABOUT_LENGTH - [...`…: ${value}`].length;
  return `${[...name].length > room ? shortened(name, Math.max(room, LEAST_OF_NAME)) : name}: ${value}`;
}
