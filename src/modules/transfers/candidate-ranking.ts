import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/clock';
import type { Token } from '../../kernel/tokens';
import { bestExplanation, type Explanation, type UnmatchedFacts } from './candidate-evidence';
import type { RankedCandidate, TransferUnmatched } from './transfer.events';

/** A payment that asks, or asked, for money on the address. */
export type ExpectedPayment = {
  readonly paymentIntent: string;
  readonly merchantId: string;
  readonly state: 'waiting' | 'paid' | 'ended';
  readonly dueBaseUnits: bigint;
  readonly fiatBaseUnits: bigint;
  /** What is still missing of it; null unless it came short. */
  readonly remainderBaseUnits: bigint | null;
  readonly quotedAtMs: number;
  readonly reservedUntilMs: number;
  /** Who sent its first transfer. */
  readonly payer: string | null;
};

export type Surroundings = {
  readonly token: Token;
  /** Other transfers to the address that met no reservation. */
  readonly siblings: readonly UnmatchedFacts[];
  /** Merchants whom the sender has paid before. */
  readonly knownTo: ReadonlySet<string>;
  /** The payment that the queue's entry names; null when there is none. */
  readonly named: NamedCandidate | null;
};

export type NamedCandidate = { readonly paymentIntent: string; readonly reason: TransferUnmatched['data']['reason'] };

const NAMED_IN_WORDS: Readonly<Record<NamedCandidate['reason'], string>> = {
  no_reservation: 'which has its amount',
  credit_refused: 'which could not take it any more',
  too_many_waiting: 'for which too many transfers wait',
  given_up: 'for which it has waited',
};

/** What is kept of a ranking: who decides by hand looks at no more. */
export const CANDIDATES_KEPT = 10;
/** Payments that one ranking weighs. */
export const PAYMENTS_WEIGHED = 500;

const QUOTE_MS = 15 * MINUTE_MS;
/** Half of those who pay at once have done so by then. */
const HALF_PAID_MS = 3 * MINUTE_MS;
const HALF_LATE_MS = 4 * HOUR_MS;
const WEIGHT_OF_STATE = { waiting: 1, paid: 0.03, ended: 0.1 } as const;
const WEIGHT_OF_ITS_PAYER = 20;
const WEIGHT_OF_KNOWN_SENDER = 2;

type Weighed = { readonly candidate: RankedCandidate; readonly weight: number; readonly quotedAtMs: number };

/**
 * Whose an unmatched transfer may be, the likeliest first: how well a common mistake explains the amount, times how
 * plausible its moment, the payment's state and the sender are. It is advice for people: nothing is credited by it.
 */
export function rankCandidates(
  unmatched: UnmatchedFacts,
  payments: readonly ExpectedPayment[],
  surroundings: Surroundings,
): readonly RankedCandidate[] {
  return payments
    .slice(0, PAYMENTS_WEIGHED)
    .map(payment => weigh(unmatched, payment, surroundings))
    .filter(weighed => weighed !== null)
    .sort((one, other) => other.weight - one.weight || other.quotedAtMs - one.quotedAtMs || byId(one, other))
    .slice(0, CANDIDATES_KEPT)
    .map(({ candidate }) => candidate);
}

function byId({ candidate: one }: Weighed, { candidate: other }: Weighed): number {
  return one.payment_intent < other.payment_intent ? -1 : 1;
}

