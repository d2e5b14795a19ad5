import { figuresOfLines } from '../../src/modules/invoices/invoice-figures';
import type { InvoiceView } from '../../src/modules/invoices/queries/invoice-view';
import type { Language } from '../../web/words/language';
import { NOW_MS } from './checkout-views';

const DAY_MS = 86_400_000;
const at = (offsetMs: number) => new Date(NOW_MS + offsetMs).toISOString();

const TEA = {
  description: 'Green tea, 100 g',
  quantity: 3,
  unitAmountMinorUnits: 1_250n,
  discountBps: 500,
  taxBps: 1_900,
};
const POT = { description: 'Teapot', quantity: 1, unitAmountMinorUnits: 4_900n, discountBps: 0, taxBps: 0 };
const LONG = 'Pneumonoultramicroscopicsilicovolcanoconiosis'.repeat(4);

function invoiceOf(changes: Partial<InvoiceView>, terms: Partial<InvoiceView['draft']> = {}): InvoiceView {
  return {
    id: 'inv_01kb3x5q0g7h2m9c4r8v6t1zny',
    url: 'https://pay.example/invoices/inv_01kb3x5q0g7h2m9c4r8v6t1zny',
    mode: 'live',
    shop: { name: 'Corner Books', color: null, logo: null },
    number: 'INV-000042',
    status: 'open',
    draft: {
      ...figuresOfLines([TEA, POT]),
      currency: 'EUR',
      currency_decimals: 2,
      customer: { name: 'Ada Byron', email: 'ada@example.com' },
      description: 'Tea of November',
      notes: 'Deliver at the back door.\nRing twice.',
      due_at: at(14 * DAY_MS),
      time_zone: 'Europe/Paris',
      language: 'en',
      ...terms,
    },
    isOverdue: false,
    issuedAt: at(-DAY_MS),
    paidAt: null,
    payment: 'pi_01kb3x5q0g7h2m9c4r8v6t1zny',
    paying: 'go_on',
    nowMs: NOW_MS,
    ...changes,
  };
}

const huge = { description: LONG, quantity: 1_000_000, unitAmountMinorUnits: 10n ** 21n, discountBps: 1, taxBps: 1 };

/** Each way in which an invoice can stand, by a name of its own. */
export const INVOICES: Readonly<Record<string, InvoiceView>> = {
  'an open invoice': invoiceOf({}),
  'an invoice to be paid anew': invoiceOf({ paying: 'anew', mode: 'test' }),
  'an invoice whose payment is under way': invoiceOf({ paying: 'under_way' }),
  'an invoice that is paid in part': invoiceOf({ paying: 'part_paid' }),
  'an overdue invoice': invoiceOf({ isOverdue: true, issuedAt: at(-16 * DAY_MS) }, { due_at: at(-2 * DAY_MS) }),
  'a paid invoice': invoiceOf({ status: 'paid', paying: null, paidAt: at(0) }),
  'a void invoice': invoiceOf({ status: 'void', paying: null, payment: null, issuedAt: null }),
  'an invoice without lines': invoiceOf(
    {},
    {
      ...{ lines: [], subtotal_minor_units: '990', discount_minor_units: '0', tax_minor_units: '0' },
      ...{ amount_minor_units: '990', customer: null, description: null, notes: null, due_at: null },
    },
  ),
  'a long invoice': invoiceOf(
    { shop: { name: LONG.slice(0, 100), color: null, logo: null }, number: 'ABCDEFGHIJKL1000000' },
    {
      ...figuresOfLines([huge, TEA]),
      currency: 'KWD',
      currency_decimals: 3,
      notes: LONG,
      customer: { name: LONG, email: null },
    },
  ),
  'an invoice of many lines': invoiceOf(
    {},
    figuresOfLines(Array.from({ length: 40 }, (_, at) => ({ ...TEA, description: `Green tea, lot ${at + 1}` }))),
  ),
  'an invoice of foreign words': invoiceOf(
    {},
    {
      ...figuresOfLines([
        { ...TEA, description: 'شاي أخضر ١٠٠ غرام' },
        { ...POT, description: '绿茶 100 克' },
        { ...POT, description: 'Thé vert “Ωμέγα” — чай' },
      ]),
      customer: { name: 'ليلى (Layla)', email: null },
    },
  ),
};

/** The figures and days of an invoice, as its page writes them in a language. */
export function figuresIn({ draft, issuedAt, paidAt }: InvoiceView, language: Language): readonly string[] {
  const { lines, currency, currency_decimals: decimals } = draft;
  const sums = [draft.subtotal_minor_units, `-${draft.discount_minor_units}`, draft.tax_minor_units];
  const ofLines = lines.flatMap(line => [
    line.unit_amount_minor_units,
    line.discount_minor_units,
    line.tax_minor_units,
    line.amount_minor_units,
  ]);
  return [
    ...[...sums, draft.amount_minor_units, ...ofLines].map(amount => language.money(amount, currency, decimals)),
    ...lines.flatMap(line => [line.discount_bps, line.tax_bps].map(bps => language.percent(bps))),
    ...lines.map(line => language.count(line.quantity)),
    ...[draft.due_at, issuedAt, paidAt].flatMap(at =>
      at === null ? [] : [language.day(Date.parse(at), draft.time_zone)],
    ),
  ];
}
