export const LINE = {
  description: 'Green tea, 100 g',
  quantity: 3,
  unit_amount: '1250',
  discount_bps: 500,
  tax_bps: 1_900,
};
/** An invoice of that line, as a merchant asks for it. */
export const TERMS = {
  currency: 'EUR',
  lines: [LINE],
  customer: { name: ' Ada Byron ', email: 'Ada@Example.com' },
  description: 'Tea of November',
  notes: 'With thanks.',
  due_at: '2030-12-01T00:00:00Z',
  metadata: { order: '42' },
};
