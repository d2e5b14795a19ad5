import type { DecisionContext } from '../../../src/kernel/decider';
import { feeAccounts } from '../../../src/modules/fees/fee-account.decider';
import type { AccountStanding, FeeAccountEvent, FeeAdjusted } from '../../../src/modules/fees/fee-account.events';
import { feeAccruals } from '../../../src/modules/fees/fee-accrual.decider';
import type { FeeAccrued } from '../../../src/modules/fees/fee-accrual.events';
import { feeInvoices } from '../../../src/modules/fees/fee-invoice.decider';
import type { FeeInvoiceEvent } from '../../../src/modules/fees/fee-invoice.events';
import { feeOf } from '../../../src/modules/fees/fee-schedule';
import { given } from '../../support/given-when-then';

const MERCHANT = 'mch_01hq3k8zj5x2v7m4t9c6w1p0ra';
const CONTEXT: DecisionContext = {
  actor: { role: 'admin', type: 'system', id: 'cli:alice' },
  now: Date.parse('2026-11-25T12:00:00.000Z'),
};

describe('the fee of an amount', () => {
  it.each([
    ['a share', 2_500n, 50, 12n],
    ['a share without a rest', 20_000n, 50, 100n],
    ['rounded down, never up', 399n, 50, 1n],
    ['one minor unit at least', 1n, 50, 1n],
    ['one minor unit where nothing was received', 0n, 50, 1n],
    ['exact beyond the integers that a float holds', 9_007_199_254_740_993_000n, 1, 900_719_925_474_099n],
    ['nothing at a rate of nothing', 2_500n, 0, 0n],
  ])('is %s: %s at %s basis points are %s', (_, amount, bps, fee) => {
    expect(feeOf(amount, bps)).toBe(fee);
  });
});

describe('an accrual', () => {
  const accrue = { type: 'accrue', currency: 'EUR', reckonedOnMinorUnits: 2_500n, bps: 50 } as const;
  const accrued: FeeAccrued = {
    type: 'FeeAccrued',
    data: { currency: 'EUR', reckoned_on_minor_units: '2500', fee_bps: 50, fee_minor_units: '12' },
  };

  it('is booked once', () => {
    given(feeAccruals, []).when(accrue, CONTEXT).then([accrued]);
    given(feeAccruals, [accrued]).when(accrue, CONTEXT).thenRefused('fee_already_accrued');
  });
});

const sums = (adjusted: string, invoiced: string, covered: string) => ({
  adjusted_minor_units: adjusted,
  invoiced_minor_units: invoiced,
  covered_minor_units: covered,
});

function adjusted(amount: string, account: AccountStanding): FeeAdjusted {
  const facts = { currency: 'EUR', amount_minor_units: amount, payment_intent: null, memo: 'lost on chain' };
  return { type: 'FeeAdjusted', data: { ...facts, account } };
}

function invoiced(number: number, amount: string, account: AccountStanding): FeeAccountEvent {
  const facts = { fee_invoice: `finv_${number}`, number: `FEE-C6W1P0RA-00000${number}`, currency: 'EUR' };
  return {
    type: 'FeeInvoiced',
    data: { ...facts, amount_minor_units: amount, due_at: '2026-12-25T12:00:00.000Z', account },
  };
}

describe('an adjustment', () => {
  const adjust = {
    type: 'adjust',
    currency: 'EUR',
    amountMinorUnits: -12n,
    paymentIntent: null,
    memo: ' lost on chain ',
  } as const;
  const first = adjusted('-12', { fee_invoices: 0, sums: { EUR: sums('-12', '0', '0') } });

  it('is a further row, which tells the account after it', () => {
    given(feeAccounts, []).when(adjust, CONTEXT).then([first]);
    const second = adjusted('30', { fee_invoices: 0, sums: { EUR: sums('18', '0', '0') } });
    given(feeAccounts, [first])
      .when({ ...adjust, amountMinorUnits: 30n }, CONTEXT)
      .then([second]);
  });

  it('leaves the sums of other currencies as they are', () => {
    const account = { fee_invoices: 0, sums: { EUR: sums('-12', '0', '0'), JPY: sums('-12', '0', '0') } };
    given(feeAccounts, [first])
      .when({ ...adjust, currency: 'JPY' }, CONTEXT)
      .then([{ type: 'FeeAdjusted', data: { ...first.data, currency: 'JPY', account } }]);
  });

  it('has a memo of any 500 characters', () => {
    const memo = '😀'.repeat(500);
    given(feeAccounts, [])
      .when({ ...adjust, memo }, CONTEXT)
      .then([{ type: 'FeeAdjusted', data: { ...first.data, memo } }]);
  });

  it.each([
    ['invalid_memo', { memo: ' ' }, 'memo'],
    ['invalid_memo', { memo: 'x'.repeat(501) }, 'memo'],
    ['invalid_memo', { memo: '😀'.repeat(501) }, 'memo'],
    ['invalid_amount', { amountMinorUnits: 0n, memo: '' }, 'amount'],
    ['amount_too_large', { amountMinorUnits: -9_007_199_254_740_992n, memo: '' }, 'amount'],
    ['invalid_currency', { currency: 'EURO', amountMinorUnits: 0n, memo: '' }, 'currency'],
  ] as const)('is refused with %s for %j', (code, change, param) => {
    given(feeAccounts, [])
      .when({ ...adjust, ...change }, CONTEXT)
      .thenRefused(code, param);
  });
});

