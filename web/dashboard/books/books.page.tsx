import type { ReconciliationResource } from '../../../src/modules/books/api/reconciliations.contract';
import { dayOf } from '../../../src/modules/books/utc-day';
import { Card, Live } from '../../parts/card';
import { useReader } from '../../parts/dashboard-context';
import { DashboardPage } from '../../parts/dashboard-page';
import { usePaths } from '../../parts/dashboard-path';
import { TextField } from '../../parts/fields';
import { Icon } from '../../parts/icon';
import { Empty, Filters, Pager } from '../../parts/list-parts';
import { Note } from '../../parts/note';
import type { Place } from '../given-filters';
import { DayCard } from './day-card';

export type BooksView = Place & {
  /** The filters as they were typed, without the place in the list. */
  readonly query: Readonly<Record<string, string>>;
  readonly days: readonly ReconciliationResource[];
  /** The reason why a filter cannot be read. */
  readonly fault: string | null;
};

const MONTH_LENGTH = '2026-11'.length;

/** Each day of each wallet, as the chain and the service have it. */
export function BooksPage({ view }: { readonly view: BooksView }) {
  return (
    <DashboardPage title="Books" current="books">
      <p>
        Once a day of UTC is final, the balance of each wallet on the chain is compared with the transfers that are
        known here.
      </p>
      <BookFilters query={view.query} />
      <Live id="days">
        <Found view={view} />
      </Live>
      <Statement />
    </DashboardPage>
  );
}

function BookFilters({ query }: Pick<BooksView, 'query'>) {
  const paths = usePaths();
  return (
    <Filters action={paths('books')}>
      <TextField name="wallet" label="Wallet" isOptional placeholder="wal_…" maxLength={30} value={query.wallet} />
      <TextField name="from" type="date" label="From" isOptional value={query.from} />
      <TextField name="to" type="date" label="To" isOptional value={query.to} />
    </Filters>
  );
}

function Found({ view: { days, fault, query, next, isFirst } }: { readonly view: BooksView }) {
  const paths = usePaths();
  if (fault !== null)
    return (
      <Note tone="warn" icon="triangle-alert">
        <p>{fault}</p>
      </Note>
    );
  if (days.length === 0) return <NoDays isFiltered={Object.keys(query).length > 0} isFirst={isFirst} />;
  return (
    <>
      {days.map(day => (
        <DayCard key={day.id} day={day} />
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
function Statement() {
  const paths = usePaths();
  const { nowMs } = useReader();
  return (
    <Card title="Statement of a month">
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
