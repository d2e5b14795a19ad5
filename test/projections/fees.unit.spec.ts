import { feeAccountsProjection } from '../../projections/fee-accounts.projection';
import { feeEntriesProjection } from '../../projections/fee-entries.projection';
import { feeInvoicesProjection } from '../../projections/fee-invoices.projection';
import type { DomainEvent, RecordedEvent } from '../../src/kernel/event';
import { applyEvents } from '../../src/kernel/projection';
import { outstandingByCurrency, type FeeAccountDocument } from '../../src/modules/fees/fee-accounts.read-model';

const ACCOUNT = { fee_invoices: 0, sums: {} };
const AT = '2026-11-25T12:00:00.000Z';

let position = 0;

function recorded(stream: string, { type, data }: DomainEvent, merchant_id = 'mch_1', mode = 'live'): RecordedEvent {
  position += 97;
  const metadata = { mode, merchant_id, occurred_at: AT };
  const revision = type === 'FeeInvoicePaid' ? 1 : 0;
  return { type, data, id: `event-${position}`, stream: `${mode}.${stream}`, revision, position, metadata } as never;
}

const accrued = (payment: string, fee: string, currency = 'EUR', ...of: string[]) =>
  recorded(
    `fee_accrual-${payment}`,
    {
      type: 'FeeAccrued',
      data: { currency, reckoned_on_minor_units: '2500', fee_bps: 50, fee_minor_units: fee },
    },
    ...of,
  );
const adjusted = recorded('fee_account-mch_1', {
  type: 'FeeAdjusted',
  data: { currency: 'EUR', amount_minor_units: '-5', payment_intent: 'pi_1', memo: 'a gift', account: ACCOUNT },
});
const facts = { number: 'FEE-1', currency: 'EUR', amount_minor_units: '19', due_at: '2026-12-25T12:00:00.000Z' };
const invoiced = recorded('fee_account-mch_1', {
  type: 'FeeInvoiced',
  data: { fee_invoice: 'finv_1', ...facts, account: ACCOUNT },
});
const issued = recorded('fee_invoice-finv_1', { type: 'FeeInvoiceIssued', data: facts });
const paid = recorded('fee_invoice-finv_1', {
  type: 'FeeInvoicePaid',
  data: { currency: 'EUR', amount_minor_units: '19', reference: 'Bank 17' },
});

const history = [
  accrued('pi_1', '12'), accrued('pi_2', '12'), adjusted, invoiced, issued, accrued('pi_3', '900719925474099267'), paid,
  accrued('pi_4', '7', 'JPY'), accrued('pi_5', '1', 'EUR', 'mch_2'), accrued('pi_6', '2', 'EUR', 'mch_1', 'test'),
].sort((one, other) => (one.position < other.position ? -1 : 1)); // prettier-ignore
const twice = history.flatMap(event => [event, event]);

const bodiesOf = (projection: Parameters<typeof applyEvents>[0], events: readonly RecordedEvent[]) => {
  const taken = events.filter(({ stream }) => projection.categories.some(category => stream.includes(`.${category}-`)));
  return [...applyEvents(projection, taken, () => null)].map(([id, { body }]) => [id, body] as const);
};

describe('the sums of a ledger', () => {
  it.each([
    ['once', history],
    ['twice', twice],
  ])('are added by merchant, mode and currency, each event given %s', (_, events) => {
    const accounts = new Map(bodiesOf(feeAccountsProjection, events));
    expect(accounts.get('live/mch_1')).toEqual({
      merchant_id: 'mch_1',
      mode: 'live',
      totals: {
        EUR: {
          accruals: 3,
          accrued_minor_units: '900719925474099291',
          adjusted_minor_units: '-5',
          invoiced_minor_units: '19',
        },
        JPY: { accruals: 1, accrued_minor_units: '7', adjusted_minor_units: '0', invoiced_minor_units: '0' },
      },
    });
    expect([...accounts.keys()].sort()).toEqual(['live/mch_1', 'live/mch_2', 'test/mch_1']);
  });

  it('tell what is outstanding, without the currencies in which nothing is', () => {
    const sums = (accrued_minor_units: string, invoiced_minor_units: string) =>
      ({ accruals: 1, accrued_minor_units, adjusted_minor_units: '0', invoiced_minor_units }) as const;
    const totals = { USD: sums('5', '5'), JPY: sums('7', '0'), EUR: sums('5', '9') };
    const document: Pick<FeeAccountDocument, 'totals'> = { totals };
    expect(outstandingByCurrency(document)).toEqual([
      { currency: 'EUR', amountMinorUnits: -4n },
      { currency: 'JPY', amountMinorUnits: 7n },
    ]);
    expect(outstandingByCurrency(undefined)).toEqual([]);
  });
});

describe('the rows of a ledger', () => {
  it.each([
    ['once', history],
    ['twice', twice],
  ])('are one for each event, given %s, and none for the issue of a fee invoice', (_, events) => {
    const rows = bodiesOf(feeEntriesProjection, events).map(([, body]) => body);
    expect(rows).toHaveLength(history.length - 1);
    const own = { merchant_id: 'mch_1', mode: 'live', currency: 'EUR', created: AT };
    const nothing = { payment_intent: null, fee_invoice: null, memo: null };
    expect(rows).toEqual(
      expect.arrayContaining([
        { ...own, ...nothing, kind: 'accrual', amount_minor_units: '12', payment_intent: 'pi_1' },
        { ...own, ...nothing, kind: 'adjustment', amount_minor_units: '-5', payment_intent: 'pi_1', memo: 'a gift' },
        { ...own, ...nothing, kind: 'invoice', amount_minor_units: '-19', fee_invoice: 'finv_1' },
        { ...own, ...nothing, kind: 'payment', amount_minor_units: '-19', fee_invoice: 'finv_1' },
      ]),
    );
  });

  it('have ids that sort by time', () => {
    for (const [id] of bodiesOf(feeEntriesProjection, history)) expect(id).toMatch(/^fee_[0-9a-z]{26}$/);
  });
});

it('a fee invoice is open until it is paid', () => {
  const open = { ...facts, merchant_id: 'mch_1', mode: 'live', created: AT };
  expect(bodiesOf(feeInvoicesProjection, [issued, issued])).toEqual([
    ['finv_1', { ...open, status: 'open', reference: null, paid_at: null }],
  ]);
  expect(bodiesOf(feeInvoicesProjection, [issued, paid, paid])).toEqual([
    ['finv_1', { ...open, status: 'paid', reference: 'Bank 17', paid_at: AT }],
  ]);
});