describe('a fee invoice of an account', () => {
  const invoice = (number: number, accruedMinorUnits: bigint) =>
    ({
      type: 'invoice',
      currency: 'EUR',
      feeInvoice: `finv_${number}`,
      merchantId: MERCHANT,
      accruedMinorUnits,
    }) as const;
  const first = invoiced(1, '100', { fee_invoices: 1, sums: { EUR: sums('0', '100', '100') } });

  it('asks for all accruals, is numbered, and is due after 30 days', () => {
    given(feeAccounts, []).when(invoice(1, 100n), CONTEXT).then([first]);
  });

  it('asks later for what has accrued since, with the adjustments since', () => {
    const back = adjusted('-12', { fee_invoices: 1, sums: { EUR: sums('-12', '100', '100') } });
    const second = invoiced(2, '38', { fee_invoices: 2, sums: { EUR: sums('-12', '138', '150') } });
    given(feeAccounts, [first, back]).when(invoice(2, 150n), CONTEXT).then([second]);
  });

  it('asks for adjustments alone', () => {
    const more = adjusted('30', { fee_invoices: 0, sums: { EUR: sums('30', '0', '0') } });
    const asked = invoiced(1, '30', { fee_invoices: 1, sums: { EUR: sums('30', '30', '0') } });
    given(feeAccounts, [more]).when(invoice(1, 0n), CONTEXT).then([asked]);
  });

  it('is refused where nothing is outstanding, or where adjustments have given back as much', () => {
    given(feeAccounts, []).when(invoice(1, 0n), CONTEXT).thenRefused('nothing_outstanding');
    given(feeAccounts, [first]).when(invoice(2, 100n), CONTEXT).thenRefused('nothing_outstanding');
    const back = adjusted('-50', { fee_invoices: 1, sums: { EUR: sums('-50', '100', '100') } });
    given(feeAccounts, [first, back]).when(invoice(2, 149n), CONTEXT).thenRefused('nothing_outstanding');
  });

  it('is never made of a sum that was read before the last one', () => {
    given(feeAccounts, [first]).when(invoice(2, 99n), CONTEXT).thenRefused('provider_unavailable');
  });
});

describe('a fee invoice', () => {
  const facts = {
    number: 'FEE-C6W1P0RA-000001',
    currency: 'EUR',
    amount_minor_units: '100',
    due_at: '2026-12-25T12:00:00.000Z',
  };
  const issued: FeeInvoiceEvent = { type: 'FeeInvoiceIssued', data: facts };
  const paid: FeeInvoiceEvent = {
    type: 'FeeInvoicePaid',
    data: { currency: 'EUR', amount_minor_units: '100', reference: 'Bank 17' },
  };
  const pay = { type: 'pay', reference: ' Bank 17 ' } as const;

  it('is issued once', () => {
    given(feeInvoices, []).when({ type: 'issue', facts }, CONTEXT).then([issued]);
    given(feeInvoices, [issued]).when({ type: 'issue', facts }, CONTEXT).then([]);
    given(feeInvoices, [issued, paid]).when({ type: 'issue', facts }, CONTEXT).then([]);
  });

  it('is paid once, by one reference', () => {
    given(feeInvoices, []).when(pay, CONTEXT).thenRefused('resource_missing');
    given(feeInvoices, [issued]).when(pay, CONTEXT).then([paid]);
    given(feeInvoices, [issued, paid]).when(pay, CONTEXT).then([]);
    given(feeInvoices, [issued, paid])
      .when({ type: 'pay', reference: 'Bank 18' }, CONTEXT)
      .thenRefused('invalid_state_transition');
    given(feeInvoices, [issued])
      .when({ type: 'pay', reference: '' }, CONTEXT)
      .thenRefused('parameter_invalid', 'reference');
  });

  it('has a reference of any 200 characters', () => {
    const reference = '😀'.repeat(200);
    given(feeInvoices, [issued])
      .when({ type: 'pay', reference }, CONTEXT)
      .then([{ type: 'FeeInvoicePaid', data: { currency: 'EUR', amount_minor_units: '100', reference } }]);
    given(feeInvoices, [issued])
      .when({ type: 'pay', reference: `${reference}x` }, CONTEXT)
      .thenRefused('parameter_invalid', 'reference');
  });
});
