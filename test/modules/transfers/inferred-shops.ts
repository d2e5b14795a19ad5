import { DAY_MS, MINUTE_MS } from '../../../src/kernel/clock';
import { TOKENS, type Token } from '../../../src/vocabulary/tokens';
import type { PaymentThere } from '../../../src/modules/transfers/inference-facts';
import { OTHERS_AHEAD_MS, type AmountRange } from '../../../src/modules/transfers/inferred-credit';
import { gridWindow } from '../../../src/modules/quotes/amount-grid';
import { priceBaseUnits } from '../../../src/modules/quotes/price';
import type { Prng } from '../../simulation/prng';

export const QUOTE_MS = 15 * MINUTE_MS;
const WINDOW_MS = DAY_MS + QUOTE_MS;
/** The time from a transfer's block to its payment's settlement. */
export const SETTLED_AFTER_MS = 4 * MINUTE_MS;
/** The time that a customer takes who pays at a quiet shop, and left a quote alone at the other one. */
const PAID_AFTER_MS = 5 * MINUTE_MS;
const OPENING = Date.parse('2026-09-01T00:00:00.000Z');
/** Deposits come after a month of history, within the days that follow. */
const HISTORY_DAYS = 31;
const DEPOSIT_DAYS = 9;

/** Millionths of a token for one major unit, and the width of the rate's drift: USD, EUR, GBP, PLN. */
const CURRENCIES = [
  { weight: 50, rateMicro: 1_000_400, driftMicro: 400 },
  { weight: 30, rateMicro: 1_086_100, driftMicro: 12_000 },
  { weight: 10, rateMicro: 1_274_300, driftMicro: 14_000 },
  { weight: 10, rateMicro: 272_300, driftMicro: 3_000 },
] as const;
/** Prices in minor units: subscriptions and licences. */
const PLANS = [499, 900, 999, 1499, 1900, 1999, 2900, 3900, 4900, 7900, 9900, 14_900, 19_900, 29_900];
const ENDINGS = [99, 99, 0, 0, 90, 50, 95];
const SHIPPINGS = [0, 0, 490, 590, 0];
/** How quotes end, of a hundred: most are paid, many are left alone, some are canceled. */
const PAID = 66;
const SHORT = 2;
const CANCELED = 5;

/** A quote and its price in minor units. Only the customer knows the price: the rule sees the payment alone. */
export type Quoted = { readonly payment: PaymentThere; readonly minorUnits: bigint };

export type Shop = {
  readonly token: Token;
  readonly merchantId: string;
  readonly isDedicated: boolean;
  /** The price of one order, in minor units. */
  readonly order: (prng: Prng) => bigint;
  /** The customer says what to pay: a donation, or an invoice of any height. */
  readonly takesAnyAmount: boolean;
  readonly rateMicro: number;
  readonly driftMicro: number;
  /** The time from a transfer's block to its payment's settlement, in the shop's history. */
  readonly settledAfterMs: number;
  readonly byTime: readonly PaymentThere[];
  readonly byDue: readonly PaymentThere[];
  /** The quotes that became short, which ask for a remainder too. */
  readonly short: readonly PaymentThere[];
};

let madeQuotes = 0;

/** From `least` to below `end`: each power of a number is as likely as another. */
export function spread(prng: Prng, least: number, end: number): number {
  return Math.floor(least * (end / least) ** (prng.below(1_000_000) / 1_000_000));
}

export function shopOf(prng: Prng, isDedicated: boolean): Shop {
  const token = prng.pick([TOKENS['usdc-base'], TOKENS['usdt-tron'], TOKENS['usdt-bnb']]);
  const ticket = prng.below(100);
  let passed = 0;
  const { rateMicro, driftMicro } = CURRENCIES.find(({ weight }) => (passed += weight) > ticket) ?? CURRENCIES[0];
  const sold = orders(prng);
  const empty = { settledAfterMs: SETTLED_AFTER_MS, byTime: [], byDue: [], short: [] };
  const shop = { token, merchantId: 'mch_1', isDedicated, ...sold, rateMicro, driftMicro, ...empty };
  const quotes = spread(prng, 2, 200) * (HISTORY_DAYS + DEPOSIT_DAYS);
  const byTime = Array.from({ length: quotes }, () => {
    const quotedAtMs = OPENING + prng.below((HISTORY_DAYS + DEPOSIT_DAYS) * DAY_MS);
    return ended(prng, quoteOf(prng, shop, quotedAtMs).payment);
  }).sort((one, other) => one.quotedAtMs - other.quotedAtMs);
  const byDue = [...byTime].sort((one, other) => (one.dueBaseUnits < other.dueBaseUnits ? -1 : 1));
  return { ...shop, byTime, byDue, short: byTime.filter(({ standing }) => standing === 'short') };
}

