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
 * Decides whether a transfer that met no reservation is credited to a payment by inference. The function is pure: the
 * caller gathers the facts of one address and token by these index reads, each with a limit.
 *
 * - by time: the payments whose quote was open at the block's time, whatever they ask for;
 * - by due and by remainder, for each day that touches the last 24 hours: the amounts of `rangeOfLastDay`;
 * - by due and by remainder, for each day that touches the last 30 days: the amounts of `rangeOfLastMonth`.
 *
 * Each span ends `OTHERS_AHEAD_MS` after the block's time. A reservation outlives 24 hours by the time of its quote:
 * the read of the last day begins that much earlier. The last of the reads can be left out where `rangeOfLastMonth`
 * answers null. A refusal of another clause stands then.
 */
export function judgeInference(facts: InferenceFacts): Inference {
  const [meant] = wereAwaiting(facts);
  const refusal = refusedClause(GROUND, facts);
  if (refusal !== null || meant === undefined) return queued(facts, null, refusal ?? 'none_awaiting');
  const refusalOfClaim = refusedClause(CLAIM, { facts, meant });
  if (refusalOfClaim !== null) return queued(facts, meant, refusalOfClaim);
  const distanceBaseUnits = distance(meant.dueBaseUnits, facts.valueBaseUnits);
  const evidence = evidenceOf(facts, meant, null);
  return { verdict: 'credit', paymentIntent: meant.paymentIntent, distanceBaseUnits, evidence };
}

/** An amount from one half to 1.01 of another's due lies in this range of dues, both ends included. */
export function rangeOfLastDay(valueBaseUnits: bigint): AmountRange {
  return { from: (valueBaseUnits * 100n + 100n) / 101n, to: valueBaseUnits * 2n };
}

/** The dues within 2d of the value, both ends included. Null where the facts so far refuse the credit already. */
export function rangeOfLastMonth(facts: InferenceFacts): AmountRange | null {
  const judged = judgeInference(facts);
  if (judged.verdict === 'queue') return null;
  const reach = 2n * judged.distanceBaseUnits;
  const value = facts.valueBaseUnits;
  return { from: value > reach ? value - reach : 0n, to: value + reach };
}

export type AmountRange = { readonly from: bigint; readonly to: bigint };

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

function queued(facts: InferenceFacts, meant: PaymentThere | null, refusal: InferenceRefusal): Inference {
  return { verdict: 'queue', refusal, evidence: evidenceOf(facts, meant, refusal) };
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
    block_time: isoTime(facts.blockTimeMs),
    block_hash: facts.blockHash,
    is_dedicated: meant?.isDedicated ?? null,
    index_position: String(facts.look.indexPosition),
    last_day_count: others.filter(payment => isOfLastDay(payment, facts)).length,
    last_month_count: others.filter(payment => isOfLastMonth(payment, facts)).length,
    others: [...others]
      .sort((one, other) => byDistance(one, other, facts))
      .slice(0, OTHERS_KEPT)
      .map(payment => otherLookedAt(payment, facts)),
  };
}

function byDistance(one: PaymentThere, other: PaymentThere, facts: InferenceFacts): number {
  const [near, far] = [nearest(one, facts), nearest(other, facts)];
  if (near !== far) return near < far ? -1 : 1;
  return one.paymentIntent < other.paymentIntent ? -1 : 1;
}

function otherLookedAt(payment: PaymentThere, facts: InferenceFacts): OtherLookedAt {
  return {
    payment_intent: payment.paymentIntent,
    due_base_units: payment.dueBaseUnits.toString(),
    remainder_base_units: payment.remainderBaseUnits?.toString() ?? null,
    distance_base_units: nearest(payment, facts).toString(),
    quoted_at: isoTime(payment.quotedAtMs),
    standing: payment.standing,
  };
}
