import { DAY_MS, isoTime, MINUTE_MS } from '../../kernel/clock';
import type {
  Inference,
  InferenceEvidence,
  InferenceFacts,
  InferenceRefusal,
  OtherLookedAt,
  PaymentThere,
} from './inference-facts';

export const LAST_DAY_MS = DAY_MS;
export const LAST_MONTH_MS = 30 * DAY_MS;
/**
 * Payments quoted up to so long after the block count among the others: a chain's clock may run behind the service's.
 * The payment that is meant has no such allowance.
 */
export const OTHERS_AHEAD_MS = 10 * MINUTE_MS;
const OTHERS_KEPT = 10;

/**
 * Decides whether a transfer that met no reservation is credited to a payment by inference. The function is pure. The
 * caller gathers the facts of one address and token by three index reads, each with a limit.
 *
 * The first read is by time. The read finds the payments whose quote was open at the block's time, whatever they ask.
 *
 * The second read is by due and by remainder, for each day that touches the last 24 hours. Its amounts are those of
 * `rangeOfLastDay`. A reservation outlives 24 hours by the time of its quote: the read begins that much earlier.
 *
 * The third read is by due and by remainder, for each day that touches the last 30 days. Its amounts are those of
 * `rangeOfLastMonth`. Where that range is null another clause refuses, and the read is not needed.
 *
 * The spans of the last two reads end `OTHERS_AHEAD_MS` after the block's time.
 */
export function judgeInference(facts: InferenceFacts): Inference {
  const { meant, refusal } = judged(facts);
  const evidence = evidenceOf(facts, meant, refusal);
  if (refusal !== null) return { verdict: 'queue', refusal, evidence };
  return { verdict: 'credit', paymentIntent: meant.paymentIntent, evidence };
}

/** An amount from one half to 1.01 of another's due lies in this range of dues, both ends included. */
export function rangeOfLastDay(valueBaseUnits: bigint): AmountRange {
  return { from: (valueBaseUnits * 100n + 100n) / 101n, to: valueBaseUnits * 2n };
}

/** The dues within 2d of the value, both ends included. Null where the facts so far refuse the credit already. */
export function rangeOfLastMonth(facts: InferenceFacts): AmountRange | null {
  const { meant, refusal } = judged(facts);
  if (refusal !== null) return null;
  const value = facts.valueBaseUnits;
  const reach = 2n * distance(meant.dueBaseUnits, value);
  return { from: value > reach ? value - reach : 0n, to: value + reach };
}

export type AmountRange = { readonly from: bigint; readonly to: bigint };

/** The payment that is meant, where the rule came to one, and the clause that refuses it. */
type Judged =
  | { readonly meant: PaymentThere; readonly refusal: InferenceRefusal | null }
  | { readonly meant: null; readonly refusal: InferenceRefusal };
type Claim = { readonly facts: InferenceFacts; readonly meant: PaymentThere };
type Clause<Asked> = readonly [refusal: InferenceRefusal, holds: (asked: Asked) => boolean];

/** The clauses that are asked before it is known which payment is meant. */
const GROUND: readonly Clause<InferenceFacts>[] = [
  ['not_gapless', ({ look }) => look.isGapless],
  ['index_behind', isAtHead],
  ['look_crowded', ({ look }) => !look.isCrowded],
  ['not_one_merchant', reachesOneMerchant],
  ['none_awaiting', someWasAwaiting],
  ['several_awaiting', noOtherWasAwaiting],
];

const CLAIM: readonly Clause<Claim>[] = [
  ['no_longer_awaiting', ({ meant }) => meant.standing === 'awaiting'],
  ['has_inferred_credit', ({ meant }) => !meant.hasInferredCredit],
  ['exact_amount', isNotExact],
  ['below_half', isHalfOrMore],
  ['not_below_due', isBelowDueOnSharedWallet],
  ['above_allowance', isWithinAllowance],
  ['another_unpaid_in_range', noOtherUnpaidIsInRange],
  ['another_due_near', noOtherIsNear],
];

function judged(facts: InferenceFacts): Judged {
  const refusalOfGround = refusedClause(GROUND, facts);
  const [meant] = wereAwaiting(facts);
  if (refusalOfGround !== null || meant === undefined)
    return { meant: null, refusal: refusalOfGround ?? 'none_awaiting' };
  return { meant, refusal: refusedClause(CLAIM, { facts, meant }) };
}

function refusedClause<Asked>(clauses: readonly Clause<Asked>[], asked: Asked): InferenceRefusal | null {
  return clauses.find(([, holds]) => !holds(asked))?.[0] ?? null;
}

function isAtHead({ look: { indexPosition, headPosition } }: InferenceFacts): boolean {
  return indexPosition >= headPosition;
}

function reachesOneMerchant({ merchants, payments }: InferenceFacts): boolean {
  return new Set([...merchants, ...payments.map(({ merchantId }) => merchantId)]).size === 1 && merchants.length > 0;
}

function someWasAwaiting(facts: InferenceFacts): boolean {
  return wereAwaiting(facts).length > 0;
}

function noOtherWasAwaiting(facts: InferenceFacts): boolean {
  return wereAwaiting(facts).length < 2;
}

/** The payments that were `awaiting_payment` at the block's time, by their own moments. */
function wereAwaiting({ payments, blockTimeMs }: InferenceFacts): readonly PaymentThere[] {
  return payments.filter(
    ({ quotedAtMs, quoteExpiresAtMs, leftAtMs }) =>
      quotedAtMs <= blockTimeMs && blockTimeMs <= quoteExpiresAtMs && (leftAtMs === null || leftAtMs > blockTimeMs),
  );
}

