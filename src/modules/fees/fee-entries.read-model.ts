import { parseIsoTime } from '../../kernel/clock';
import type { RecordedEvent } from '../../kernel/event';
import type { ReadModel } from '../../kernel/ports/read-models';
import { recordedId } from '../../vocabulary/ids';

/** Accruals, adjustments and fee invoices add up to the balance. A payment pays its fee invoice, and no balance. */
export const FEE_ENTRY_KINDS = ['accrual', 'adjustment', 'invoice', 'payment'] as const;

/** A row of the fee ledger, of one event each. No row is ever changed. */
export type FeeEntryDocument = {
  readonly merchant_id: string;
  readonly mode: string;
  readonly kind: (typeof FEE_ENTRY_KINDS)[number];
  readonly payment_intent: string | null;
  readonly fee_invoice: string | null;
  /** Signed. Below zero for a fee invoice and for a payment. */
  readonly amount_minor_units: string;
  readonly currency: string;
  readonly memo: string | null;
  readonly created: string;
};

export const feeEntriesReadModel: ReadModel<FeeEntryDocument> = {
  name: 'fee_entries',
  version: 2,
  indexes: { by_merchant: ['merchant_id', 'mode', 'created', 'id'], by_kind: ['kind', 'created', 'id'] },
};

export function feeEntryId({ id, metadata }: RecordedEvent): string {
  return recordedId('fee', parseIsoTime(metadata.occurred_at), id);
}
