import { parseIsoTime } from '../../../src/kernel/clock';
import type { FeeInvoiceResource } from '../../../src/modules/fees/api/fees.contract';
import { Card, Live } from '../../parts/card';
import { Copied } from '../../parts/copied';
import { useReader } from '../../parts/dashboard-context';
import { DashboardPage } from '../../parts/dashboard-page';
import { Definitions } from '../../parts/definitions';
import { Money } from '../../parts/money';
import { Badge } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';

type Props = { readonly invoice: FeeInvoiceResource };

const BACK = { path: 'fees/invoices', text: 'Fee invoices' } as const;

/** The state of a fee invoice; an open one is late after its due date. */
export function FeeInvoiceBadge({ invoice: { status, due_at: due } }: Props) {
  const { nowMs } = useReader();
  if (status === 'paid') return <Badge tone="ok" text="Paid" />;
  return parseIsoTime(due) > nowMs ? <Badge tone="warn" text="Open" /> : <Badge tone="bad" text="Late" />;
}

/** A bill of the service. */
export function FeeInvoicePage({ invoice }: Props) {
  const { id, number, status, amount, currency, currency_decimals: decimals } = invoice;
  const { due_at: due, paid_at: paid, created } = invoice;
  return (
    <DashboardPage
      title={`Fee invoice ${number}`}
      current="fees"
      back={BACK}
      actions={
        <Live id="status">
          <FeeInvoiceBadge invoice={invoice} />
        </Live>
      }
    >
      <Card liveId="fee-invoice">
        <Definitions
          entries={[
            [
              'Amount',
              <strong key="amount">
                <Money minorUnits={amount} {...{ currency, decimals }} />
              </strong>,
            ],
            ['Due', <TimeOf key="due" at={due} />],
            ...(paid === null ? [] : [['Paid', <TimeOf key="paid" at={paid} />] as const]),
            ['Made', <TimeOf key="made" at={created} />],
            ['Id', <Copied key="id" text={id} label="Copy the id" />],
          ]}
        />
        {status === 'open' && (
          <p>
            Pay it as your agreement with the operator says. Where it is not paid 14 days after its due date, live mode
            takes no new payments.
          </p>
        )}
      </Card>
    </DashboardPage>
  );
}