/** A shop sells a few plans, or baskets of a catalogue, or takes any amount: prices repeat as they do in shops. */
function orders(prng: Prng): Pick<Shop, 'order' | 'takesAnyAmount'> {
  const kind = prng.below(10);
  if (kind < 3) {
    const plans = Array.from({ length: 2 + prng.below(5) }, () => prng.pick(PLANS));
    return { takesAnyAmount: false, order: of => BigInt(of.pick(plans)) };
  }
  if (kind < 8) {
    const items = Array.from({ length: 8 + prng.below(60) }, () => spread(prng, 3, 300) * 100 + prng.pick(ENDINGS));
    return { takesAnyAmount: false, order: of => BigInt(basket(of, items)) };
  }
  const order = (of: Prng): bigint => {
    const minorUnits = spread(of, 300, 200_000);
    return BigInt(of.chance(40) ? Math.max(5, Math.round(minorUnits / 500) * 5) * 100 : minorUnits);
  };
  return { takesAnyAmount: true, order };
}

/** One item in most baskets; the items at the beginning sell best. */
function basket(prng: Prng, items: readonly number[]): number {
  const count = prng.chance(70) ? 1 : 2 + prng.below(2);
  const places = Array.from({ length: count }, () => Math.min(prng.below(items.length), prng.below(items.length)));
  return places.reduce((sum, place) => sum + (items[place] ?? 0), prng.pick(SHIPPINGS));
}

export function quoteOf(prng: Prng, shop: Shop, quotedAtMs: number, minorUnits = shop.order(prng)): Quoted {
  const wave = Math.sin(quotedAtMs / (5 * DAY_MS)) + Math.sin(quotedAtMs / (DAY_MS / 3)) / 4;
  const rateMicro = shop.rateMicro + Math.round(wave * shop.driftMicro) + prng.below(200);
  const rate = `${Math.floor(rateMicro / 1_000_000)}.${String(rateMicro % 1_000_000).padStart(6, '0')}`;
  const { first, count } = gridWindow(shop.token, priceBaseUnits(minorUnits, 2, rate, shop.token.decimals));
  const payment: PaymentThere = {
    paymentIntent: `pi_${++madeQuotes}`,
    merchantId: shop.merchantId,
    standing: 'awaiting',
    dueBaseUnits: (first + BigInt(prng.below(count))) * shop.token.stepBaseUnits,
    remainderBaseUnits: null,
    quotedAtMs,
    quoteExpiresAtMs: quotedAtMs + QUOTE_MS,
    reservedUntilMs: quotedAtMs + WINDOW_MS,
    leftAtMs: null,
    hasInferredCredit: false,
    isDedicated: shop.isDedicated,
  };
  return { payment, minorUnits };
}

function ended(prng: Prng, payment: PaymentThere): PaymentThere {
  const ticket = prng.below(100);
  const leftAtMs = payment.quotedAtMs + 20_000 + prng.below(QUOTE_MS - 30_000);
  if (ticket < PAID) return { ...payment, standing: 'paid', leftAtMs };
  if (ticket < PAID + SHORT) {
    const remainderBaseUnits = (payment.dueBaseUnits * BigInt(1 + prng.below(60))) / 100n;
    return { ...payment, standing: 'short', leftAtMs, remainderBaseUnits, reservedUntilMs: leftAtMs + DAY_MS };
  }
  return ticket < PAID + SHORT + CANCELED ? { ...payment, standing: 'ended', leftAtMs } : payment;
}

/** The same shop, had every customer of its history paid. Its payments settle at once: none is under way. */
export function quietOf(shop: Shop): Shop {
  return { ...shop, settledAfterMs: 0, byTime: shop.byTime.map(asPaid), byDue: shop.byDue.map(asPaid), short: [] };
}

