import type { OperationFacts } from '../../../platform/http/openapi-operation';
import { oneOfTexts, timestamp } from '../../../platform/http/openapi-schema';
import { EXPORT_FORMATS } from '../queries/export-file';
import { EXPORT_KINDS } from '../queries/export-kinds';

const FILE =
  'The file comes as it is made, however long it is. A connection that breaks off leaves a file that is not whole: ask again. At most four exports of an account are under way at once.';

const facts = {
  isFile: true,
  refuses: ['invalid_timestamp', 'invalid_range'],
} as const satisfies Partial<OperationFacts>;

const query = (created: string) => ({
  format: oneOfTexts(EXPORT_FORMATS, 'Comma-separated values, or a JSON object a line; csv where left out'),
  from: timestamp(`${created} then or later`),
  to: timestamp(`${created} then or earlier`),
});

export const EXPORT_OPERATIONS = {
  payments: {
    ...facts,
    id: 'exportPayments',
    summary: 'Export payments as a file, newest first',
    description: FILE,
    answer: EXPORT_KINDS.payments.row,
    query: query('Created'),
  },
  transfers: {
    ...facts,
    id: 'exportTransfers',
    summary: 'Export the transfers of payments as a file, newest payment first',
    description: `The range is that of the payments: a transfer comes after its payment. ${FILE}`,
    answer: EXPORT_KINDS.transfers.row,
    query: query('Payment created'),
  },
  unmatched_transfers: {
    ...facts,
    id: 'exportUnmatchedTransfers',
    summary: 'Export the transfers without a payment as a file, newest first',
    description: `The file has the queue, and the transfers that you set aside. ${FILE}`,
    answer: EXPORT_KINDS.unmatched_transfers.row,
    query: query('In the queue from'),
  },
  fees: {
    ...facts,
    id: 'exportFees',
    summary: 'Export the rows of the fee ledger of this mode as a file, newest first',
    description: FILE,
    answer: EXPORT_KINDS.fees.row,
    query: query('Created'),
  },
  invoices: {
    ...facts,
    id: 'exportInvoices',
    summary: 'Export invoices as a file, newest number first',
    description: FILE,
    answer: EXPORT_KINDS.invoices.row,
    query: query('Created'),
  },
} as const satisfies Readonly<Record<keyof typeof EXPORT_KINDS, OperationFacts>>;
