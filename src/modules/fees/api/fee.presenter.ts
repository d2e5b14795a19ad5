import type { Document } from '../../../kernel/ports/documents';
import type { Mode } from '../../../vocabulary/modes';
import { currencyDecimals } from '../../../vocabulary/currencies';
import { invariant } from '../../../kernel/invariant';
import { outstandingByCurrency, type FeeAccountDocument } from '../fee-accounts.read-model';
import type { FeeEntryDocument } from '../fee-entries.read-model';
import type { FeeInvoiceDocument } from '../fee-invoices.read-model';
import type { FeeBalanceResource, FeeEntryResource, FeeInvoiceResource } from './fees.contract';

export function presentFeeEntry({ id, body }: Document<FeeEntryDocument>): FeeEntryResource {
  const { mode, kind, payment_intent, fee_invoice, amount_minor_units, currency, memo, created } = body;
  return {
    id,
    object: 'fee_entry',
    mode,
    kind,
    payment_intent,
    fee_invoice,
    amount: amount_minor_units,
    currency,
    currency_decimals: decimalsOf(currency),
    memo,
    created,
  };
}

export function presentBalance(mode: Mode, account: FeeAccountDocument | undefined): FeeBalanceResource {
  return {
    object: 'fee_balance',
    mode,
    outstanding: outstandingByCurrency(account).map(({ currency, amountMinorUnits }) => ({
      currency,
      currency_decimals: decimalsOf(currency),
      amount: amountMinorUnits.toString(),
    })),
  };
}

export function presentFeeInvoice({ id, body }: Document<FeeInvoiceDocument>): FeeInvoiceResource {
  const { mode, number, currency, amount_minor_units, status, due_at, paid_at, created } = body;
  return {
    id,
    object: 'fee_invoice',
    mode,
    number,
    currency,
    currency_decimals: decimalsOf(currency),
    amount: amount_minor_units,
    status,
    due_at,
    paid_at,
    created,
  };
}

function decimalsOf(currency: string): number {
  const decimals = currencyDecimals(currency);
  invariant(decimals !== null, `${currency} is no currency`);
  return decimals;
}