function asPaid(payment: PaymentThere): PaymentThere {
  const { quotedAtMs, leftAtMs } = payment;
  const paid = {
    standing: 'paid',
    leftAtMs: leftAtMs ?? quotedAtMs + PAID_AFTER_MS,
    remainderBaseUnits: null,
  } as const;
  return { ...payment, ...paid, reservedUntilMs: quotedAtMs + WINDOW_MS };
}

/** A moment with a whole month of history behind it. */
export function depositTime(prng: Prng): number {
  return OPENING + HISTORY_DAYS * DAY_MS + prng.below(DEPOSIT_DAYS * DAY_MS);
}

/** The payments of an address as an index knows them: the shop's history, and the payments of one case. */
export type World = { readonly shop: Shop; readonly payments: readonly PaymentThere[] };

/** From the first moment to the last one, both included. */
export type Span = { readonly fromMs: number; readonly toMs: number };

/** Payments quoted in a span of time, as they stood at its end. */
export function quotedIn({ shop, payments }: World, { fromMs, toMs }: Span): readonly PaymentThere[] {
  const [first, end] = placesInTime(shop, { fromMs, toMs });
  const own = payments.filter(({ quotedAtMs }) => quotedAtMs >= fromMs && quotedAtMs <= toMs);
  return [...own, ...standingAt(shop, shop.byTime.slice(first, end), toMs)];
}

/**
 * Payments of a span of time of which the due or the remainder lies in a range, as they stood at the span's end. As in
 * the service's reads, a case's own payments count that were quoted soon after that end.
 */
export function askingIn({ shop, payments }: World, { from, to }: AmountRange, span: Span): readonly PaymentThere[] {
  const { fromMs, toMs } = span;
  const isIn = (amount: bigint | null) => amount !== null && amount >= from && amount <= to;
  const isThen = ({ quotedAtMs }: PaymentThere) => quotedAtMs >= fromMs && quotedAtMs <= toMs;
  const [soonest, latest] = placesInTime(shop, span);
  const least = firstNot(shop.byDue, ({ dueBaseUnits }) => dueBaseUnits < from);
  const most = firstNot(shop.byDue, ({ dueBaseUnits }) => dueBaseUnits <= to);
  const byDue =
    most - least < latest - soonest
      ? shop.byDue.slice(least, most).filter(isThen)
      : shop.byTime.slice(soonest, latest).filter(({ dueBaseUnits }) => isIn(dueBaseUnits));
  const byRemainder = shop.short.filter(each => isThen(each) && isIn(each.remainderBaseUnits));
  const isOwnThen = ({ quotedAtMs }: PaymentThere) => quotedAtMs >= fromMs && quotedAtMs <= toMs + OTHERS_AHEAD_MS;
  const own = payments.filter(each => isOwnThen(each) && (isIn(each.dueBaseUnits) || isIn(each.remainderBaseUnits)));
  return [...own, ...standingAt(shop, [...byDue, ...byRemainder], toMs)];
}

function placesInTime({ byTime }: Shop, { fromMs, toMs }: Span): readonly [number, number] {
  return [
    firstNot(byTime, ({ quotedAtMs }) => quotedAtMs < fromMs),
    firstNot(byTime, ({ quotedAtMs }) => quotedAtMs <= toMs),
  ];
}

/** The history as it stood at a moment. The payments that were open then are the case's own, and no others. */
function standingAt({ settledAfterMs }: Shop, history: readonly PaymentThere[], atMs: number): readonly PaymentThere[] {
  return history.flatMap(payment => {
    const { quotedAtMs, quoteExpiresAtMs, leftAtMs, standing } = payment;
    const hasLeft = leftAtMs !== null && leftAtMs <= atMs;
    if (quotedAtMs > atMs || (!hasLeft && atMs <= quoteExpiresAtMs)) return [];
    const isSettling = hasLeft && standing !== 'ended' && atMs < leftAtMs + settledAfterMs;
    return [isSettling ? { ...payment, standing: 'under_way' as const, remainderBaseUnits: null } : payment];
  });
}

/** The place of the first entry of a list, sorted by the condition, for which the condition does not hold. */
function firstNot<T>(sorted: readonly T[], holds: (one: T) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(sorted[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}
