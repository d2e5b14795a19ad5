import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock';
import type { LogPosition } from '../../../src/kernel/log-position';
import type { InferenceFacts, PaymentThere } from '../../../src/modules/transfers/inference-facts';
import {
  judgeInference,
  LAST_DAY_MS,
  LAST_MONTH_MS,
  rangeOfLastDay,
  rangeOfLastMonth,
} from '../../../src/modules/transfers/inferred-credit';
import type { Prng } from '../../simulation/prng';
import {
  askingIn,
  depositTime,
  QUOTE_MS,
  SETTLED_AFTER_MS,
  quotedIn,
  quoteOf,
  spread,
  type Quoted,
  type Shop,
  type Span,
  type World,
} from './inferred-shops';

/** Money that came to a shop's address, and the payment that its sender meant; null where no payment was meant. */
export type Deposit = {
  readonly world: World;
  readonly valueBaseUnits: bigint;
  readonly blockTimeMs: number;
  readonly meant: string | null;
  /** The sender's first transfer, which is a mistake, for a payment whose quote was open. */
  readonly isFirstInTime: boolean;
  /** The time from the block's stamp to a quote that somebody took for the money's sake; null where nobody did. */
  readonly baitAfterMs: number | null;
};

const MISTAKES = ['fee deducted', 'rounded up and down', 'digits cut', 'fiat figure sent as tokens'] as const;
const LATE = ['paid 1 h late', 'paid 23 h late', 'paid 26 h late', 'paid 20 days late'] as const;
/** The money of these is nobody's who buys: a dedicated wallet has none of it, by its merchant's word. */
const NO_CUSTOMERS = ["the owner's own top-ups", "strangers' deposits"] as const;
/** Somebody sees money in a block, and takes a quote that it fits. */
export const TIMED = "quotes timed to others' deposits";
const TWICE = 'sent twice';
const PARTS = 'two parts';
const CANCELED = 'paid after cancel';
const PLAIN = [...MISTAKES, TWICE, PARTS, ...LATE, CANCELED, ...NO_CUSTOMERS] as const;
type Plain = (typeof PLAIN)[number];
/** Each transfer of these has the one fault that its class names. */
export const CLASSES = [...PLAIN, TIMED] as const;

/** The exact amount comes while it is reserved: the reservation takes all of these, and inference is not asked. */
export const RESERVED_CLASSES: readonly DepositClass[] = [TWICE, 'paid 1 h late', 'paid 23 h late', CANCELED];

/** Two faults in one transfer. */
const COMPOUNDS = {
  'sent twice, and mistaken': TWICE,
  'paid 1 h late, and mistaken': 'paid 1 h late',
  'paid 23 h late, and mistaken': 'paid 23 h late',
  'paid 26 h late, and mistaken': 'paid 26 h late',
  'paid 20 days late, and mistaken': 'paid 20 days late',
  'paid after cancel, and mistaken': CANCELED,
} as const satisfies Record<string, Plain>;
type Compound = keyof typeof COMPOUNDS;
const COMPOUND_CLASSES = Object.keys(COMPOUNDS) as Compound[];
/** Somebody knows of money before its block, and takes a quote that it fits in time. */
const PREDICTED = "quotes before customers' deposits that were predicted";
const PREDICTED_OF_NOBODY = "quotes before nobody's deposits that were predicted";
export const HARD_CLASSES = [...COMPOUND_CLASSES, PREDICTED, PREDICTED_OF_NOBODY] as const;
export type DepositClass = (typeof CLASSES)[number] | (typeof HARD_CLASSES)[number];

type Mistake = (typeof MISTAKES)[number];
type Late = (typeof LATE)[number];

const LATE_MS: Readonly<Record<Late, number>> = {
  'paid 1 h late': HOUR_MS,
  'paid 23 h late': 23 * HOUR_MS,
  'paid 26 h late': 26 * HOUR_MS,
  'paid 20 days late': 20 * DAY_MS,
};
const MOST_OPEN = 64;
/** Fees that exchanges name for a withdrawal, in hundredths of a token. */
const PUBLISHED_FEES = [100, 80, 30, 100, 100, 50, 20, 150, 200, 10];
const ROUND_TOKENS = [10, 20, 25, 50, 100, 100, 200, 250, 500, 1_000, 2_000, 5_000];
/** Baskets that somebody tries until the price suits. */
const OFFERS_TRIED = 30;
/** The time in which somebody reads a block and takes a quote: at least the block's way to him and his request's. */
const REACTION_MS = { least: 300, end: MINUTE_MS };
/**
 * Bounds of the difference between a chain's clock and the service's: time servers set both, and either may be ahead.
 * Of twenty pairs sixteen differ by up to 100 ms, three by up to 250 ms, and one by up to a second.
 */
