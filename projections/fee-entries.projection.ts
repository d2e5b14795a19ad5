import type { RecordedEvent } from '../src/kernel/event';
import { streamId, type Projection } from '../src/kernel/projection';
import type { FeeAccountEvent } from '../src/modules/fees/fee-account.events';
import type { FeeAccrued } from '../src/modules/fees/fee-accrual.events';
import { feeEntriesReadModel, feeEntryId, type FeeEntryDocument } from '../src/modules/fees/fee-entries.read-model';
import type { FeeInvoiceEvent } from '../src/modules/fees/fee-invoice.events';

type Row = Pick<FeeEntryDocument, 'kind' | 'amount_minor_units' | 'currency'> &
  Partial<Pick<FeeEntryDocument, 'payment_intent' | 'fee_invoice' | 'memo'>>;

function row({ metadata }: RecordedEvent, facts: Row): FeeEntryDocument {
  return {
    merchant_id: metadata.merchant_id ?? '',
    mode: metadata.mode,
    payment_intent: null,
    fee_invoice: null,
    memo: null,
    ...facts,
    created: metadata.occurred_at,
  };
}

function negated(amount: string): string {
  return (-BigInt(amount)).toString();
}

export const feeEntriesProjection: Projection<FeeEntryDocument, FeeAccrued | FeeAccountEvent | FeeInvoiceEvent> = {
  ...feeEntriesReadModel,
  categories: ['fee_accrual', 'fee_account', 'fee_invoice'],
  mirrors: false,
  key: feeEntryId,
  on: {
    FeeAccrued: (_, event) =>
      row(event, {
        kind: 'accrual',
        amount_minor_units: event.data.fee_minor_units,
        currency: event.data.currency,
        payment_intent: streamId(event),
      }),
    FeeAdjusted: (_, event) => {
      const { currency, amount_minor_units, payment_intent, memo } = event.data;
      return row(event, { kind: 'adjustment', amount_minor_units, currency, payment_intent, memo });
    },
    FeeInvoiced: (_, event) => {
      const { currency, amount_minor_units, fee_invoice } = event.data;
      return row(event, { kind: 'invoice', amount_minor_units: negated(amount_minor_units), currency, fee_invoice });
    },
    FeeInvoicePaid: (_, event) => {
      const { currency, amount_minor_units } = event.data;
      const fee_invoice = streamId(event);
      return row(event, { kind: 'payment', amount_minor_units: negated(amount_minor_units), currency, fee_invoice });
    },
  },
};
