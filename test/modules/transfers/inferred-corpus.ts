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
  /** The shop's payments that were open as the money came. */
  readonly open: number;
  /** The sender's first transfer for a payment whose quote was open. */
  readonly isFirstInTime: boolean;
};

export const MISTAKES = ['fee deducted', 'rounded up and down', 'digits cut', 'fiat figure sent as tokens'] as const;
export const LATE = ['paid 1 h late', 'paid 23 h late', 'paid 26 h late', 'paid 20 days late'] as const;
/** The money of these is nobody's who buys: a dedicated wallet has none of it, by its merchant's word. */
export const NO_CUSTOMERS = ["the owner's own top-ups", "strangers' deposits"] as const;
/** Somebody sees money come, and takes a quote that it fits. */
export const TIMED = "quotes timed to others' deposits";
export const CLASSES = [
  ...MISTAKES,
  'sent twice',
  'two parts',
  ...LATE,
  'paid after cancel',
  ...NO_CUSTOMERS,
  TIMED,
] as const;
export type DepositClass = (typeof CLASSES)[number];

type Mistake = (typeof MISTAKES)[number];
type Late = (typeof LATE)[number];

const LATE_MS: Readonly<Record<Late, number>> = {
  'paid 1 h late': HOUR_MS,
  'paid 23 h late': 23 * HOUR_MS,
  'paid 26 h late': 26 * HOUR_MS,
  'paid 20 days late': 20 * DAY_MS,
};
const MOST_OPEN = 64;
/** Of a hundred late payers so many send the exact amount. */
const EXACT_IF_LATE = 40;
/** Fees that exchanges name for a withdrawal, in hundredths of a token. */
const PUBLISHED_FEES = [100, 80, 30, 100, 100, 50, 20, 150, 200, 10];
const ROUND_TOKENS = [10, 20, 25, 50, 100, 100, 200, 250, 500, 1_000, 2_000, 5_000];
/** Baskets that somebody tries until the price suits. */
const OFFERS_TRIED = 30;
const INFERRED_SETTLED_MS = 4 * MINUTE_MS;

/** A deposit of the class at a shop. Where a payment was meant that is open, it is one of the open ones. */
export function depositOf(kind: DepositClass, shop: Shop, prng: Prng): Deposit {
  const atMs = depositTime(prng);
  switch (kind) {
    case 'sent twice':
      return sentTwice(shop, atMs, prng);
    case 'two parts':
      return inParts(shop, atMs, prng);
    case 'paid after cancel':
      return afterCancel(shop, atMs, prng);
    case "the owner's own top-ups":
      return ofNobody(shop, atMs, topUp(shop, prng), prng);
    case "strangers' deposits":
      return ofNobody(shop, atMs, strangers(shop, prng), prng);
    case TIMED:
      return timed(shop, atMs, prng);
    default:
      return isLate(kind) ? late(kind, shop, atMs, prng) : inTime(kind, shop, atMs, prng);
  }
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
  return deposit(shop, atMs, valueBaseUnits, meant, others, { open: others.length + 1, isFirstInTime: true });
}

function late(kind: Late, shop: Shop, atMs: number, prng: Prng): Deposit {
  const others = openAt(shop, atMs, crowd(prng), prng);
  const meant = quoteOf(prng, shop, atMs - QUOTE_MS - LATE_MS[kind] - prng.below(10 * MINUTE_MS));
  return deposit(shop, atMs, lateValue(shop, meant, prng), meant, others, { open: others.length });
}

function lateValue(shop: Shop, meant: Quoted, prng: Prng): bigint {
  return prng.chance(EXACT_IF_LATE) ? meant.payment.dueBaseUnits : mistaken(prng.pick(MISTAKES), shop, meant, prng);
}

function afterCancel(shop: Shop, atMs: number, prng: Prng): Deposit {
  const others = openAt(shop, atMs, crowd(prng), prng);
  const leftAtMs = atMs - spread(prng, MINUTE_MS, 12 * HOUR_MS);
  const quoted = quoteOf(prng, shop, leftAtMs - waitedMs(prng));
  const meant = { ...quoted, payment: { ...quoted.payment, standing: 'ended' as const, leftAtMs } };
  return deposit(shop, atMs, lateValue(shop, meant, prng), meant, others, { open: others.length });
}

/** The second of two transfers of the same mistaken amount. The first went wherever the rule sent it. */
function sentTwice(shop: Shop, atMs: number, prng: Prng): Deposit {
  const firstAtMs = atMs - 5 * SECOND_MS - prng.below(20 * MINUTE_MS);
  const others = openAt(shop, atMs, crowd(prng), prng);
  const meant = quoteOf(prng, shop, firstAtMs - waitedMs(prng));
  const valueBaseUnits = mistaken(prng.pick(MISTAKES), shop, meant, prng);
  const now = afterFirst(shop, meant, others, valueBaseUnits, firstAtMs, atMs);
  return deposit(shop, atMs, valueBaseUnits, now, others, { open: openOf(now, others, atMs) });
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
  if (!isSecond) return deposit(shop, atMs, first, meant, others, { open: count });
  const now = afterFirst(shop, meant, others, first, firstAtMs, atMs);
  const rest = meant.payment.dueBaseUnits - first;
  return deposit(shop, atMs, rest, now, others, { open: openOf(now, others, atMs) });
}

