import { startOfDay } from '../../../src/kernel/clock';
import type { HomeView } from '../../../src/modules/home/queries/home-view';
import type { CurrencyTakings, DayTakings } from '../../../src/modules/home/takings-by-day';
import { currencyDecimals } from '../../../src/vocabulary/currencies';
import { Bars } from '../../parts/bars';
import { Card, Figure } from '../../parts/card';
import { Note } from '../../parts/note';
import { usePage } from '../../parts/page-context';
import { usePaths } from '../../parts/signed-context';
import { plural } from '../../words/plural';

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** The takings in one currency: today's, and those of each of the last days. */
export function TakingsCard({ takings: { currency, days } }: { readonly takings: CurrencyTakings }) {
  const { language } = usePage();
  const money = (minorUnits: bigint) =>
    language.money(minorUnits.toString(), currency, currencyDecimals(currency) ?? 0);
  const all = days.reduce((sum, { minorUnits }) => sum + minorUnits, 0n);
  const payments = days.reduce((sum, each) => sum + each.payments, 0);
  const today = days.at(-1);
  return (
    <Card title={`Takings in ${currency}`} class="takings">
      <div class="figures">
        <Figure label="Today" value={money(today?.minorUnits ?? 0n)} note={plural(today?.payments ?? 0, 'payment')} />
        <Figure label={`Last ${days.length} days`} value={money(all)} note={plural(payments, 'payment')} />
      </div>
      <Bars
        label={`Takings in ${currency} by day, from ${dayText(days[0])} to ${dayText(today)}`}
        headings={['Day', 'Takings']}
        bars={days.map(day => ({
          label: dayText(day),
          value: day.minorUnits,
          text: money(day.minorUnits),
          ...(day === days[0] && { mark: dayText(day) }),
          ...(day === today && { mark: 'Today' }),
        }))}
      />
    </Card>
  );
}

/** Takings keep what was lost after it had counted, and say so. */
export function Lost({ lost: { transfers, payments } }: Pick<HomeView, 'lost'>) {
  const paths = usePaths();
  if (transfers === 0) return null;
  return (
    <Note tone="warn" icon="triangle-alert">
      <p>
        {plural(transfers, 'transfer')} of settled payments {transfers === 1 ? 'was' : 'were'} lost on the chain in
        these days. The takings still contain them.
      </p>
      <ul>
        {payments.map(id => (
          <li key={id}>
            <a href={paths(`payments/${id}`)}>{id}</a>
          </li>
        ))}
      </ul>
    </Note>
  );
}

function dayText(day: DayTakings | undefined): string {
  return day === undefined ? '' : DAY.format(startOfDay(day.day));
}