function weigh(unmatched: UnmatchedFacts, payment: ExpectedPayment, surroundings: Surroundings): Weighed | null {
  const { token, siblings, knownTo, named } = surroundings;
  const { paymentIntent, merchantId, dueBaseUnits, fiatBaseUnits, remainderBaseUnits, quotedAtMs } = payment;
  const whole = bestExplanation(token, unmatched, dueBaseUnits, fiatBaseUnits, siblings);
  const remainder =
    remainderBaseUnits === null ? null : bestExplanation(token, unmatched, remainderBaseUnits, null, siblings);
  const isOfRemainder = remainder !== null && (whole === null || remainder.probability >= whole.probability);
  const explanation = isOfRemainder ? remainder : whole;
  if (explanation === null && paymentIntent !== named?.paymentIntent) return null;
  const asked = isOfRemainder && remainderBaseUnits !== null ? remainderBaseUnits : dueBaseUnits;
  const off = unmatched.valueBaseUnits - asked;
  const weight =
    (explanation?.probability ?? 0) *
    momentWeight(unmatched.paidAtMs, payment) *
    WEIGHT_OF_STATE[payment.state] *
    senderWeight(unmatched, payment, knownTo);
  return {
    candidate: {
      payment_intent: paymentIntent,
      merchant_id: merchantId,
      reason: inWords(unmatched, payment, explanation, surroundings, isOfRemainder),
      distance_base_units: String(off < 0n ? -off : off),
    },
    weight: paymentIntent === named?.paymentIntent ? Infinity : weight,
    quotedAtMs,
  };
}

/**
 * Most pay within minutes of their quote, some after its end, few after its window; before it only by a clock that is
 * off.
 */
function momentWeight(paidAtMs: number, { quotedAtMs, reservedUntilMs }: ExpectedPayment): number {
  const afterMs = paidAtMs - quotedAtMs;
  if (afterMs < -10 * MINUTE_MS) return 1e-4;
  if (afterMs < 0) return afterMs < -2 * MINUTE_MS ? 0.01 : 0.1;
  if (afterMs <= QUOTE_MS) return Math.max(2 ** (-afterMs / HALF_PAID_MS), 0.05);
  if (paidAtMs <= reservedUntilMs) return 0.02 * 2 ** (-(afterMs - QUOTE_MS) / HALF_LATE_MS);
  return 1e-4 * 2 ** (-(paidAtMs - reservedUntilMs) / DAY_MS);
}

function senderWeight(
  { from }: UnmatchedFacts,
  { payer, merchantId }: ExpectedPayment,
  known: ReadonlySet<string>,
): number {
  if (payer === from) return WEIGHT_OF_ITS_PAYER;
  return known.has(merchantId) ? WEIGHT_OF_KNOWN_SENDER : 1;
}

function inWords(
  unmatched: UnmatchedFacts,
  payment: ExpectedPayment,
  explanation: Explanation | null,
  { knownTo, named }: Surroundings,
  isOfRemainder: boolean,
): string {
  const facts = [explanation?.reason ?? 'Its amount was reserved'];
  if (isOfRemainder) facts[0] += ' for the remainder';
  facts.push(moment(unmatched.paidAtMs, payment));
  if (unmatched.from === payment.payer) facts.push('from the sender of its first transfer');
  else if (knownTo.has(payment.merchantId)) facts.push('from a sender who has paid this merchant before');
  if (payment.paymentIntent === named?.paymentIntent) facts.push(NAMED_IN_WORDS[named.reason]);
  else if (payment.state === 'paid') facts.push('which a transfer has reached already');
  else if (payment.state === 'ended') facts.push('which was canceled or failed');
  return `${facts.join('; ')}.`;
}

function moment(paidAtMs: number, { quotedAtMs, reservedUntilMs }: ExpectedPayment): string {
  if (paidAtMs < quotedAtMs) return `paid ${span(quotedAtMs - paidAtMs)} before the quote`;
  if (paidAtMs > reservedUntilMs) return `paid ${span(paidAtMs - reservedUntilMs)} after the last moment for it`;
  return `paid ${span(paidAtMs - quotedAtMs)} after the quote`;
}

function span(ms: number): string {
  const [count, unit] =
    ms < 2 * MINUTE_MS
      ? [Math.round(ms / 1_000), 'second']
      : ms < 2 * HOUR_MS
        ? [Math.round(ms / MINUTE_MS), 'minute']
        : [Math.round(ms / HOUR_MS), 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
