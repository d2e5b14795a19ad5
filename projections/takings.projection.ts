import { utcDay } from '../src/kernel/clock';
import { parseStreamName, type RecordedEvent } from '../src/kernel/event';
import { streamId, type Projection } from '../src/kernel/projection';
import type { FeeAccrued } from '../src/modules/fees/fee-accrual.events';
import { quarterOf, takingsReadModel, type TakingsDocument } from '../src/modules/home/takings.read-model';
import type { SettledTransferLost } from '../src/modules/payment-intents/payment-intent.events';

type Doc = TakingsDocument;
type Taking = FeeAccrued | SettledTransferLost;

/** Payments that a day names as having lost a transfer; further ones are counted alone. */
const NAMED_PAYMENTS = 10;
const NOTHING = { payments: 0, minor_units: '0' };

function standing(doc: Doc | null, { metadata }: RecordedEvent): Doc {
  if (doc !== null) return doc;
  const day = utcDay(metadata.occurred_at);
  const lost = { transfers: 0, payments: [] };
  return { merchant_id: metadata.merchant_id ?? '', mode: metadata.mode, day, quarters: {}, lost };
}

/**
 * The accrual of a payment's fee tells currency and amount of a payment that was paid, once for each payment. The
 * payment's own end tells no currency, and a day's document is found by the event alone.
 */
export const takingsProjection: Projection<Doc, Taking> = {
  ...takingsReadModel,
  categories: ['fee_accrual', 'payment_intent'],
  mirrors: false,
  key: ({ stream, metadata }) =>
    `${parseStreamName(stream).universe}/${metadata.merchant_id ?? ''}/${utcDay(metadata.occurred_at)}`,
  on: {
    FeeAccrued: (before, event) => {
      const doc = standing(before, event);
      const { currency, reckoned_on_minor_units: amount } = event.data;
      const { quarter } = quarterOf(event.metadata.occurred_at);
      const currencies = doc.quarters[quarter] ?? {};
      const { payments, minor_units: sum } = currencies[currency] ?? NOTHING;
      const taken = { payments: payments + 1, minor_units: (BigInt(sum) + BigInt(amount)).toString() };
      return { ...doc, quarters: { ...doc.quarters, [quarter]: { ...currencies, [currency]: taken } } };
    },
    SettledTransferLost: (before, event) => {
      const doc = standing(before, event);
      const named = [...new Set([...doc.lost.payments, streamId(event)])].slice(0, NAMED_PAYMENTS);
      return { ...doc, lost: { transfers: doc.lost.transfers + 1, payments: named } };
    },
  },
};
