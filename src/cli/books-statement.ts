import { formatTokenAmount, TOKENS } from '../vocabulary/tokens';
import type { ReconciliationDocument } from '../modules/books/reconciliations.read-model';

const SUMS = ['credited', 'unmatched', 'unrelated', 'dust', 'sent', 'difference'] as const;
const COLUMNS = [
  ...['month', 'mode', 'merchant', 'wallet', 'network', 'token', 'opening', ...SUMS, 'closing', 'transfers'],
  ...['days', 'days_different', 'days_pending'],
];

/** A wallet's month in one token. `opening` and `closing` are null where no balance was observed. */
type Month = {
  readonly of: Pick<ReconciliationDocument, 'mode' | 'merchant_id' | 'wallet' | 'token_id'>;
  readonly opening: string | null;
  closing: string | null;
  readonly sums: Record<(typeof SUMS)[number], bigint>;
  transfers: number;
  days: number;
  different: number;
  pending: number;
};

/** Adds up days to months, one for each wallet and token. The days of each come in their order. */
export class BooksStatement {
  private readonly months = new Map<string, Month>();

  constructor(private readonly month: string) {}

  add(day: ReconciliationDocument): void {
    const key = `${day.wallet} ${day.token_id}`;
    const month = this.months.get(key) ?? begun(day);
    this.months.set(key, month);
    for (const column of SUMS) month.sums[column] += BigInt(day[`${column}_base_units`] ?? '0');
    // The balance of a pending day stands before its sums do.
    if (day.status !== 'pending') month.closing = day.closing_base_units;
    month.transfers += day.transfers ?? 0;
    month.days += 1;
    if (day.status === 'different') month.different += 1;
    if (day.status === 'pending') month.pending += 1;
  }

  /** RFC 4180, the header first. No cell needs quotes: each is an id, a word of ours or a number. */
  csv(): readonly string[] {
    return [COLUMNS, ...this.rows()].map(row => row.join(','));
  }

  json(): readonly object[] {
    return this.rows().map(row => Object.fromEntries(COLUMNS.map((column, index) => [column, row[index]])));
  }

  /** By mode, merchant, wallet and token. */
  private rows(): readonly (readonly string[])[] {
    return [...this.months.values()].map(month => this.rowOf(month)).sort((a, b) => (a.join() < b.join() ? -1 : 1));
  }

  private rowOf(month: Month): readonly string[] {
    const { mode, merchant_id, wallet, token_id } = month.of;
    const token = TOKENS[token_id];
    const shown = (baseUnits: bigint | string | null) =>
      baseUnits === null ? '' : formatTokenAmount(token, baseUnits);
    return [
      ...[this.month, mode, merchant_id, wallet, token.network, token_id, shown(month.opening)],
      ...SUMS.map(column => shown(column === 'difference' ? differenceOf(month) : month.sums[column])),
      ...[shown(month.closing), ...[month.transfers, month.days, month.different, month.pending].map(String)],
    ];
  }
}

/**
 * By the balances at both ends, where they are known. Days whose own balance nobody could tell have no difference of
 * their own, and the month has it all the same.
 */
function differenceOf({ opening, closing, sums }: Month): bigint {
  if (opening === null || closing === null) return sums.difference;
  const { credited, unmatched, unrelated, dust, sent } = sums;
  return BigInt(closing) - BigInt(opening) - (credited + unmatched + unrelated + dust - sent);
}

function begun(day: ReconciliationDocument): Month {
  const { mode, merchant_id, wallet, token_id } = day;
  return {
    of: { mode, merchant_id, wallet, token_id },
    opening: day.opening_base_units,
    closing: null,
    sums: { credited: 0n, unmatched: 0n, unrelated: 0n, dust: 0n, sent: 0n, difference: 0n },
    transfers: 0,
    days: 0,
    different: 0,
    pending: 0,
  };
}
