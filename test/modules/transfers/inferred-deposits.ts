import { isoTime } from '../../../src/kernel/clock';
import type { LogPosition } from '../../../src/kernel/log-position';
import { dayOf } from '../../../src/modules/payment-intents/payment-intents.read-model';
import type { InferenceFacts, PaymentThere } from '../../../src/modules/transfers/inference-facts';
import {
  LAST_DAY_MS,
  LAST_MONTH_MS,
  rangeOfLastDay,
  rangeOfLastMonth,
} from '../../../src/modules/transfers/inferred-credit';
import { CROWD_LIMIT } from '../../../src/processes/matching/inference';
import { askingIn, QUOTE_MS, quotedIn, type Quoted, type Shop, type Span, type World } from './inferred-shops';

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

export function deposit(
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

/** The facts as the service gathers them: by bounded reads of an index that knows payments, and no intentions. */
export function factsOf({ world, valueBaseUnits, blockTimeMs }: Deposit): InferenceFacts {
  const { shop } = world;
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
    look: lookOf(open.length >= CROWD_LIMIT || fillsPage(ofDay)),
  };
  const range = rangeOfLastMonth(facts);
  if (range === null) return facts;
  const near = askingIn(world, range, monthUntil(blockTimeMs));
  const look = lookOf(facts.look.isCrowded || fillsPage(near));
  return { ...facts, payments: once([...facts.payments, ...near]), look };
}

function lookOf(isCrowded: boolean): InferenceFacts['look'] {
  const atHead = 1 as LogPosition;
  return { isGapless: true, indexPosition: atHead, headPosition: atHead, isCrowded };
}

/** A read of one day met its limit. The service reads remainders apart from dues: no page of its own is fuller. */
function fillsPage(payments: readonly PaymentThere[]): boolean {
  if (payments.length < CROWD_LIMIT) return false;
  const counts = new Map<string, number>();
  for (const { quotedAtMs } of payments) {
    const day = dayOf(isoTime(quotedAtMs));
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  return [...counts.values()].some(count => count >= CROWD_LIMIT);
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

export function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}
