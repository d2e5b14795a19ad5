import { isoTime } from '../../kernel/clock';
import { currencyDecimals } from '../../vocabulary/currencies';
import { formatUnits } from '../../vocabulary/money';
import type { FeeInvoiceFacts } from '../../modules/fees/fee-invoice.events';
import type { NoticeText } from './notice-text';

type FeeInvoiceNotice = FeeInvoiceFacts & { readonly id: string; readonly pausesAtMs: number };

/** A fee that accrued for a payment whose transfer the chain has taken back. */
export type LostFeeNotice = {
  readonly merchantId: string;
  readonly paymentIntent: string;
  readonly transferId: string;
  readonly currency: string;
  readonly feeMinorUnits: string;
};

export function feeInvoiceIssued(notice: FeeInvoiceNotice, dashboardUrl: string): NoticeText {
  const { number, due_at } = notice;
  return {
    subject: `Fee invoice ${number} over ${amountOf(notice)}`,
    text: lines(
      `Your fees have been invoiced. Please pay ${amountOf(notice)} until ${due_at}.`,
      '',
      ...factsOf(notice),
      '',
      `Name the number ${number} with your payment.`,
      `Where nothing has come by ${isoTime(notice.pausesAtMs)}, live mode takes no new payments until it is paid.`,
      `GET /v1/fees lists each row of the ledger, and so does the dashboard: ${dashboardUrl}`,
    ),
  };
}

export function pauseAnnounced(notice: FeeInvoiceNotice, dashboardUrl: string): NoticeText {
  const pausesAt = isoTime(notice.pausesAtMs);
  return {
    subject: `Live payments will be paused: fee invoice ${notice.number} is not paid`,
    text: lines(
      `The fee invoice ${notice.number} was due at ${notice.due_at}, and no payment of it has been recorded.`,
      `Live mode takes no new payments from ${pausesAt} on, until it is paid.`,
      'Payments that were created before are carried to their end.',
      '',
      ...factsOf(notice),
      '',
      `If you have paid, write to support with the number ${notice.number}. Your fees: ${dashboardUrl}`,
    ),
  };
}

/** The operator gets this message. */
export function adjustmentSuggested(notice: LostFeeNotice): NoticeText {
  const { merchantId, paymentIntent, transferId, currency, feeMinorUnits } = notice;
  const amount = amountOf({ currency, amount_minor_units: feeMinorUnits });
  return {
    subject: `A fee of ${amount} may have to be given back`,
    text: lines(
      `The chain has taken back the transfer ${transferId} of a settled payment, for which a fee of ${amount} is booked.`,
      'Nothing is adjusted by itself: such a transfer may yet come back in another block.',
      '',
      `Merchant: ${merchantId}`,
      `Payment: ${paymentIntent}`,
      '',
      'Where the payment is lost for good, this command gives the fee back:',
      `npx quittance fee adjust ${merchantId} --currency ${currency} --amount -${feeMinorUnits} --payment-intent ${paymentIntent} --memo "The payment was lost on chain" --id lost-${paymentIntent}`,
    ),
  };
}

function factsOf(notice: FeeInvoiceNotice): readonly string[] {
  return [
    `Number: ${notice.number}`,
    `Amount: ${amountOf(notice)}`,
    `Due: ${notice.due_at}`,
    `Fee invoice: ${notice.id}`,
  ];
}

function amountOf({ currency, amount_minor_units }: Pick<FeeInvoiceFacts, 'currency' | 'amount_minor_units'>): string {
  const decimals = currencyDecimals(currency) ?? 0;
  return `${formatUnits(BigInt(amount_minor_units), decimals, decimals)} ${currency}`;
}

function lines(...each: readonly string[]): string {
  return `${each.join('\n')}\n`;
}
