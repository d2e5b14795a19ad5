import type { InvoiceResource } from '../../../src/modules/invoices/api/invoices.contract';
import { Money } from '../../parts/money';
import { Badge, spoken, type Tone } from '../../parts/status-badge';

const TONES: Readonly<Record<InvoiceResource['status'], Tone>> = {
  draft: 'idle',
  open: 'warn',
  paid: 'ok',
  void: 'idle',
};

/** The state of an invoice, and whether it is overdue. */
export function InvoiceBadge({ invoice: { status, overdue } }: { readonly invoice: InvoiceResource }) {
  return (
    <>
      <Badge tone={TONES[status]} text={spoken(status)} /> {overdue && <Badge tone="bad" text="Overdue" />}
    </>
  );
}

type SumProps = { readonly invoice: InvoiceResource; readonly minorUnits: string };

/** An amount in the currency of the invoice. */
export function Sum({ invoice: { currency, currency_decimals: decimals }, minorUnits }: SumProps) {
  return <Money {...{ minorUnits, currency, decimals }} />;
}
