import { currencyDecimals } from '../../../../vocabulary/currencies';
import {
  arrayOf,
  constant,
  digits,
  id,
  MODE,
  nullable,
  oneOfTexts,
  record,
  resource,
  signedDigits,
  text,
  timestamp,
  whole,
} from '../../../../platform/http/openapi-schema';
import {
  feeAccountsReadModel,
  outstandingByCurrency,
  type FeeAccountDocument,
} from '../../../fees/fee-accounts.read-model';
import { FEE_ENTRY_KINDS, feeEntriesReadModel, type FeeEntryDocument } from '../../../fees/fee-entries.read-model';
import { feeInvoicesReadModel, type FeeInvoiceDocument } from '../../../fees/fee-invoices.read-model';
import { adminList, byField, ofMerchant, ofMode } from '../admin-list';

const FEE_INVOICE_STATUSES = ['open', 'paid'] as const;
const CURRENCY = text('ISO 4217', 'EUR');
const CURRENCY_DECIMALS = whole('The exponent of the currency', 2);

const FEE_ACCOUNT = resource('fee_account', 'The fees of a merchant in a mode that no fee invoice asks for', {
  id: text('Mode and merchant'),
  object: constant('fee_account'),
  mode: MODE,
  merchant_id: id('mch'),
  outstanding: arrayOf(
    record({ currency: CURRENCY, currency_decimals: CURRENCY_DECIMALS, amount: signedDigits('In minor units', '12') }),
  ),
});

const FEE_ADJUSTMENT = resource('fee_adjustment', 'A row of a fee ledger, as administrators see it', {
  id: id('fee'),
  object: constant('fee_adjustment'),
  mode: MODE,
  merchant_id: id('mch'),
  kind: oneOfTexts(FEE_ENTRY_KINDS),
  payment_intent: nullable(id('pi')),
  fee_invoice: nullable(id('finv')),
  amount: signedDigits('In minor units', '-120'),
  currency: CURRENCY,
  currency_decimals: CURRENCY_DECIMALS,
  memo: nullable(text()),
  created: timestamp(),
});

const BILL = resource('bill', 'A fee invoice, as administrators see it', {
  id: id('finv'),
  object: constant('bill'),
  mode: MODE,
  merchant_id: id('mch'),
  number: text('Consecutive for the account', 'FEE-1C0D8FGA-000001'),
  currency: CURRENCY,
  currency_decimals: CURRENCY_DECIMALS,
  amount: digits('In minor units', '1250'),
  status: oneOfTexts(FEE_INVOICE_STATUSES),
  reference: nullable(text('Of the payment, such as a bank has it')),
  due_at: timestamp(),
  paid_at: nullable(timestamp()),
  created: timestamp(),
});

const decimalsOf = (currency: string): number => currencyDecimals(currency) ?? 0;

export const feeAccounts = adminList({
  path: 'fees/accounts',
  summary: 'List the fees that no fee invoice asks for, by merchant; those of live mode by default',
  item: FEE_ACCOUNT,
  readModel: feeAccountsReadModel,
  lies: 'in_modes',
  filters: {
    merchant: ofMerchant<FeeAccountDocument>(),
    mode: ofMode<FeeAccountDocument>({ fallback: 'live' }),
  },
  indexes: [{ index: 'by_mode', filters: ['mode'] }],
  order: ['merchant_id', 'id'],
  ascending: true,
  notFound: null,
  present: ({ id: accountId, body }) => ({
    ...{ id: accountId, object: 'fee_account' as const, mode: body.mode, merchant_id: body.merchant_id },
    outstanding: outstandingByCurrency(body).map(({ currency, amountMinorUnits }) => ({
      ...{ currency, currency_decimals: decimalsOf(currency), amount: amountMinorUnits.toString() },
    })),
  }),
});

export const feeAdjustments = adminList({
  path: 'fees/adjustments',
  summary: 'List the rows of the fee ledgers, the newest first; adjustments by default',
  item: FEE_ADJUSTMENT,
  readModel: feeEntriesReadModel,
  lies: 'in_modes',
  filters: {
    merchant: ofMerchant<FeeEntryDocument>(),
    mode: ofMode<FeeEntryDocument>(),
    kind: byField<FeeEntryDocument>('kind', { values: FEE_ENTRY_KINDS, fallback: 'adjustment' }),
  },
  indexes: [
    { index: 'by_merchant', filters: ['merchant', 'mode'] },
    { index: 'by_kind', filters: ['kind'] },
  ],
  order: ['created', 'id'],
  notFound: null,
  present: ({ id: entryId, body: { amount_minor_units: amount, currency, ...facts } }) => ({
    ...{ ...facts, id: entryId, object: 'fee_adjustment' as const, amount, currency },
    currency_decimals: decimalsOf(currency),
  }),
});

export const feeInvoices = adminList({
  path: 'fees/invoices',
  summary: 'List the fee invoices, the newest first',
  item: BILL,
  readModel: feeInvoicesReadModel,
  lies: 'in_modes',
  filters: {
    merchant: ofMerchant<FeeInvoiceDocument>(),
    mode: ofMode<FeeInvoiceDocument>(),
    status: byField<FeeInvoiceDocument>('status', { values: FEE_INVOICE_STATUSES }),
  },
  indexes: [
    { index: 'by_merchant', filters: ['merchant', 'mode'] },
    { index: 'by_status', filters: ['status'] },
    { index: 'by_created', filters: [] },
  ],
  order: ['created', 'id'],
  notFound: 'resource_missing',
  present: ({ id: billId, body: { amount_minor_units: amount, currency, ...facts } }) => ({
    ...{ ...facts, id: billId, object: 'bill' as const, amount, currency, currency_decimals: decimalsOf(currency) },
  }),
});
