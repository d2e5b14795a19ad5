import { InMode, merchantOf, OfMerchant } from '../../../../platform/http/fields/admin-fields';
import { CurrencyCode, Text } from '../../../../platform/http/fields/text-fields';
import { SignedAmount } from '../../../../platform/http/fields/value-fields';
import { exampleId } from '../../../../platform/http/openapi-schema';
import { moneyText } from '../../../../vocabulary/currencies';
import { refuse } from '../../../../vocabulary/errors';
import { isId } from '../../../../vocabulary/ids';
import type { Mode } from '../../../../vocabulary/modes';
import { AdjustFees, InvoiceFees, PayFeeInvoice } from '../../../fees/fee-billing.command';
import { feeInvoicesReadModel } from '../../../fees/fee-invoices.read-model';
import { MEMO, PAYMENT_REFERENCE } from '../../../fees/fee-texts';
import { adminAction, ApprovedBody, forMerchant, inMode, row } from '../admin-action';
import { findMerchant } from './merchants';

class AdjustFeesDto extends ApprovedBody {
  @OfMerchant()
  merchant_id?: string;

  @Text({ presence: 'optional', description: 'The payment whose fee is corrected', example: exampleId('pi') })
  payment_intent?: string;

  @SignedAmount('Minor units; below zero gives fees back', '-120')
  amount!: string;

  @CurrencyCode()
  currency!: string;

  @InMode('optional')
  mode?: Mode;

  @Text({ ...MEMO, code: 'invalid_memo', description: 'The merchant reads it' })
  memo!: string;
}

class InvoiceFeesDto {
  @OfMerchant()
  merchant_id?: string;

  @CurrencyCode()
  currency!: string;
}

class PayFeeInvoiceDto {
  @Text({ ...PAYMENT_REFERENCE, description: 'Your own, such as the number of the payment at the bank' })
  reference!: string;
}

const modeOf = ({ mode = 'live' }: Pick<AdjustFeesDto, 'mode'>): Mode => mode;

export const adjustFees = adminAction({
  permission: 'fee.adjust',
  path: 'fees/adjustments',
  summary: 'Add a row that corrects the ledger of a merchant',
  body: AdjustFeesDto,
  refuses: [
    'missing_merchant', 'invalid_merchant', 'merchant_not_found', 'payment_not_found', 'invalid_currency',
    'invalid_amount', 'amount_too_large', 'invalid_memo',
  ], // prettier-ignore
  targetOf: merchantOf,
  look: (reads, { target }) => findMerchant(reads, target),
  difference: (_, { amount, currency, payment_intent: payment, memo, ...body }) => [
    row('adjustment', null, moneyText(amount, currency)),
    row('mode', null, modeOf(body)),
    row('payment_intent', null, payment ?? null),
    row('memo', null, memo),
  ],
  words: ({ name }, { target, body: { amount, currency } }) => ({
    does: `Adds ${moneyText(amount, currency)} to the fees. An amount below zero gives fees back.`,
    to: `Merchant ${target}: ${name}.`,
    cannotUndo: 'No row of the ledger is ever changed. Another row can correct it.',
  }),
  command: async ({ target, body, execution }, reads) => {
    const { amount, currency, payment_intent: paymentIntent = null, memo } = body;
    const mode = modeOf(body);
    const { now } = await inMode(reads, execution, { mode, merchantId: target });
    const adjustment = { currency, amountMinorUnits: BigInt(amount), paymentIntent, memo };
    return new AdjustFees(mode, adjustment, { ...forMerchant(execution, target), now });
  },
});

export const invoiceFees = adminAction({
  permission: 'fee.invoice',
  path: 'fees/invoices',
  summary: 'Ask a merchant for all fees of live mode that are outstanding in a currency',
  body: InvoiceFeesDto,
  refuses: ['missing_merchant', 'invalid_merchant', 'merchant_not_found', 'invalid_currency', 'nothing_outstanding'],
  targetOf: merchantOf,
  look: (reads, { target }) => findMerchant(reads, target),
  difference: (_, { currency }) => [row('fee_invoice', null, `all that is outstanding in ${currency}`)],
  words: ({ name }, { target }) => ({
    does: 'Makes a fee invoice that is due in 30 days. Live mode is paused 14 days later, unless it is paid.',
    to: `Merchant ${target}: ${name}.`,
    cannotUndo: 'A fee invoice is never withdrawn. A correction of the ledger counts for the next one.',
  }),
  command: ({ target, body, execution }) => new InvoiceFees(body.currency, forMerchant(execution, target)),
});

export const payFeeInvoice = adminAction({
  permission: 'fee.invoice',
  path: 'fees/invoices/:id/paid',
  summary: 'Record that a fee invoice was paid',
  body: PayFeeInvoiceDto,
  refuses: ['resource_missing', 'invalid_state_transition'],
  look: async ({ find }, { target }) => {
    const found = isId('finv', target) ? await find(feeInvoicesReadModel, ['live'], target) : null;
    if (!found) throw refuse('resource_missing');
    return found.body;
  },
  difference: ({ status, reference: before }, { reference }) => [
    row('status', status, 'paid'),
    row('reference', before, reference),
  ],
  words: ({ merchant_id, number, amount_minor_units: amount, currency }) => ({
    does: 'Records that the fee invoice was paid. A pause for it ends at once.',
    to: `Fee invoice ${number} of ${merchant_id}: ${moneyText(amount, currency)}.`,
    cannotUndo: 'A fee invoice that was paid stays paid.',
  }),
  command: ({ target, facts, body, execution }) =>
    new PayFeeInvoice(target, body.reference, forMerchant(execution, facts.merchant_id)),
});