const CLOCKS_APART_MS = [...Array<number>(16).fill(100), 250, 250, 250, SECOND_MS];

/** The amount that a sender makes of the amount due. */
type Send = (shop: Shop, meant: Quoted, prng: Prng) => bigint;

const exact: Send = (_, { payment }) => payment.dueBaseUnits;
const anyMistake: Send = (shop, meant, prng) => mistaken(prng.pick(MISTAKES), shop, meant, prng);

/** A deposit of the class at a shop. */
export function depositOf(kind: DepositClass, shop: Shop, prng: Prng): Deposit {
  const atMs = depositTime(prng);
  switch (kind) {
    case TIMED: {
      const seen = prng.pick(PLAIN.filter(each => !(shop.isDedicated && isOfNobody(each))));
      return baited(depositAt(seen, shop, atMs, prng), shop, reactionMs(prng), prng);
    }
    case PREDICTED: {
      const seen = prng.pick<Plain | Compound>([...MISTAKES, PARTS, ...COMPOUND_CLASSES]);
      return baited(depositAt(seen, shop, atMs, prng), shop, -leadMs(prng), prng);
    }
    case PREDICTED_OF_NOBODY:
      return baited(depositAt(prng.pick(NO_CUSTOMERS), shop, atMs, prng), shop, -leadMs(prng), prng);
    default:
      return depositAt(kind, shop, atMs, prng);
  }
}

function depositAt(kind: Plain | Compound, shop: Shop, atMs: number, prng: Prng): Deposit {
  return isCompound(kind)
    ? withFault(COMPOUNDS[kind], anyMistake, shop, atMs, prng)
    : withFault(kind, exact, shop, atMs, prng);
}

function withFault(fault: Plain, send: Send, shop: Shop, atMs: number, prng: Prng): Deposit {
  switch (fault) {
    case TWICE:
      return sentTwice(shop, atMs, send, prng);
    case PARTS:
      return inParts(shop, atMs, prng);
    case CANCELED:
      return afterCancel(shop, atMs, send, prng);
    case "the owner's own top-ups":
      return ofNobody(shop, atMs, topUp(shop, prng), prng);
    case "strangers' deposits":
      return ofNobody(shop, atMs, strangers(shop, prng), prng);
    default:
      return isLate(fault) ? late(fault, shop, atMs, send, prng) : inTime(fault, shop, atMs, prng);
  }
}

/** A dedicated wallet has no deposit of the class. */
export function isOfNobody(kind: DepositClass): boolean {
  return (NO_CUSTOMERS as readonly string[]).includes(kind) || kind === PREDICTED_OF_NOBODY;
}

function isCompound(kind: Plain | Compound): kind is Compound {
  return (COMPOUND_CLASSES as readonly string[]).includes(kind);
}

function isLate(kind: Mistake | Late): kind is Late {
  return (LATE as readonly string[]).includes(kind);
}

/** From 1 to 64, each power as often as another. */
function crowd(prng: Prng): number {
  return spread(prng, 1, MOST_OPEN + 1);
}

/** Quotes that wait at a moment: most payers take a few minutes. */
function openAt(shop: Shop, atMs: number, count: number, prng: Prng): readonly Quoted[] {
  return Array.from({ length: count }, () => quoteOf(prng, shop, atMs - waitedMs(prng)));
}

function waitedMs(prng: Prng): number {
  return prng.chance(70) ? 15 * SECOND_MS + prng.below(5 * MINUTE_MS) : prng.below(QUOTE_MS - 5 * SECOND_MS);
}

