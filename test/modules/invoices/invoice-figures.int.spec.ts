import { spawnSync } from 'node:child_process';
import path from 'node:path';
import fc from 'fast-check';
import { figuresOfAmount, figuresOfLines, type OrderedLine } from '../../../src/modules/invoices/invoice-figures';
import type { InvoiceLine } from '../../../src/modules/invoices/invoice.events';

const INVOICES = 10_000;
const SEED = 20_261_125;
const SCRIPT = path.join(__dirname, 'invoice_figures.py');
const FIGURES = ['subtotal', 'discount', 'tax', 'amount'] as const;

const tea = (changes: Partial<OrderedLine> = {}): OrderedLine => ({
  ...{ description: 'Tea', quantity: 1, unitAmountMinorUnits: 1n, discountBps: 0, taxBps: 0 },
  ...changes,
});
const figures = (line: InvoiceLine | undefined) => FIGURES.map(figure => line?.[`${figure}_minor_units`]);

/** Small figures meet the half of a minor unit often, and great ones pass beyond what a double holds. */
const amount = fc.oneof(
  { weight: 3, arbitrary: fc.bigInt({ min: 1n, max: 400n }) },
  { weight: 2, arbitrary: fc.bigInt({ min: 1n, max: 1_000_000n }) },
  { weight: 1, arbitrary: fc.bigInt({ min: 1n, max: 10n ** 22n }) },
);
const bps = fc.oneof(fc.integer({ min: 0, max: 10_000 }), fc.constantFrom(0, 1, 50, 500, 1_900, 5_000, 9_999, 10_000));
const line: fc.Arbitrary<OrderedLine> = fc.record({
  description: fc.constant('Tea'),
  quantity: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 1_000_000 })),
  unitAmountMinorUnits: amount,
  discountBps: bps,
  taxBps: bps,
});
const isCharged = (lines: readonly OrderedLine[]) => lines.some(({ discountBps }) => discountBps < 5_000);
const invoice = fc.array(line, { minLength: 1, maxLength: 8 }).filter(isCharged);

/** Where there is no Python at all, the calculation by itself cannot be made, and the reason is told. */
const python = spawnSync('python3', ['--version']);
const isPythonThere = python.error === undefined && python.status === 0;

it('of 10,000 generated invoices are those of an independent calculation', () => {
  if (!isPythonThere) {
    // CI has Python: there, its absence is a failure.
    expect(process.env.CI ?? '').toBe('');
    process.stderr.write('python3 is not installed: the figures of invoices were compared with nothing.\n');
    return;
  }
  const generated = fc.sample(invoice, { numRuns: INVOICES, seed: SEED });
  const asked = generated.map(lines =>
    lines.map(each => ({
      quantity: each.quantity,
      unit_amount: each.unitAmountMinorUnits.toString(),
      discount_bps: each.discountBps,
      tax_bps: each.taxBps,
    })),
  );
  const { stdout, status } = spawnSync('python3', ['-I', SCRIPT], {
    input: JSON.stringify(asked),
    maxBuffer: 512 * 1_024 * 1_024,
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  const reckoned = JSON.parse(stdout) as readonly { readonly lines: string[][]; readonly total: string[] }[];
  expect(reckoned).toHaveLength(INVOICES);
  let halves = 0;
  const differing = generated.filter((lines, index) => {
    const own = figuresOfLines(lines);
    const total = FIGURES.map(figure => own[`${figure}_minor_units`]);
    halves += own.lines.filter(isHalf).length;
    const theirs = reckoned[index];
    return JSON.stringify([own.lines.map(figures), total]) !== JSON.stringify([theirs?.lines, theirs?.total]);
  });
  expect(differing).toEqual([]);
  // The corpus reaches the very half, where the kinds of rounding part.
  expect(halves).toBeGreaterThan(100);
}, 60_000);

function isHalf({ subtotal_minor_units: subtotal, discount_bps: discount }: InvoiceLine): boolean {
  return (BigInt(subtotal) * BigInt(discount)) % 10_000n === 5_000n;
}

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
