import type { InvoiceResource } from '../../../src/modules/invoices/api/invoices.contract';
import { Card } from '../../parts/card';
import { DataTable, type Row } from '../../parts/data-table';
import { Definitions } from '../../parts/definitions';
import { usePage } from '../../parts/page-context';
import { Sum } from './invoice-parts';

type Props = { readonly invoice: InvoiceResource };

const COLUMNS = [
  { heading: 'Description' },
  { heading: 'Quantity', isNumber: true },
  { heading: 'Unit price', isNumber: true },
  { heading: 'Discount', isNumber: true },
  { heading: 'Tax', isNumber: true },
  { heading: 'Amount', isNumber: true },
];

/** The lines of an invoice, and their sums. */
export function LinesCard({ invoice }: Props) {
  return (
    <Card title="Lines">
      {invoice.lines.length > 0 && <Lines invoice={invoice} />}
      <div class="invoice-sums">
        <Definitions
          entries={[
            ['Before discounts and taxes', <Sum key="subtotal" invoice={invoice} minorUnits={invoice.subtotal} />],
            ['Discounts', <Sum key="discounts" invoice={invoice} minorUnits={invoice.discount_total} />],
            ['Taxes', <Sum key="taxes" invoice={invoice} minorUnits={invoice.tax_total} />],
            [
              'To pay',
              <strong key="amount">
                <Sum invoice={invoice} minorUnits={invoice.amount} />
              </strong>,
            ],
          ]}
        />
      </div>
      {invoice.notes !== null && <p class="notes">{invoice.notes}</p>}
    </Card>
  );
}

function Lines({ invoice }: Props) {
  const { language } = usePage();
  const rows = invoice.lines.map((line, index): Row => {
    const sum = (minorUnits: string) => <Sum invoice={invoice} minorUnits={minorUnits} />;
    return {
      key: String(index),
      cells: [
        <span key="description" class="long-text">
          {line.description}
        </span>,
        language.count(line.quantity),
        sum(line.unit_amount),
        line.discount_bps === 0 ? '–' : language.percent(line.discount_bps),
        line.tax_bps === 0 ? '–' : language.percent(line.tax_bps),
        sum(line.amount),
      ],
    };
  });
  return <DataTable name="Lines" columns={COLUMNS} rows={rows} />;
}
