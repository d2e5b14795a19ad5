import type { IsolationRow } from './isolation-rows';
import { stagedDraft, stagedFees, stagedInvoice, stagedLink, stagedMail } from './staged-business';

const HOME = '/dashboard/{mode}';
const UNKNOWN_LINK = 'plink_00000000000000000000000000';
const UNKNOWN_INVOICE = 'inv_00000000000000000000000000';

const invoiceForm = (step: 'issue' | 'send' | 'void', object: IsolationRow['object']): IsolationRow => ({
  ...{ method: 'POST', route: `${HOME}/invoices/{id}/${step}`, unknown: UNKNOWN_INVOICE },
  object,
});

/** The pages and forms that name a link, an invoice, a fee invoice or a mail. */
export const BUSINESS_ISOLATION: readonly IsolationRow[] = [
  { method: 'GET', route: `${HOME}/links/{id}`, unknown: UNKNOWN_LINK, object: stagedLink },
  { method: 'POST', route: `${HOME}/links/{id}/deactivate`, unknown: UNKNOWN_LINK, object: stagedLink },
  { method: 'GET', route: `${HOME}/invoices/{id}`, unknown: UNKNOWN_INVOICE, object: stagedDraft },
  invoiceForm('issue', stagedDraft),
  invoiceForm('send', async dashboard => (await stagedInvoice(dashboard)).id),
  invoiceForm('void', stagedDraft),
  {
    ...{ method: 'GET', route: `${HOME}/fees/invoices/{id}`, unknown: `finv_${'9'.repeat(26)}` },
    object: stagedFees,
  },
  { method: 'GET', route: `${HOME}/outbox/{id}`, unknown: 'mail_0', object: stagedMail, isOfAccount: true },
];
