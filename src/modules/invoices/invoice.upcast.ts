import type { Upcast } from '../../kernel/upcasting';
import type { InvoiceDraft } from './invoice.events';

/** Drafts of version 1 told no language, and their mails were in English. */
const inEnglish: Upcast = ({ type, data }) => ({
  type,
  data: { ...data, draft: { ...(data.draft as InvoiceDraft), language: 'en' } },
});

/** The upcasts of an invoice; the first upcast of a type leads from version 1 to 2. */
export const invoiceUpcasts = { InvoiceDrafted: [inEnglish] };
/** The upcasts of a series of invoices. */
export const invoiceSeriesUpcasts = { InvoiceNumberAllocated: [inEnglish] };