/** The payment that was meant as it stands after the rule has judged its first transfer. */
function afterFirst(
  shop: Shop,
  meant: Quoted,
  others: readonly Quoted[],
  valueBaseUnits: bigint,
  firstAtMs: number,
  atMs: number,
): Quoted {
  const open = others.filter(({ payment }) => payment.quotedAtMs <= firstAtMs);
  const first = deposit(shop, firstAtMs, valueBaseUnits, meant, open, { open: open.length + 1 });
  const judged = isReserved(first) ? null : judgeInference(factsOf(first));
  if (judged?.verdict !== 'credit' || judged.paymentIntent !== meant.payment.paymentIntent) return meant;
  const missing = meant.payment.dueBaseUnits - valueBaseUnits;
  const isWhole = shop.isDedicated && missing * 100n <= meant.payment.dueBaseUnits;
  const standing = atMs < firstAtMs + INFERRED_SETTLED_MS ? 'under_way' : isWhole ? 'paid' : 'short';
  const remainderBaseUnits = missing > 0n ? missing : null;
  const credited = { standing, remainderBaseUnits, leftAtMs: firstAtMs, hasInferredCredit: true } as const;
  return { ...meant, payment: { ...meant.payment, ...credited } };
}

function openOf({ payment }: Quoted, others: readonly Quoted[], atMs: number): number {
  return others.length + (payment.leftAtMs === null && atMs <= payment.quoteExpiresAtMs ? 1 : 0);
}

function ofNobody(shop: Shop, atMs: number, valueBaseUnits: bigint, prng: Prng): Deposit {
  const others = openAt(shop, atMs, crowd(prng), prng);
  return deposit(shop, atMs, valueBaseUnits, null, others, { open: others.length });
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

/**
 * Somebody sees another's deposit come, and gets a quote a little above it just before its block. The deposit is
 * nobody's, or another customer's in time or late.
 */
function timed(shop: Shop, atMs: number, prng: Prng): Deposit {
  const others = shop.isDedicated ? 2 : 4;
  const source = prng.below(others);
  const seen =
    source === 0
      ? inTime(prng.pick(MISTAKES), shop, atMs, prng)
      : source === 1
        ? late(prng.pick(LATE), shop, atMs, prng)
        : ofNobody(shop, atMs, source === 2 ? topUp(shop, prng) : strangers(shop, prng), prng);
  // The quote comes in the place of one of the other open payments.
  const { world, meant, valueBaseUnits } = seen;
  const replaced = world.payments.findIndex(({ paymentIntent }) => paymentIntent !== meant);
  const kept = world.payments.filter((_, index) => index !== replaced);
  const bait = quoteOf(prng, shop, atMs - 2 * SECOND_MS - prng.below(MINUTE_MS), baitPrice(shop, valueBaseUnits, prng));
  const payments = [...kept, bait.payment];
  const isMeantOpen = source === 0;
  const open = payments.length - (meant !== null && !isMeantOpen ? 1 : 0);
  return { ...seen, world: { shop, payments }, open, isFirstInTime: false };
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
  { open, isFirstInTime = false }: { readonly open: number; readonly isFirstInTime?: boolean },
): Deposit {
  const payments = [...(meant ? [meant] : []), ...others].map(({ payment }) => payment);
  const meantId = meant?.payment.paymentIntent ?? null;
  return { world: { shop, payments }, valueBaseUnits, blockTimeMs, meant: meantId, open, isFirstInTime };
}

/** The amount met a reservation to the unit: the service asks no rule of inference. */
export function isReserved({ world, valueBaseUnits, blockTimeMs }: Deposit): boolean {
  const tolerance = world.shop.token.attributionToleranceBaseUnits;
  const range = { from: valueBaseUnits - tolerance, to: valueBaseUnits + tolerance };
  const asking = askingIn(world, range, reservedUntil(blockTimeMs));
  return asking.some(({ reservedUntilMs }) => reservedUntilMs >= blockTimeMs);
}

/** Whether no other payment of 30 days asked for an amount within twice the distance from the payment meant. */
export function isAloneWithin2d({ world, valueBaseUnits, blockTimeMs, meant }: Deposit): boolean {
  const due = world.payments.find(({ paymentIntent }) => paymentIntent === meant)?.dueBaseUnits ?? valueBaseUnits;
  const reach = 2n * (due > valueBaseUnits ? due - valueBaseUnits : valueBaseUnits - due);
  const range = { from: valueBaseUnits - reach, to: valueBaseUnits + reach };
  return askingIn(world, range, monthUntil(blockTimeMs)).every(({ paymentIntent }) => paymentIntent === meant);
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
