import { figuresOfAmount, figuresOfLines, type OrderedLine } from '../../../src/modules/invoices/invoice-figures';
import type { InvoiceLine } from '../../../src/modules/invoices/invoice.events';

const FIGURES = ['subtotal', 'discount', 'tax', 'amount'] as const;

const tea = (changes: Partial<OrderedLine> = {}): OrderedLine => ({
  ...{ description: 'Tea', quantity: 1, unitAmountMinorUnits: 1n, discountBps: 0, taxBps: 0 },
  ...changes,
});
const figures = (line: InvoiceLine | undefined) => FIGURES.map(figure => line?.[`${figure}_minor_units`]);

it.each<[string, Partial<OrderedLine>, string[]]>([
  ['nothing off and no tax', { quantity: 3, unitAmountMinorUnits: 1_250n }, ['3750', '0', '0', '3750']],
  ['half a cent of discount, up', { unitAmountMinorUnits: 10n, discountBps: 500 }, ['10', '1', '0', '9']],
  ['half a cent of tax, up', { unitAmountMinorUnits: 10n, taxBps: 500 }, ['10', '0', '1', '11']],
  ['less than half, down', { unitAmountMinorUnits: 10n, taxBps: 499 }, ['10', '0', '0', '10']],
  ['all off', { unitAmountMinorUnits: 10n, discountBps: 10_000, taxBps: 1_900 }, ['10', '10', '0', '0']],
  ['tax on what the discount leaves', { unitAmountMinorUnits: 1_000n, discountBps: 1_000, taxBps: 2_000 }, ['1000', '100', '180', '1080']],
])('has %s', (_, changes, expected) => {
  expect(figures(figuresOfLines([tea(changes), tea()]).lines[0])).toEqual(expected);
}); // prettier-ignore

it('takes an amount without lines as it is', () => {
  expect(figuresOfAmount(2_500n)).toMatchObject({
    lines: [],
    subtotal_minor_units: '2500',
    amount_minor_units: '2500',
  });
});

it('asks for something, and for no more digits than an amount has', () => {
  expect(() => figuresOfLines([tea({ discountBps: 10_000 })])).toThrow(
    expect.objectContaining({ code: 'amount_too_small' }),
  );
  const most = tea({ quantity: 1_000_000, unitAmountMinorUnits: 10n ** 24n });
  expect(() => figuresOfLines([most])).toThrow(expect.objectContaining({ code: 'amount_too_large' }));
});
