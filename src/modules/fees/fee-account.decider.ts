import { DAY_MS, isoTime } from '../../kernel/clock';
import type { DecisionContext } from '../../kernel/decider';
import { unreachable } from '../../kernel/invariant';
import type { Aggregate } from '../../kernel/write-path';
import { currencyDecimals } from '../../vocabulary/currencies';
import { refuse } from '../../vocabulary/errors';
import { keepsRule } from '../../vocabulary/text-rules';
import { outstandingFees } from './fee-schedule';
import type { AccountStanding, AccountSums, FeeAccountEvent } from './fee-account.events';
import { MEMO } from './fee-texts';

/** A merchant has so long to pay a fee invoice. */
const FEE_INVOICE_TERM_MS = 30 * DAY_MS;
/** The greatest amount of an adjustment, as of any amount that the API takes. */
const MAX_ADJUSTMENT = 9_007_199_254_740_991n;
const NUMBER_DIGITS = 6;
/** Characters of the merchant's id that a number shows, so that no two merchants have a number in common. */
const MERCHANT_CHARACTERS = 8;

type AdjustFees = {
  readonly type: 'adjust';
  readonly currency: string;
  readonly amountMinorUnits: bigint;
  readonly paymentIntent: string | null;
  readonly memo: string;
};

type InvoiceFees = {
  readonly type: 'invoice';
  readonly currency: string;
  readonly feeInvoice: string;
  readonly merchantId: string;
  /** All accruals of the currency up to a moment after the account was read. */
  readonly accruedMinorUnits: bigint;
};

type FeeAccountCommand = AdjustFees | InvoiceFees;

const NO_SUMS: AccountSums = { adjusted_minor_units: '0', invoiced_minor_units: '0', covered_minor_units: '0' };

function sumsOf({ sums }: AccountStanding, currency: string): AccountSums {
  return sums[currency] ?? NO_SUMS;
}

function decide(
  command: FeeAccountCommand,
  state: AccountStanding,
  context: DecisionContext,
): readonly FeeAccountEvent[] {
  switch (command.type) {
    case 'adjust':
      return [adjusted(command, state)];
    case 'invoice':
      return [invoiced(command, state, context)];
    default:
      return unreachable(command);
  }
}

/** Throws Refusal invalid_currency, invalid_amount, amount_too_large or invalid_memo, in this order. */
function adjusted(command: AdjustFees, state: AccountStanding): FeeAccountEvent {
  const { currency, amountMinorUnits: amount, paymentIntent, memo } = command;
  if (currencyDecimals(currency) === null)
    throw refuse('invalid_currency', { param: 'currency', message: `${currency} is no currency of ISO 4217.` });
  if (amount === 0n)
    throw refuse('invalid_amount', { param: 'amount', message: 'An adjustment of 0 corrects nothing.' });
  if (amount > MAX_ADJUSTMENT || amount < -MAX_ADJUSTMENT) throw refuse('amount_too_large', { param: 'amount' });
  const text = memo.trim();
  if (!keepsRule(text, MEMO)) throw refuse('invalid_memo', { param: 'memo' });
  const before = sumsOf(state, currency);
  const sums = { ...before, adjusted_minor_units: (BigInt(before.adjusted_minor_units) + amount).toString() };
  return {
    type: 'FeeAdjusted',
    data: {
      currency,
      amount_minor_units: amount.toString(),
      payment_intent: paymentIntent,
      memo: text,
      account: { ...state, sums: { ...state.sums, [currency]: sums } },
    },
  };
}

/**
 * Throws Refusal nothing_outstanding. Accruals only grow, so a sum below the covered one was read before that. Such a
 * sum is refused with provider_unavailable.
 */
function invoiced(command: InvoiceFees, state: AccountStanding, { now }: DecisionContext): FeeAccountEvent {
  const { currency, feeInvoice, merchantId, accruedMinorUnits: accrued } = command;
  const before = sumsOf(state, currency);
  if (accrued < BigInt(before.covered_minor_units))
    throw refuse('provider_unavailable', { message: 'The sums of the fee ledger are behind the log.' });
  const amount = outstandingFees(accrued, before);
  if (amount <= 0n) throw refuse('nothing_outstanding');
  const sums = {
    ...before,
    invoiced_minor_units: (BigInt(before.invoiced_minor_units) + amount).toString(),
    covered_minor_units: accrued.toString(),
  };
  const sequence = state.fee_invoices + 1;
  return {
    type: 'FeeInvoiced',
    data: {
      fee_invoice: feeInvoice,
      number: feeInvoiceNumber(merchantId, sequence),
      currency,
      amount_minor_units: amount.toString(),
      due_at: isoTime(now + FEE_INVOICE_TERM_MS),
      account: { fee_invoices: sequence, sums: { ...state.sums, [currency]: sums } },
    },
  };
}

/** `FEE-1C0D8FGA-000042`: the end of the merchant's id, and the number in the merchant's own series. */
function feeInvoiceNumber(merchantId: string, sequence: number): string {
  const merchant = merchantId.slice(-MERCHANT_CHARACTERS).toUpperCase();
  return `FEE-${merchant}-${String(sequence).padStart(NUMBER_DIGITS, '0')}`;
}

/** The stream's id is the merchant's. */
export const feeAccounts: Aggregate<AccountStanding, FeeAccountCommand, FeeAccountEvent> = {
  category: 'fee_account',
  notFound: 'merchant_not_found',
  initial: { fee_invoices: 0, sums: {} },
  restates: true,
  decide,
  evolve: (_, { data }) => data.account,
};
