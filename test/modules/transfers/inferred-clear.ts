import { DAY_MS, MINUTE_MS } from '../../../src/kernel/clock';
import type { Inference, InferenceRefusal, PaymentThere } from '../../../src/modules/transfers/inference-facts';
import { absolute, type Deposit } from './inferred-deposits';
import { askingIn, QUOTE_MS, quotedIn } from './inferred-shops';

/**
 * How the rule answered a clear mistake. Two clauses count as a reason: the one on the amount, and the one on other
 * unpaid payments of the last 24 hours. A clause counts only where this file finds by itself that it does not hold.
 */
export const CLEAR_ENDS = [
  'credited', 'refused by the amount', 'refused by another unpaid', 'refused by anything else', 'credited to another',
] as const; // prettier-ignore
export type ClearEnd = (typeof CLEAR_ENDS)[number];

export type ClearMistake = {
  readonly end: ClearEnd;
  /** The rule takes the amount, and no other unpaid payment of the last 24 hours could be meant. */
  readonly isAlone: boolean;
  /** Other payments of the last 24 hours at the address that are not paid yet, whatever they ask. */
  readonly othersUnpaid: number;
};

/** The rule's own times, written here once more: a change of the rule's numbers shows as an unexplained refusal. */
const MONTH_MS = 30 * DAY_MS;
const RESERVED_MS = DAY_MS + QUOTE_MS;
const AHEAD_MS = 10 * MINUTE_MS;
const AMOUNT_CLAUSES: readonly InferenceRefusal[] = ['below_half', 'not_below_due', 'above_allowance'];

/**
 * Null where the deposit is no clear mistake. A clear one is its sender's first transfer, and came in time. One payment
 * was open then, and no other payment of 30 days asked for an amount within 2d. No other clause is a condition here.
 */
export function clearMistake(deposit: Deposit, inference: Inference): ClearMistake | null {
  if (!isClear(deposit)) return null;
  const isTaken = isTakenAmount(deposit);
  const fitsAnother = fitsAnotherUnpaid(deposit);
  const othersUnpaid = unpaidThere(deposit).length;
  return { end: clearEnd(deposit, inference, isTaken, fitsAnother), isAlone: isTaken && !fitsAnother, othersUnpaid };
}

function clearEnd({ meant }: Deposit, inference: Inference, isTaken: boolean, fitsAnother: boolean): ClearEnd {
  if (inference.verdict === 'credit') return inference.paymentIntent === meant ? 'credited' : 'credited to another';
  const { refusal } = inference;
  if (AMOUNT_CLAUSES.includes(refusal) && !isTaken) return 'refused by the amount';
  if (refusal === 'another_unpaid_in_range' && isTaken && fitsAnother) return 'refused by another unpaid';
  return 'refused by anything else';
}

function isClear(deposit: Deposit): boolean {
  const { world, valueBaseUnits, blockTimeMs, meant } = deposit;
  const due = dueOf(deposit);
  if (due === null || !deposit.isFirstInTime || openAtBlock(deposit) !== 1) return false;
  const reach = 2n * absolute(due - valueBaseUnits);
  const range = { from: valueBaseUnits - reach, to: valueBaseUnits + reach };
  const month = { fromMs: blockTimeMs - MONTH_MS, toMs: blockTimeMs };
  return askingIn(world, range, month).every(({ paymentIntent }) => paymentIntent === meant);
}

/** From one half of the due to just below it; up to 1.01 of it on a dedicated wallet. */
function isTakenAmount(deposit: Deposit): boolean {
  const { world, valueBaseUnits: value } = deposit;
  const due = dueOf(deposit);
  return due !== null && isInRange(value, due) && (world.shop.isDedicated || value < due);
}

/** Expired, canceled and short payments are not paid, and neither are those with a transfer under way. */
function fitsAnotherUnpaid(deposit: Deposit): boolean {
  const { valueBaseUnits: value } = deposit;
  return unpaidThere(deposit).some(({ dueBaseUnits, remainderBaseUnits }) =>
    [dueBaseUnits, remainderBaseUnits ?? 0n].some(asked => isInRange(value, asked)),
  );
}

/** As in the rule, payments count too that were quoted soon after the block. */
function unpaidThere({ world, blockTimeMs, meant }: Deposit): readonly PaymentThere[] {
  const reserved = { fromMs: blockTimeMs - RESERVED_MS, toMs: blockTimeMs };
  const soon = world.payments.filter(
    ({ quotedAtMs }) => quotedAtMs > blockTimeMs && quotedAtMs <= blockTimeMs + AHEAD_MS,
  );
  return [...quotedIn(world, reserved), ...soon].filter(
    ({ paymentIntent, standing }) => paymentIntent !== meant && standing !== 'paid',
  );
}

/** From one half to 1.01 of an amount. */
function isInRange(value: bigint, asked: bigint): boolean {
  return value * 2n >= asked && value * 100n <= asked * 101n;
}

function dueOf({ world, meant }: Deposit): bigint | null {
  return world.payments.find(({ paymentIntent }) => paymentIntent === meant)?.dueBaseUnits ?? null;
}

/** The shop's history holds no payment that is open as the money comes. */
function openAtBlock({ world, blockTimeMs }: Deposit): number {
  return world.payments.filter(
    ({ quotedAtMs, quoteExpiresAtMs, leftAtMs }) =>
      quotedAtMs <= blockTimeMs && blockTimeMs <= quoteExpiresAtMs && (leftAtMs === null || leftAtMs > blockTimeMs),
  ).length;
}
