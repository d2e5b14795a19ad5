import { Query } from '@nestjs/cqrs';
import type { Mode } from '../../../vocabulary/modes';
import type { NetworkId } from '../../../vocabulary/networks';
import type { Asset } from '../../../vocabulary/tokens';
import type { Status } from '../payment-intent.transitions';
import type { PaymentFilters } from './payment-filters';

/** A payment as a line of a list. */
export type PaymentRow = {
  readonly id: string;
  readonly status: Status;
  readonly needsDecision: boolean;
  readonly reviewReason: 'underpaid' | 'paid_late' | null;
  /** The payment has a transfer by inference that only its merchant can count. */
  readonly isInferred: boolean;
  /** A hold of compliance is open. */
  readonly isHoldOpen: boolean;
  /** The payment's money was rejected, by compliance or in review. */
  readonly isRejected: boolean;
  readonly created: string;
  readonly amountMinorUnits: string;
  readonly currency: string;
  readonly currencyDecimals: number;
  readonly receivedMinorUnits: string;
  /** Null before a method is selected, and so are `asset` and `networkId`. */
  readonly receivedTokenAmount: string | null;
  readonly asset: Asset | null;
  readonly networkId: NetworkId | null;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
};

export type FoundPayments = {
  readonly rows: readonly PaymentRow[];
  /** The payment behind which the next page begins; null on the last page. */
  readonly next: string | null;
  /** The look ended at its bound, with the page not full. Payments behind `next` may pass the filters. */
  readonly isCut: boolean;
};

/** The merchant's payments that pass the filters, newest first. */
export class FindPayments extends Query<FoundPayments> {
  constructor(
    readonly merchantId: string,
    readonly mode: Mode,
    readonly filters: PaymentFilters,
    readonly limit: number,
    readonly startingAfter: string | null,
  ) {
    super();
  }
}
