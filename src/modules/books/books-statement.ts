import type { NetworkId } from '../../vocabulary/networks';
import { formatTokenAmount, TOKENS, type TokenId } from '../../vocabulary/tokens';
import type { ReconciliationDocument } from './reconciliations.read-model';

const SUMS = ['credited', 'unmatched', 'unrelated', 'dust', 'sent', 'difference'] as const;
const COLUMNS = [
  ...(['month', 'mode', 'merchant', 'wallet', 'network', 'token', 'opening', ...SUMS, 'closing'] as const),
  ...(['transfers', 'days', 'days_different', 'days_pending'] as const),
];

/** Amounts in whole tokens; an empty text where no balance was observed. */
export type StatementRow = Readonly<Record<(typeof COLUMNS)[number], string>> & {
  readonly network: NetworkId;
  readonly token: TokenId;
};

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

  constructor(readonly month: string) {}

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
    return [COLUMNS, ...this.rows().map(cellsOf)].map(row => row.join(','));
  }

  /** By mode, merchant, wallet and token. */
  rows(): readonly StatementRow[] {
    return this.rowsOf([...this.months.values()]);
  }

  /** The wallets that a merchant has in one token together, where there are several. Their row names no wallet. */
  totals(): readonly StatementRow[] {
    const wallets = new Map<string, Month[]>();
    for (const month of this.months.values()) {
      const key = `${month.of.mode} ${month.of.merchant_id} ${month.of.token_id}`;
      wallets.set(key, [...(wallets.get(key) ?? []), month]);
    }
    return this.rowsOf([...wallets.values()].filter(({ length }) => length > 1).map(months => months.reduce(together)));
  }

  private rowsOf(months: readonly Month[]): readonly StatementRow[] {
    const keyOf = (row: StatementRow) => cellsOf(row).join();
    return months.map(month => this.rowOf(month)).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }

  private rowOf(month: Month): StatementRow {
    const { of, opening, closing, sums, ...counts } = month;
    const token = TOKENS[of.token_id];
    const shown = (baseUnits: bigint | string | null) =>
      baseUnits === null ? '' : formatTokenAmount(token, baseUnits);
    return {
      month: this.month,
      mode: of.mode,
      merchant: of.merchant_id,
      wallet: of.wallet,
      network: token.network,
      token: token.id,
      opening: shown(opening),
      credited: shown(sums.credited),
      unmatched: shown(sums.unmatched),
      unrelated: shown(sums.unrelated),
      dust: shown(sums.dust),
      sent: shown(sums.sent),
      difference: shown(differenceOf(month)),
      closing: shown(closing),
      transfers: String(counts.transfers),
      days: String(counts.days),
      days_different: String(counts.different),
      days_pending: String(counts.pending),
    };
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

function cellsOf(row: StatementRow): readonly string[] {
  return COLUMNS.map(column => row[column]);
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

function together(one: Month, other: Month): Month {
  const balance = (a: string | null, b: string | null) =>
    a === null || b === null ? null : (BigInt(a) + BigInt(b)).toString();
  const sums = { ...one.sums };
  for (const column of SUMS) sums[column] += other.sums[column];
  sums.difference = differenceOf(one) + differenceOf(other);
  return {
    of: { ...one.of, wallet: '' },
    opening: balance(one.opening, other.opening),
    closing: balance(one.closing, other.closing),
    sums,
    transfers: one.transfers + other.transfers,
    days: one.days + other.days,
    different: one.different + other.different,
    pending: one.pending + other.pending,
  };
}
