import type { Upcast, Upcasts } from '../../kernel/upcasting';

/** Payments of version 1 were created without a description. */
const withoutDescription: Upcast = ({ type, data }) => ({ type, data: { ...data, description: null } });

/** Payments of version 2 were made before a customer could start one anew. */
const withoutPredecessor: Upcast = ({ type, data }) => ({ type, data: { ...data, restarted_from: null } });

/** Payments of version 3 were made before there were links and invoices. */
const withoutOrigin: Upcast = ({ type, data }) => ({ type, data: { ...data, payment_link: null, invoice: null } });

/** Holds of version 1 had a sentence of the screening in the place of an administrator's reason. */
const withSource: Upcast = ({ type, data }) => {
  if (data.reason !== 'The payer screened as high risk.') return { type, data: { ...data, source: 'administrator' } };
  return { type, data: { ...data, source: 'screening', reason: null } };
};

/** Confirmed payments of version 1 had no surplus. */
const withoutSurplus: Upcast = ({ type, data }) => ({ type, data: { ...data, surplus_base_units: null } });

/** Underpaid payments of version 1 always had a remainder, and waited for a free amount before. */
const withRemainder: Upcast = ({ type, data }) => ({ type, data });

/** Quotes of version 1 were made before a wallet could be declared dedicated. */
const withoutDedication: Upcast = ({ type, data }) => ({ type, data: { ...data, dedicated: false } });

/** Transfers of version 1 came without the reason why they are the payment's: the fold tells it by the amount. */
const withoutAttribution: Upcast = ({ type, data }) => ({ type, data: { ...data, attribution: 'unrecorded' } });

/** The upcasts of a payment's events; the first upcast of a type leads from version 1 to 2. */
export const paymentIntentUpcasts: Upcasts = {
  PaymentIntentCreated: [withoutDescription, withoutPredecessor, withoutOrigin],
  MethodSelected: [withoutDedication],
  TransferDetected: [withoutAttribution],
  HoldPlaced: [withSource],
  PaymentUnderpaid: [withRemainder],
  PaymentConfirmed: [withoutSurplus],
};
