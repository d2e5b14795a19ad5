import { parseIsoTime } from '../../kernel/clock';
import { ceilDiv, proportion } from '../../vocabulary/money';
import { TOKENS } from '../../vocabulary/tokens';
import type { PaymentIntentEvent, Received, Remainder } from './payment-intent.events';
import type { LedgerTransfer, PaymentIntent, QuotedPaymentIntent } from './payment-intent.state';

type Outcome = 'exact' | 'short' | 'over';

/** The price of a payment in both currencies. */
type Priced = {
  readonly terms: Pick<QuotedPaymentIntent['terms'], 'amount_minor_units'>;
  readonly quote: Pick<QuotedPaymentIntent['quote'], 'due_base_units' | 'token_id'>;
};

/** The amount due, with both tolerances. */
type Tolerated = {
  readonly quote: Pick<QuotedPaymentIntent['quote'], 'due_base_units' | 'token_id' | 'tolerance_bps'>;
};

const BPS = 10_000n;
/** How far a chain's clock may run behind the service's before a payer's transfer seems older, or later, than it is. */
export const CLOCK_SKEW_MS = 120_000;

/** Base units received by transfers that count; `alsoFinal` names one that is about to count. */
export function receivedBaseUnits(payment: QuotedPaymentIntent, alsoFinal: string | null = null): bigint {
  return Object.values(payment.ledger.transfers)
    .filter(transfer => transfer.final || transfer.transfer_id === alsoFinal)
    .reduce((sum, transfer) => sum + BigInt(transfer.value_base_units), 0n);
}

/** How much of the amount due is still to pay when so much has come; below zero where more than that has come. */
export function remainderBaseUnits({ quote }: Pick<Priced, 'quote'>, received: bigint): bigint {
  return BigInt(quote.due_base_units) - received;
}

/**
 * A sum within the attribution tolerance is exact. A smaller sum that the merchant's tolerance does not cover is short,
 * and a sum beyond the due amount is over.
 */
export function outcome(payment: Tolerated, received: bigint): Outcome {
  const due = BigInt(payment.quote.due_base_units);
  const tolerance = TOKENS[payment.quote.token_id].attributionToleranceBaseUnits;
  if (received > due + tolerance) return 'over';
  if (received >= due - tolerance) return 'exact';
  const covered = ceilDiv(due * (BPS - BigInt(payment.quote.tolerance_bps)), BPS);
  return received >= covered ? 'exact' : 'short';
}

/** The part of the amount due that is still to pay when so much has come; null where no more is asked for. */
export function missingBaseUnits(payment: Tolerated, received: bigint): bigint | null {
  return outcome(payment, received) === 'short' ? remainderBaseUnits(payment, received) : null;
}

/**
 * Amounts in minor units of the currency: the amount itself when exact to the attribution tolerance, otherwise its
 * share, rounded down.
 */
export function receivedAmounts(payment: Priced, received: bigint): Received {
  const due = BigInt(payment.quote.due_base_units);
  const amount = BigInt(payment.terms.amount_minor_units);
  const tolerance = TOKENS[payment.quote.token_id].attributionToleranceBaseUnits;
  const off = received > due ? received - due : due - received;
  const minorUnits = off <= tolerance ? amount : proportion(amount, received, due);
  return { received_base_units: received.toString(), received_minor_units: minorUnits.toString() };
}

/**
 * The surplus of a payment that is about to be confirmed: the sum beyond the amount due. Null where no more has come
 * than was asked for. The amount of a remainder is a little more than the missing part, and that little is no surplus.
 */
function surplusBaseUnits(payment: QuotedPaymentIntent, received: bigint): bigint | null {
  const due = BigInt(payment.quote.due_base_units);
  const remainder = unpaidRemainder(payment);
  const asked = remainder === null ? due : receivedBaseUnits(payment) + BigInt(remainder.due_base_units);
  const most = (asked > due ? asked : due) + TOKENS[payment.quote.token_id].attributionToleranceBaseUnits;
  return received > most ? received - due : null;
}

/** The settlement of a payment as confirmed, by the sum that has come. */
export function confirmed(payment: QuotedPaymentIntent, received: bigint): PaymentIntentEvent {
  const surplus = surplusBaseUnits(payment, received)?.toString() ?? null;
  return { type: 'PaymentConfirmed', data: { ...receivedAmounts(payment, received), surplus_base_units: surplus } };
}

/**
 * Whether only its merchant can confirm the payment. A transfer came by inference, at a wallet that receives other
 * money too. A stranger who can predict such money could otherwise get goods for it.
 */
export function isMerchantsToConfirm(payment: QuotedPaymentIntent): boolean {
  return inferredAtShared(payment).length > 0;
}

/** The inferred transfers that only the payment's merchant can count. */
export function inferredAtShared({ quote, ledger }: QuotedPaymentIntent): readonly LedgerTransfer[] {
  return quote.dedicated ? [] : Object.values(ledger.transfers).filter(({ attribution }) => attribution === 'inferred');
}

/**
 * The payment as it is without the transfers that were inferred at a shared wallet; null where it has none. Null too
 * where another transfer came after the quote's end: its price is out of date, and its merchant decides.
 */
export function withoutInferredAtShared(payment: QuotedPaymentIntent): QuotedPaymentIntent | null {
  const { ledger, quote } = payment;
  const left = new Set(inferredAtShared(payment));
  if (left.size === 0) return null;
  const sure = Object.values(ledger.transfers).filter(transfer => !left.has(transfer));
  const untilMs = parseIsoTime(quote.quote_expires_at) + CLOCK_SKEW_MS;
  const isInTime = sure.every(({ block_time: at }) => parseIsoTime(at) <= untilMs);
  const transfers = Object.fromEntries(sure.map(transfer => [transfer.transfer_id, transfer]));
  return sure.length > 0 && isInTime ? { ...payment, ledger: { ...ledger, transfers } } : null;
}

/** Whether the payment is in review. Its received amount then follows the chain. */
export function isInReview({ status }: PaymentIntent): boolean {
  return status === 'underpaid' || status === 'paid_late';
}

/** Whether the payment was rejected in its review. The payment stays as it is, and takes nothing more. */
export function isReviewRejected(state: PaymentIntent): boolean {
  return isInReview(state) && 'ledger' in state && state.ledger.review === 'rejected';
}

/**
 * The amount that is asked for beyond the quote: the remainder of an underpaid payment. Null for none, and after a
 * rejection in review. The ledger still knows the remainder's slot then, which stays reserved for its time.
 */
export function unpaidRemainder(state: PaymentIntent): Remainder | null {
  return state.status === 'underpaid' && !isReviewRejected(state) ? state.ledger.remainder : null;
}

/** Whether an expired payment has a transfer: one that is in no block that is deep enough, or that was named for it. */
export function isMoneyUnderWay({ ledger }: QuotedPaymentIntent): boolean {
  return Object.keys(ledger.transfers).length > 0;
}