function inTime(kind: Mistake, shop: Shop, atMs: number, prng: Prng): Deposit {
  const [meant, ...others] = openAt(shop, atMs, crowd(prng), prng) as [Quoted, ...Quoted[]];
  const valueBaseUnits = mistaken(kind, shop, meant, prng);
  return deposit(shop, atMs, valueBaseUnits, meant, others, true);
}

function late(kind: Late, shop: Shop, atMs: number, send: Send, prng: Prng): Deposit {
  const others = openAt(shop, atMs, crowd(prng), prng);
  const meant = quoteOf(prng, shop, atMs - QUOTE_MS - LATE_MS[kind] - prng.below(10 * MINUTE_MS));
  return deposit(shop, atMs, send(shop, meant, prng), meant, others);
}

function afterCancel(shop: Shop, atMs: number, send: Send, prng: Prng): Deposit {
  const others = openAt(shop, atMs, crowd(prng), prng);
  const leftAtMs = atMs - spread(prng, MINUTE_MS, 12 * HOUR_MS);
  const quoted = quoteOf(prng, shop, leftAtMs - waitedMs(prng));
  const meant = { ...quoted, payment: { ...quoted.payment, standing: 'ended' as const, leftAtMs } };
  return deposit(shop, atMs, send(shop, meant, prng), meant, others);
}

/** The second of two transfers of the same amount. An exact first one paid; the rule judged another one. */
function sentTwice(shop: Shop, atMs: number, send: Send, prng: Prng): Deposit {
  const firstAtMs = atMs - 5 * SECOND_MS - prng.below(20 * MINUTE_MS);
  const others = openAt(shop, atMs, crowd(prng), prng);
  const meant = quoteOf(prng, shop, firstAtMs - waitedMs(prng));
  const valueBaseUnits = send(shop, meant, prng);
  const now = afterFirst(shop, meant, others, valueBaseUnits, firstAtMs, atMs);
  return deposit(shop, atMs, valueBaseUnits, now, others);
}

/** Either of the two parts of an amount. */
function inParts(shop: Shop, atMs: number, prng: Prng): Deposit {
  const isSecond = prng.chance(50);
  const firstAtMs = isSecond ? atMs - 5 * SECOND_MS - prng.below(20 * MINUTE_MS) : atMs;
  const count = crowd(prng);
  const others = openAt(shop, atMs, isSecond ? count : count - 1, prng);
  const meant = quoteOf(prng, shop, firstAtMs - waitedMs(prng));
  const grain = 10n ** BigInt(shop.token.decimals - prng.below(3));
  const share = (meant.payment.dueBaseUnits * BigInt(15 + prng.below(70))) / 100n;
  const first = share > grain ? share - (share % grain) : share;
  if (!isSecond) return deposit(shop, atMs, first, meant, others);
  const now = afterFirst(shop, meant, others, first, firstAtMs, atMs);
  const rest = meant.payment.dueBaseUnits - first;
  return deposit(shop, atMs, rest, now, others);
}

