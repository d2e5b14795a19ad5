import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/clock';
import type { Token } from '../../vocabulary/tokens';
import { QUOTE_TTL_MS } from '../payment-intents/quote-times';
import { bestExplanation, type UnmatchedFacts } from './candidate-evidence';
import type { CandidateEvidence, RankedCandidate, TransferUnmatched } from './transfer.events';

/** A payment that asks, or asked, for money on the address. */
export type ExpectedPayment = {
  readonly paymentIntent: string;
  readonly merchantId: string;
  /** `ended`: canceled, failed or rejected. */
  readonly state: 'waiting' | 'paid' | 'ended';
  readonly dueBaseUnits: bigint;
  readonly fiatBaseUnits: bigint;
  /** The payment's remainder; null unless the payment is short. */
  readonly remainderBaseUnits: bigint | null;
  readonly quotedAtMs: number;
  readonly reservedUntilMs: number;
  /** The payer of the payment's first transfer. */
  readonly payer: string | null;
};

export type Surroundings = {
  readonly token: Token;
  /** Other transfers to the address that met no reservation. */
  readonly siblings: readonly UnmatchedFacts[];
  /** Merchants that the sender has paid before. */
  readonly knownTo: ReadonlySet<string>;
  /** The payment that the queue's entry names; null when there is none. */
  readonly named: NamedCandidate | null;
};

export type NamedCandidate = { readonly paymentIntent: string; readonly reason: TransferUnmatched['data']['reason'] };

/** Candidates kept of a ranking: a person who decides by hand looks at no more. */
export const CANDIDATES_KEPT = 10;
/** Payments that one ranking weighs. */
const PAYMENTS_WEIGHED = 500;

/** The time by which half of the payers who pay at once have done so. */
const HALF_PAID_MS = 3 * MINUTE_MS;
const HALF_LATE_MS = 4 * HOUR_MS;
const WEIGHT_OF_STATE = { waiting: 1, paid: 0.03 } as const;
const WEIGHT_OF_ITS_PAYER = 20;
const WEIGHT_OF_KNOWN_SENDER = 2;

type Open = ExpectedPayment & { readonly state: 'waiting' | 'paid' };
type Weighed = { readonly candidate: RankedCandidate; readonly weight: number; readonly quotedAtMs: number };

/**
 * The payments that an unmatched transfer may belong to, the likeliest first. The weight is the product of two factors.
 * One factor is how well a common mistake explains the amount. The other factor is how plausible the transfer's moment,
 * the payment's state and the sender are. The ranking is advice for people: nothing is credited by it. A payment that
 * was canceled, has failed or was rejected takes nothing, and is no candidate.
 */
export function rankCandidates(
  unmatched: UnmatchedFacts,
  payments: readonly ExpectedPayment[],
  surroundings: Surroundings,
): readonly RankedCandidate[] {
  return payments
    .filter(takesTransfers)
    .slice(0, PAYMENTS_WEIGHED)
    .map(payment => weigh(unmatched, payment, surroundings))
    .filter(weighed => weighed !== null)
    .sort((one, other) => other.weight - one.weight || other.quotedAtMs - one.quotedAtMs || byId(one, other))
    .slice(0, CANDIDATES_KEPT)
    .map(({ candidate }) => candidate);
}

function takesTransfers(payment: ExpectedPayment): payment is Open {
  return payment.state !== 'ended';
}

function byId({ candidate: one }: Weighed, { candidate: other }: Weighed): number {
  return one.payment_intent < other.payment_intent ? -1 : 1;
}

function weigh(unmatched: UnmatchedFacts, payment: Open, surroundings: Surroundings): Weighed | null {
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
      evidence: {
        amount: explanation?.evidence ?? { code: 'reserved' },
        is_of_remainder: isOfRemainder,
        paid: momentOf(unmatched.paidAtMs, payment),
        sender: unmatched.from === payment.payer ? 'payer' : knownTo.has(merchantId) ? 'known' : null,
        standing: standingOf(payment, named),
      },
      distance_base_units: String(off < 0n ? -off : off),
    },
    weight: paymentIntent === named?.paymentIntent ? Infinity : weight,
    quotedAtMs,
  };
}

/**
 * Most payers pay within minutes of their quote, some after its end, few after its window. A payment before the quote
 * is possible only by a clock that is off.
 */
function momentWeight(paidAtMs: number, { quotedAtMs, reservedUntilMs }: ExpectedPayment): number {
  const afterMs = paidAtMs - quotedAtMs;
  if (afterMs < -10 * MINUTE_MS) return 1e-4;
  if (afterMs < 0) return afterMs < -2 * MINUTE_MS ? 0.01 : 0.1;
  if (afterMs <= QUOTE_TTL_MS) return Math.max(2 ** (-afterMs / HALF_PAID_MS), 0.05);
  if (paidAtMs <= reservedUntilMs) return 0.02 * 2 ** (-(afterMs - QUOTE_TTL_MS) / HALF_LATE_MS);
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

function momentOf(paidAtMs: number, { quotedAtMs, reservedUntilMs }: ExpectedPayment): CandidateEvidence['paid'] {
  if (paidAtMs < quotedAtMs) return { code: 'before_quote', by_ms: quotedAtMs - paidAtMs };
  if (paidAtMs > reservedUntilMs) return { code: 'after_window', by_ms: paidAtMs - reservedUntilMs };
  return { code: 'after_quote', by_ms: paidAtMs - quotedAtMs };
}

function standingOf({ paymentIntent, state }: Open, named: NamedCandidate | null): CandidateEvidence['standing'] {
  if (paymentIntent === named?.paymentIntent) return named.reason;
  return state === 'waiting' ? null : state;
}
