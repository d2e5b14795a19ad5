import type { Upcast, Upcasts } from '../../kernel/upcasting';

/** Under settings of version 1 no customer could start a payment anew. */
const withoutRestart: Upcast = ({ type, data }) => ({ type, data: { ...data, checkout_restart: false } });

/** Settings of version 2 were made before there were invoices. */
const withoutInvoices: Upcast = ({ type, data }) => ({
  type,
  data: { ...data, invoice_prefix: 'INV-', reminders: [], time_zone: 'UTC' },
});

/** Under settings of version 3 customers got mail in English. */
const inEnglish: Upcast = ({ type, data }) => ({ type, data: { ...data, customer_language: 'en' } });

/** The upcasts of a merchant's settings; the first upcast of a type leads from version 1 to 2. */
export const merchantSettingsUpcasts: Upcasts = { SettingsSet: [withoutRestart, withoutInvoices, inEnglish] };
