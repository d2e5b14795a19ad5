import type { Upcast, Upcasts } from '../../kernel/upcasting';

/** Payments of version 1 were created without a description. */
const withoutDescription: Upcast = ({ type, data }) => ({ type, data: { ...data, description: null } });

/** Holds of version 1 had a sentence of the screening where an administrator's reason stands. */
const withSource: Upcast = ({ type, data }) => {
  if (data.reason !== 'The payer screened as high risk.') return { type, data: { ...data, source: 'administrator' } };
  return { type, data: { ...data, source: 'screening', reason: null } };
};

/** How a payment's events of older versions are read; the first upcast of a type leads from version 1 to 2. */
export const paymentIntentUpcasts: Upcasts = {
  PaymentIntentCreated: [withoutDescription],
  HoldPlaced: [withSource],
};
