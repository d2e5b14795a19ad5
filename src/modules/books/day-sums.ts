import type { BookPlace, DayReconciled, DifferenceKind, NamedDifference } from './balance.events';

/** Differences of a day that are named one by one. */
const MOST_NAMED = 100;

/** A transfer as the chain has it, by its party on the other side of the wallet. */
export type Movement = { readonly txHash: string; readonly ordinal: number; readonly valueBaseUnits: bigint };

/** The column of a transfer that the log knows. */
export type KnownColumn = 'credited' | 'unmatched' | 'unrelated';

/**
 * The place of an incoming transfer in the books. A known one has its value by the log. `unknown`: the log should have
 * it, and does not.
 */
export type BookedAs =
  | { readonly column: KnownColumn; readonly valueBaseUnits: bigint }
  | { readonly column: 'unrelated' | 'dust' }
  | { readonly column: 'unknown' };

type Difference = Omit<NamedDifference, 'amount_base_units'> & { readonly amount: bigint };
type Balances = { readonly opening: bigint | null; readonly closing: bigint | null };

/** Adds up one wallet's day in one token, transfer by transfer. Nothing is kept of a transfer without a difference. */
export class DaySums {
  private readonly columns = { credited: 0n, unmatched: 0n, unrelated: 0n, dust: 0n };
  private sent = 0n;
  private transfers = 0;
  private named: Difference[] = [];
  private inAll = 0;
  private difference = 0n;

  received(movement: Movement, booked: BookedAs): void {
    this.transfers += 1;
    const { valueBaseUnits: value } = movement;
    if (booked.column === 'unknown') return this.note('unknown_transfer', value, movement);
    const known = 'valueBaseUnits' in booked ? booked.valueBaseUnits : value;
    this.columns[booked.column] += known;
    if (known !== value) this.note('other_value', value - known, movement);
  }

  left({ valueBaseUnits: value }: Movement): void {
    this.transfers += 1;
    this.sent += value;
  }

  /** A transfer that came and left at once, from the wallet to itself. */
  returned({ valueBaseUnits: value }: Movement): void {
    this.transfers += 1;
    this.columns.unrelated += value;
    this.sent += value;
  }

  /** A transfer that the log counts, and the chain does not have. */
  missed(movement: Movement, column: KnownColumn): void {
    const { valueBaseUnits: value } = movement;
    this.columns[column] += value;
    this.note('missing_transfer', -value, movement);
  }

  /** closing = opening + credited + unmatched + unrelated + dust − sent + difference. */
  closed(place: BookPlace, { opening, closing }: Balances): DayReconciled['data'] {
    const { credited, unmatched, unrelated, dust } = this.columns;
    const { sent, transfers } = this;
    const expected = credited + unmatched + unrelated + dust - sent;
    if (opening !== null && closing !== null) {
      const unexplained = closing - opening - expected - this.difference;
      if (unexplained !== 0n) this.note('balance', unexplained, { txHash: null, ordinal: null });
    }
    return {
      ...place,
      opening_base_units: opening?.toString() ?? null,
      credited_base_units: credited.toString(),
      unmatched_base_units: unmatched.toString(),
      unrelated_base_units: unrelated.toString(),
      dust_base_units: dust.toString(),
      sent_base_units: sent.toString(),
      closing_base_units: closing?.toString() ?? null,
      difference_base_units: this.difference.toString(),
      transfers,
      differences: this.named.map(({ amount, ...rest }) => ({ ...rest, amount_base_units: amount.toString() })),
      differences_in_all: this.inAll,
    };
  }

  private note(
    kind: DifferenceKind,
    amount: bigint,
    { txHash, ordinal }: Pick<Movement, 'txHash' | 'ordinal'> | { readonly txHash: null; readonly ordinal: null },
  ): void {
    this.inAll += 1;
    this.difference += amount;
    this.named.push({ kind, amount, tx_hash: txHash, ordinal });
    if (this.named.length <= MOST_NAMED) return;
    const sizes = this.named.map(each => sizeOf(each.amount));
    const smallest = sizes.reduce((least, size) => (size < least ? size : least));
    this.named.splice(sizes.indexOf(smallest), 1);
  }
}

function sizeOf(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}
