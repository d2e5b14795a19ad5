import type { OperationTable } from '../../../platform/http/openapi-operation';
import {
  arrayOf,
  constant,
  digits,
  id,
  listOf,
  MODE,
  nullable,
  oneOfTexts,
  record,
  resource,
  signedDigits,
  text,
  timestamp,
  whole,
  type Answer,
} from '../../../platform/http/openapi-schema';
import { FEE_ENTRY_KINDS } from '../fee-entries.read-model';

const CURRENCY = text('ISO 4217', 'EUR');
const CURRENCY_DECIMALS = whole('The exponent of the currency', 2);

const FEE_ENTRY = resource('fee_entry', 'A row of the fee ledger; rows are added and never changed', {
  id: id('fee'),
  object: constant('fee_entry'),
  mode: MODE,
  kind: oneOfTexts(
    FEE_ENTRY_KINDS,
    'Rows of the first three kinds add up to the balance. A payment pays its fee invoice, and changes no balance',
  ),
  payment_intent: nullable(id('pi', 'The payment whose fee the row books or corrects')),
  fee_invoice: nullable(id('finv', 'Of the kinds invoice and payment')),
  amount: signedDigits('In minor units, below zero where it lessens your fees', '12'),
  currency: CURRENCY,
  currency_decimals: CURRENCY_DECIMALS,
  memo: nullable(text('The reason of an adjustment', 'The payment was lost on chain')),
  created: timestamp(),
});

export type FeeEntryResource = Answer<typeof FEE_ENTRY>;

const FEE_BALANCE = resource('fee_balance', 'The fees that no fee invoice asks for yet', {
  object: constant('fee_balance'),
  mode: MODE,
  outstanding: arrayOf(
    record({
      currency: CURRENCY,
      currency_decimals: CURRENCY_DECIMALS,
      amount: signedDigits('In minor units, below zero where adjustments gave back more', '12'),
    }),
  ),
});

export type FeeBalanceResource = Answer<typeof FEE_BALANCE>;

const FEE_INVOICE = resource('fee_invoice', 'A bill of the service for your fees in one currency', {
  id: id('finv'),
  object: constant('fee_invoice'),
  mode: MODE,
  number: text('Consecutive for your account', 'FEE-1C0D8FGA-000001'),
  currency: CURRENCY,
  currency_decimals: CURRENCY_DECIMALS,
  amount: digits('In minor units', '1250'),
  status: oneOfTexts(['open', 'paid']),
  due_at: timestamp('30 days after it was made; where it is not paid 14 days later, live mode takes no new payments'),
  paid_at: nullable(timestamp()),
  created: timestamp(),
});

export type FeeInvoiceResource = Answer<typeof FEE_INVOICE>;

export const FEE_OPERATIONS = {
  list: {
    id: 'listFees',
    summary: 'List the rows of the fee ledger of this mode, newest first',
    description:
      'A payment that is confirmed or overpaid has one accrual. Its fee is a share of the amount, rounded down, and at least one minor unit. Where you accept a payment that is short or late, the fee is a share of what was received. A row is written some moments after the payment.',
    answer: listOf(FEE_ENTRY),
    paged: true,
    refuses: [],
  },
  balance: {
    id: 'getFeeBalance',
    summary: 'Retrieve the fees that no fee invoice asks for yet, by currency',
    description: 'A currency without such fees is left out. Fees of test mode are reckoned, and never invoiced.',
    answer: FEE_BALANCE,
    refuses: [],
  },
} as const satisfies OperationTable;

export const FEE_INVOICE_OPERATIONS = {
  list: {
    id: 'listFeeInvoices',
    summary: 'List fee invoices, newest first; test mode has none',
    answer: listOf(FEE_INVOICE),
    paged: true,
    refuses: [],
  },
  get: {
    id: 'getFeeInvoice',
    summary: 'Retrieve a fee invoice',
    answer: FEE_INVOICE,
    refuses: ['resource_missing'],
  },
} as const satisfies OperationTable;
