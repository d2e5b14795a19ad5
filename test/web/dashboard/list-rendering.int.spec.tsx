import type { PaymentRow } from '../../../src/modules/payment-intents/queries/find-payments.query';
import { STATUSES } from '../../../src/modules/payment-intents/payment-intent.transitions';
import { isoTime } from '../../../src/kernel/clock';
import { PaymentsPage } from '../../../web/dashboard/payments/payments.page';
import { cpuMs } from '../../support/longest-hold';
import { renderedFor } from './rendered-dashboard';

const ROWS = 100;
const CELLS = 6;
/** Enough for the compiler of node to have done its work. */
const WARM_UP = 150;
/** The median of the rounds counts: another process takes the caches, or memory is cleared, in some of them. */
const ROUNDS = 25;
const RENDERS = 4;
/** Milliseconds of CPU time for a list of 100 rows, on a machine that renders the plain table in PLAIN_MS. */
const BUDGET_MS = 3;
const PLAIN_MS = 0.3;
/** A list has links, times, badges and amounts where the plain table has texts. */
const RATIO_LIMIT = 11;
const MINUTE_MS = 60_000;

const rows = Array.from({ length: ROWS }, (_, index): PaymentRow => {
  const status = STATUSES[index % STATUSES.length] ?? 'created';
  return {
    ...{ id: `pi_${String(index).padStart(26, '0')}`, status, needsDecision: index % 7 === 0, reviewReason: null },
    ...{ isInferred: false, isHoldOpen: index % 11 === 0, isRejected: index % 13 === 0 },
    created: isoTime(Date.UTC(2026, 10, 1) - index * MINUTE_MS),
    ...{ amountMinorUnits: String(2_500 + index * 37), currency: 'EUR', currencyDecimals: 2 },
    ...{ receivedMinorUnits: '2500', receivedTokenAmount: `27.${index}`, asset: 'USDC', networkId: 'base' },
    ...{ description: `Order ${index}`, metadata: { order: String(index) } },
  };
});

function List() {
  const found = { rows, next: 'pi_1', isCut: false };
  return <PaymentsPage view={{ query: {}, isFiltered: false, isFirst: true, found, fault: null }} />;
}

/** As many rows and cells, which are fixed texts. */
function PlainTable() {
  return (
    <table>
      <tbody>
        {rows.map(({ id }) => (
          <tr key={id}>
            {Array.from({ length: CELLS }, (_, cell) => (
              <td key={cell}>{id}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The CPU time of one rendering in milliseconds. The pages take turns, so that all meet the same machine. */
function measured(pages: readonly (() => string)[]): readonly number[] {
  for (let turn = 0; turn < WARM_UP; turn++) for (const page of pages) page();
  const rounds = Array.from({ length: ROUNDS }, () => pages.map(cpuOf));
  return pages.map((_, index) => median(rounds.map(round => round[index] ?? Infinity)));
}

function cpuOf(page: () => string): number {
  const before = cpuMs();
  for (let turn = 0; turn < RENDERS; turn++) page();
  return (cpuMs() - before) / RENDERS;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Infinity;
}

it(`renders a list of ${ROWS} within its CPU time`, () => {
  const [list = 0, plain = 0] = measured([() => renderedFor(<List />), () => renderedFor(<PlainTable />)]);
  console.info(`a list of ${ROWS}: ${list.toFixed(2)} ms of CPU time, a plain table: ${plain.toFixed(2)} ms`);
  expect(list / plain).toBeLessThan(RATIO_LIMIT);
  expect(list).toBeLessThan(BUDGET_MS * Math.max(1, plain / PLAIN_MS));
});
