import type { ReconciliationResource } from '../../../src/modules/books/api/reconciliations.contract';
import { dayOf } from '../../../src/modules/books/utc-day';
import type { WalletResource } from '../../../src/modules/wallets/api/wallets.contract';
import { Card, Live } from '../../parts/card';
import { useReader } from '../../parts/dashboard-context';
import { DashboardPage } from '../../parts/dashboard-page';
import { SelectField, TextField } from '../../parts/fields';
import { Icon } from '../../parts/icon';
import { Empty, Filters, Pager, RefusedFilter } from '../../parts/list-parts';
import { addressEnds, networkName } from '../../words/chain-names';
import { FaultNote } from '../../parts/note';
import { usePaths } from '../../parts/signed-context';
import type { Fault, Place } from '../../http/given-filters';
import { shortened } from '../shortened';
import { DayCard } from './day-card';

export type BooksView = Place &
  Fault & {
    /** The filters as they were typed, without the place in the list. */
    readonly query: Readonly<Record<string, string>>;
    /** The wallets to choose from, among them those of the days. */
    readonly wallets: readonly WalletResource[];
    readonly days: readonly ReconciliationResource[];
  };

export const BOOK_FILTERS = { wallet: 'Wallet', from: 'From', to: 'To' } as const;

const LABEL_LENGTH = 40;
const MONTH_LENGTH = '2026-11'.length;

type BooksPageProps = {
  readonly view: BooksView;
  /** Why the month of a statement was refused. */
  readonly monthFault?: string | null;
};

/** Each day of each wallet, as the chain and the service have it. */
export function BooksPage({ view, monthFault = null }: BooksPageProps) {
  return (
    <DashboardPage title="Books" current="books">
      <p>
        Once a day of UTC is final, the balance of each wallet on the chain is compared with the transfers that are
        known here.
      </p>
      <BookFilters view={view} />
      <Live id="days">
        <Found view={view} />
      </Live>
      <Statement fault={monthFault} />
    </DashboardPage>
  );
}

function BookFilters({ view: { query, wallets } }: { readonly view: BooksView }) {
  const paths = usePaths();
  const options = [{ value: '', text: 'All wallets' }, ...wallets.map(optionOf)];
  return (
    <Filters action={paths('books')}>
      <SelectField name="wallet" label={BOOK_FILTERS.wallet} isOptional options={options} value={query.wallet} />
      <TextField name="from" type="date" label={BOOK_FILTERS.from} isOptional value={query.from} />
      <TextField name="to" type="date" label={BOOK_FILTERS.to} isOptional value={query.to} />
    </Filters>
  );
}

function optionOf({ id, label, network_id: network, address }: WalletResource) {
  return { value: id, text: `${shortened(label, LABEL_LENGTH)}, ${networkName(network)}, ${addressEnds(address)}` };
}

function Found({ view: { days, wallets, fault, query, next, isFirst } }: { readonly view: BooksView }) {
  const paths = usePaths();
  if (fault !== null) return <RefusedFilter fault={fault} />;
  if (days.length === 0) return <NoDays isFiltered={Object.keys(query).length > 0} isFirst={isFirst} />;
  return (
    <>
      {days.map(day => (
        <DayCard key={day.id} day={day} wallet={wallets.find(({ id }) => id === day.wallet) ?? null} />
      ))}
      <Pager action={paths('books')} {...{ query, next, isFirst }} shown={days.length} />
    </>
  );
}

function NoDays({ isFiltered, isFirst }: { readonly isFiltered: boolean; readonly isFirst: boolean }) {
  const paths = usePaths();
  if (isFiltered || !isFirst)
    return (
      <Empty icon="search" title={isFirst ? 'No day passes these filters' : 'No older days'}>
        <a href={paths('books')}>All days</a>
      </Empty>
    );
  return (
    <Empty icon="book-open" title="No day is closed yet">
      <p>The first one comes on the day after a wallet is verified.</p>
    </Empty>
  );
}

/** The month's figures for an accountant. */
function Statement({ fault }: { readonly fault: string | null }) {
  const paths = usePaths();
  const { nowMs } = useReader();
  return (
    <Card title="Statement of a month">
      {fault !== null && <FaultNote text={fault} />}
      <p>A PDF with the sums of each wallet and token, for an accountant.</p>
      <form method="get" action={paths('books/statement')} class="form">
        <TextField
          name="month"
          label="Month"
          hint="A year and a month of UTC, such as 2026-11."
          maxLength={MONTH_LENGTH}
          value={dayOf(nowMs).slice(0, MONTH_LENGTH)}
        />
        <button type="submit" class="button">
          <Icon name="download" />
          Statement as PDF
        </button>
      </form>
    </Card>
  );
}
