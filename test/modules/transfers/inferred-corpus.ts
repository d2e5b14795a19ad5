import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock';
import { judgeInference } from '../../../src/modules/transfers/inferred-credit';
import type { Prng } from '../../simulation/prng';
import {
  anyMistake,
  baitPrice,
  exact,
  mistaken,
  MISTAKES,
  strangers,
  topUp,
  type Mistake,
  type Send,
} from './inferred-amounts';
import { absolute, deposit, factsOf, isReserved, type Deposit } from './inferred-deposits';
import { depositTime, QUOTE_MS, SETTLED_AFTER_MS, quoteOf, spread, type Quoted, type Shop } from './inferred-shops';

const LATE = ['paid 1 h late', 'paid 23 h late', 'paid 26 h late', 'paid 20 days late'] as const;
/** The money of these is nobody's who buys: a dedicated wallet has none of it, by its merchant's word. */
const NO_CUSTOMERS = ["the owner's own top-ups", "strangers' deposits"] as const;
/** A stranger sees a transfer in a block, and takes a quote that the transfer fits. */
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
/** A stranger knows of a transfer before its block, and takes a quote that the transfer fits in time. */
const PREDICTED = "quotes before customers' deposits that were predicted";
const PREDICTED_OF_NOBODY = "quotes before nobody's deposits that were predicted";
export const HARD_CLASSES = [...COMPOUND_CLASSES, PREDICTED, PREDICTED_OF_NOBODY] as const;
export type DepositClass = (typeof CLASSES)[number] | (typeof HARD_CLASSES)[number];

type Late = (typeof LATE)[number];

const LATE_MS: Readonly<Record<Late, number>> = {
  'paid 1 h late': HOUR_MS,
  'paid 23 h late': 23 * HOUR_MS,
  'paid 26 h late': 26 * HOUR_MS,
  'paid 20 days late': 20 * DAY_MS,
};
const MOST_OPEN = 64;
/** The time in which somebody reads a block and takes a quote: at least the block's way to him and his request's. */
const REACTION_MS = { least: 300, end: MINUTE_MS };
/**
 * Bounds of the difference between a chain's clock and the service's: time servers set both, and either may be ahead.
 * Of twenty pairs sixteen differ by up to 100 ms, three by up to 250 ms, and one by up to a second.
 */
const CLOCKS_APART_MS = [...Array<number>(16).fill(100), 250, 250, 250, SECOND_MS];

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

function ofNobody(shop: Shop, atMs: number, valueBaseUnits: bigint, prng: Prng): Deposit {
  const others = openAt(shop, atMs, crowd(prng), prng);
  return deposit(shop, atMs, valueBaseUnits, null, others);
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