/** An exact amount is no matter of inference: its reservation decides. */
function isNotExact({ facts, meant }: Claim): boolean {
  return distance(meant.dueBaseUnits, facts.valueBaseUnits) > facts.token.attributionToleranceBaseUnits;
}

function isHalfOrMore({ facts, meant }: Claim): boolean {
  return isAtLeastHalf(facts.valueBaseUnits, meant.dueBaseUnits);
}

function isBelowDueOnSharedWallet({ facts, meant }: Claim): boolean {
  return meant.isDedicated || facts.valueBaseUnits < meant.dueBaseUnits;
}

function isWithinAllowance({ facts, meant }: Claim): boolean {
  return isAtMostAllowance(facts.valueBaseUnits, meant.dueBaseUnits);
}

function noOtherUnpaidIsInRange({ facts, meant }: Claim): boolean {
  const { valueBaseUnits: value } = facts;
  return !othersOf(facts, meant)
    .filter(payment => isOfLastDay(payment, facts) && payment.standing !== 'paid')
    .some(payment => asked(payment).some(due => isAtLeastHalf(value, due) && isAtMostAllowance(value, due)));
}

function noOtherIsNear({ facts, meant }: Claim): boolean {
  const reach = 2n * distance(meant.dueBaseUnits, facts.valueBaseUnits);
  return !othersOf(facts, meant)
    .filter(payment => isOfLastMonth(payment, facts))
    .some(payment => nearest(payment, facts) <= reach);
}

function isAtLeastHalf(value: bigint, due: bigint): boolean {
  return value * 2n >= due;
}

/** Up to 1.01 of the amount due. */
function isAtMostAllowance(value: bigint, due: bigint): boolean {
  return value * 100n <= due * 101n;
}

/** Reserved within the last 24 hours, or still reserved at the block's time. */
function isOfLastDay({ quotedAtMs, reservedUntilMs }: PaymentThere, { blockTimeMs }: InferenceFacts): boolean {
  if (quotedAtMs > blockTimeMs + OTHERS_AHEAD_MS) return false;
  return quotedAtMs >= blockTimeMs - LAST_DAY_MS || reservedUntilMs >= blockTimeMs;
}

/** Quoted within the last 30 days, or still reserved at the block's time. */
function isOfLastMonth({ quotedAtMs, reservedUntilMs }: PaymentThere, { blockTimeMs }: InferenceFacts): boolean {
  if (quotedAtMs > blockTimeMs + OTHERS_AHEAD_MS) return false;
  return quotedAtMs >= blockTimeMs - LAST_MONTH_MS || reservedUntilMs >= blockTimeMs;
}

function othersOf({ payments }: InferenceFacts, meant: PaymentThere): readonly PaymentThere[] {
  return payments.filter(({ paymentIntent }) => paymentIntent !== meant.paymentIntent);
}

/** The amounts that a payment asks, or asked, for. */
function asked({ dueBaseUnits, remainderBaseUnits }: PaymentThere): readonly bigint[] {
  return remainderBaseUnits === null ? [dueBaseUnits] : [dueBaseUnits, remainderBaseUnits];
}

function nearest(payment: PaymentThere, { valueBaseUnits }: InferenceFacts): bigint {
  return asked(payment)
    .map(due => distance(due, valueBaseUnits))
    .reduce((least, each) => (each < least ? each : least));
}

function distance(one: bigint, other: bigint): bigint {
  return one > other ? one - other : other - one;
}

function evidenceOf(
  facts: InferenceFacts,
  meant: PaymentThere | null,
  refusal: InferenceRefusal | null,
): InferenceEvidence {
  const others = facts.payments.filter(({ paymentIntent }) => paymentIntent !== meant?.paymentIntent);
  return {
    refusal,
    address: facts.address,
    payment_intent: meant?.paymentIntent ?? null,
    due_base_units: meant?.dueBaseUnits.toString() ?? null,
    value_base_units: facts.valueBaseUnits.toString(),
    distance_base_units: meant === null ? null : String(distance(meant.dueBaseUnits, facts.valueBaseUnits)),
    quoted_at: meant === null ? null : isoTime(meant.quotedAtMs),
    quote_expires_at: meant === null ? null : isoTime(meant.quoteExpiresAtMs),
    block_time: isoTime(facts.blockTimeMs),
    clock_ahead_ms: facts.clockAheadMs,
    block_hash: facts.blockHash,
    is_dedicated: meant?.isDedicated ?? null,
    index_position: String(facts.look.indexPosition),
    last_day_count: others.filter(payment => isOfLastDay(payment, facts)).length,
    last_month_count: others.filter(payment => isOfLastMonth(payment, facts)).length,
    others: others
      .map(payment => ({ payment, off: nearest(payment, facts) }))
      .sort(byDistance)
      .slice(0, OTHERS_KEPT)
      .map(otherLookedAt),
  };
}

type Distant = { readonly payment: PaymentThere; readonly off: bigint };

function byDistance(one: Distant, other: Distant): number {
  if (one.off !== other.off) return one.off < other.off ? -1 : 1;
  return one.payment.paymentIntent < other.payment.paymentIntent ? -1 : 1;
}

function otherLookedAt({ payment, off }: Distant): OtherLookedAt {
  return {
    payment_intent: payment.paymentIntent,
    due_base_units: payment.dueBaseUnits.toString(),
    remainder_base_units: payment.remainderBaseUnits?.toString() ?? null,
    distance_base_units: off.toString(),
    quoted_at: isoTime(payment.quotedAtMs),
    quote_expires_at: isoTime(payment.quoteExpiresAtMs),
    reserved_until: isoTime(payment.reservedUntilMs),
    left_at: payment.leftAtMs === null ? null : isoTime(payment.leftAtMs),
    standing: payment.standing,
  };
}