/** The payment that was meant as it stands after its first transfer: paid by it, or as the rule has judged it. */
function afterFirst(
  shop: Shop,
  meant: Quoted,
  others: readonly Quoted[],
  valueBaseUnits: bigint,
  firstAtMs: number,
  atMs: number,
): Quoted {
  const { dueBaseUnits } = meant.payment;
  const isSettled = atMs >= firstAtMs + SETTLED_AFTER_MS;
  if (absolute(dueBaseUnits - valueBaseUnits) <= shop.token.attributionToleranceBaseUnits) {
    const standing = isSettled ? 'paid' : 'under_way';
    return { ...meant, payment: { ...meant.payment, standing, leftAtMs: firstAtMs } };
  }
  const open = others.filter(({ payment }) => payment.quotedAtMs <= firstAtMs);
  const first = deposit(shop, firstAtMs, valueBaseUnits, meant, open);
  const judged = isReserved(first) ? null : judgeInference(factsOf(first));
  if (judged?.verdict !== 'credit' || judged.paymentIntent !== meant.payment.paymentIntent) return meant;
  const missing = dueBaseUnits - valueBaseUnits;
  const isWhole = shop.isDedicated && missing * 100n <= dueBaseUnits;
  const standing = isSettled ? (isWhole ? 'paid' : 'short') : 'under_way';
  const remainderBaseUnits = missing > 0n ? missing : null;
  const credited = { standing, remainderBaseUnits, leftAtMs: firstAtMs, hasInferredCredit: true } as const;
  return { ...meant, payment: { ...meant.payment, ...credited } };
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function ofNobody(shop: Shop, atMs: number, valueBaseUnits: bigint, prng: Prng): Deposit {
  const others = openAt(shop, atMs, crowd(prng), prng);
  return deposit(shop, atMs, valueBaseUnits, null, others);
}

function topUp(shop: Shop, prng: Prng): bigint {
  return tokens(shop, prng.chance(80) ? prng.pick(ROUND_TOKENS) * 100 : spread(prng, 1_000, 500_000));
}

function strangers(shop: Shop, prng: Prng): bigint {
  if (prng.chance(35)) return tokens(shop, prng.pick(ROUND_TOKENS) * 100);
  const value = tokens(shop, spread(prng, 100, 500_000));
  return prng.chance(40) ? value + BigInt(prng.below(1_000)) * shop.token.stepBaseUnits : value;
}

function tokens({ token }: Shop, hundredths: number): bigint {
  return BigInt(hundredths) * 10n ** BigInt(token.decimals - 2);
}

/** The deposit, and a quote a little above it, in the place of one of the other open payments. */
function baited(seen: Deposit, shop: Shop, baitAfterMs: number, prng: Prng): Deposit {
  const { world, meant, valueBaseUnits, blockTimeMs } = seen;
  const replaced = world.payments.findIndex(({ paymentIntent }) => paymentIntent !== meant);
  const kept = world.payments.filter((_, index) => index !== replaced);
  const bait = quoteOf(prng, shop, blockTimeMs + baitAfterMs, baitPrice(shop, valueBaseUnits, prng));
  return { ...seen, world: { shop, payments: [...kept, bait.payment] }, baitAfterMs };
}

/** The time from a block's stamp to a quote of somebody who has read the block. Few quotes seem to come before it. */
function reactionMs(prng: Prng): number {
  const apartMs = prng.pick(CLOCKS_APART_MS);
  return spread(prng, REACTION_MS.least, REACTION_MS.end) + prng.below(2 * apartMs + 1) - apartMs;
}

function leadMs(prng: Prng): number {
  return 2 * SECOND_MS + prng.below(MINUTE_MS);
}

/** The price a little above an amount, as near as the shop's offers allow. */
function baitPrice(shop: Shop, valueBaseUnits: bigint, prng: Prng): bigint {
  const inMinorUnits = (baseUnits: bigint): bigint =>
    (baseUnits * 100_000_000n) / (BigInt(shop.rateMicro) * 10n ** BigInt(shop.token.decimals));
  if (shop.takesAnyAmount)
    return inMinorUnits((valueBaseUnits * BigInt(10_002 + spread(prng, 1, 8_000))) / 10_000n) + 1n;
  const offers = Array.from({ length: OFFERS_TRIED }, () => shop.order(prng)).sort((one, other) => Number(one - other));
  return offers.find(offer => offer > inMinorUnits(valueBaseUnits)) ?? (offers.at(-1) as bigint);
}

function mistaken(kind: Mistake, shop: Shop, { payment, minorUnits }: Quoted, prng: Prng): bigint {
  const { token } = shop;
  const due = payment.dueBaseUnits;
  const grain = (decimals: number): bigint => 10n ** BigInt(token.decimals - decimals);
  const cut = (decimals: number): bigint => due - (due % grain(decimals));
  switch (kind) {
    case 'fee deducted': {
      const ticket = prng.below(10);
      const published = BigInt(prng.pick(PUBLISHED_FEES)) * grain(2);
      const share = (due * BigInt(10 + prng.below(140))) / 10_000n;
      const fee = ticket < 6 ? published : ticket < 8 ? BigInt(1 + prng.below(2_400)) * grain(3) : share;
      return fee < due ? due - fee : due - share;
    }
    case 'rounded up and down': {
      const decimals = prng.pick([2, 2, 2, 1, 0, 0]);
      return prng.chance(50)
        ? cut(decimals) || due
        : cut(decimals) + (due % grain(decimals) > 0n ? grain(decimals) : 0n);
    }
    case 'digits cut':
      return cut(prng.pick([4, 4, 3, 2]));
    case 'fiat figure sent as tokens':
      return minorUnits * grain(2);
  }
}

function deposit(
  shop: Shop,
  blockTimeMs: number,
  valueBaseUnits: bigint,
  meant: Quoted | null,
  others: readonly Quoted[],
  isFirstInTime = false,
): Deposit {
  const payments = [...(meant ? [meant] : []), ...others].map(({ payment }) => payment);
  const meantId = meant?.payment.paymentIntent ?? null;
  return { world: { shop, payments }, valueBaseUnits, blockTimeMs, meant: meantId, isFirstInTime, baitAfterMs: null };
}

/** The amount met a reservation to the unit: the service asks no rule of inference. */
export function isReserved({ world, valueBaseUnits, blockTimeMs }: Deposit): boolean {
  const tolerance = world.shop.token.attributionToleranceBaseUnits;
  const range = { from: valueBaseUnits - tolerance, to: valueBaseUnits + tolerance };
  const asking = askingIn(world, range, reservedUntil(blockTimeMs));
  return asking.some(({ reservedUntilMs }) => reservedUntilMs >= blockTimeMs);
}

/** A first mistake in time, with one open payment, and no other payment of 30 days that asked for within 2d. */
export function isClear(deposit: Deposit): boolean {
  const { world, valueBaseUnits, blockTimeMs, meant } = deposit;
  const due = dueOf(deposit);
  if (due === null || !deposit.isFirstInTime || openAtBlock(deposit) !== 1) return false;
  const reach = 2n * absolute(due - valueBaseUnits);
  const range = { from: valueBaseUnits - reach, to: valueBaseUnits + reach };
  return askingIn(world, range, monthUntil(blockTimeMs)).every(({ paymentIntent }) => paymentIntent === meant);
}

/**
 * The amount is one that the rule takes, and fits no other payment of the last 24 hours that is not paid yet. Expired,
 * canceled and short payments count among these.
 */
export function isAloneUnpaid(deposit: Deposit): boolean {
  const { world, valueBaseUnits: value, blockTimeMs, meant } = deposit;
  const due = dueOf(deposit);
  if (due === null || !(isInRange(value, due) && (world.shop.isDedicated || value < due))) return false;
  return askingIn(world, { from: (value * 100n) / 101n, to: value * 2n }, reservedUntil(blockTimeMs))
    .filter(({ paymentIntent, standing }) => paymentIntent !== meant && standing !== 'paid')
    .every(each => ![each.dueBaseUnits, each.remainderBaseUnits ?? 0n].some(asked => isInRange(value, asked)));
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

/** The facts as the service gathers them: by bounded reads of an index that knows payments, and no intentions. */
export function factsOf({ world, valueBaseUnits, blockTimeMs }: Deposit): InferenceFacts {
  const { shop } = world;
  const atHead = 1 as LogPosition;
  const open = quotedIn(world, { fromMs: blockTimeMs - QUOTE_MS, toMs: blockTimeMs });
  const ofDay = askingIn(world, rangeOfLastDay(valueBaseUnits), reservedUntil(blockTimeMs));
  const facts = {
    token: shop.token,
    address: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
    valueBaseUnits,
    blockTimeMs,
    blockHash: '0xb1',
    clockAheadMs: 0,
    merchants: [shop.merchantId],
    payments: once([...open, ...ofDay]),
    look: { isGapless: true, indexPosition: atHead, headPosition: atHead, isCrowded: false },
  };
  const range = rangeOfLastMonth(facts);
  if (range === null) return facts;
  return { ...facts, payments: once([...facts.payments, ...askingIn(world, range, monthUntil(blockTimeMs))]) };
}

/** The time in which a payment was quoted whose amount is reserved at a moment. */
function reservedUntil(toMs: number): Span {
  return { fromMs: toMs - LAST_DAY_MS - QUOTE_MS, toMs };
}

function monthUntil(toMs: number): Span {
  return { fromMs: toMs - LAST_MONTH_MS, toMs };
}

function once(payments: readonly PaymentThere[]): readonly PaymentThere[] {
  return [...new Map(payments.map(payment => [payment.paymentIntent, payment])).values()];
}
