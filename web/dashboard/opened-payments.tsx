import type { PaymentIntentResource } from '../../src/modules/payment-intents/queries/payment-intent.answer';
import { DataTable } from '../parts/data-table';
import { Money } from '../parts/money';
import { usePaths } from '../parts/signed-context';
import { StatusBadge } from '../parts/status-badge';
import { TimeOf } from '../parts/time-of';

/** A payment that a link or an invoice has opened. */
export type OpenedPayment = Pick<
  PaymentIntentResource,
  'id' | 'status' | 'amount' | 'received_amount' | 'currency' | 'currency_decimals' | 'created'
>;

/** The part of a payment that its link or invoice shows: confirmations would change the page with each block. */
export function openedPayment(payment: PaymentIntentResource): OpenedPayment {
  const { id, status, amount, received_amount, currency, currency_decimals, created } = payment;
  return { id, status, amount, received_amount, currency, currency_decimals, created };
}

const COLUMNS = [
  { heading: 'Amount', isNumber: true },
  { heading: 'Status' },
  { heading: 'Received', isNumber: true },
  { heading: 'Created' },
];

/** Payments of one origin, newest first; each line leads to its payment. */
export function OpenedPayments({ payments }: { readonly payments: readonly OpenedPayment[] }) {
  const paths = usePaths();
  return (
    <DataTable
      name="Payments"
      columns={COLUMNS}
      rows={payments.map(({ id, status, currency, currency_decimals: decimals, created, ...payment }) => ({
        key: id,
        href: paths(`payments/${id}`),
        cells: [
          <Money key="amount" minorUnits={payment.amount} {...{ currency, decimals }} />,
          <StatusBadge key="status" status={status} />,
          payment.received_amount === '0' ? (
            '–'
          ) : (
            <Money key="received" minorUnits={payment.received_amount} {...{ currency, decimals }} />
          ),
          <TimeOf key="created" at={created} />,
        ],
      }))}
    />
  );
}
