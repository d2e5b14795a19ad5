import { Decimal } from 'decimal.js';
import { isoTime, parseIsoTime } from '../../kernel/clock';
import { refuse } from '../../vocabulary/errors';
import type { RateObservation } from '../../kernel/ports/rate-source';
import type { Asset } from '../../vocabulary/tokens';

const Rate = Decimal.clone({ precision: 50, toExpNeg: -60, toExpPos: 60 });

/**
 * The family of central banks' daily dollar rates. Central banks price no token, so a leg needs a family's dollar rate
 * of the token as well. Such a leg counts as independent only where that family does not quote the currency itself. A
 * central bank's rate may be days old, so its leg is the coarser one. That leg stands in where direct legs are too few,
 * and may be further off.
 */
export const CENTRAL_BANK_FAMILY = 'central_bank';

export const MIN_FAMILIES = 2;
const BPS = 10_000;
const MAX_SPREAD_BPS = 100;
const MAX_CENTRAL_BANK_SPREAD_BPS = 200;
export const PEG_CURRENCY = 'USD';
const LOWEST_PEG = new Rate('0.97');
const HIGHEST_PEG = new Rate('1.03');
/**
 * Inverting a rate twice leaves an error in the last digits. That error must not decide whether a peg stands on its
 * bound.
 */
const PEG_DIGITS = 30;
/** The quoted rate is rounded up to this many digits, so that everybody can recompute the price from the shown rate. */
const QUOTED_DIGITS = 20;

/**
 * `rate`: token units per one major fiat unit. `observations`: all observations in the rate, one a family, by family
 * name. A central bank's rate comes last, behind the dollar rate that it was crossed with. `dollarRate`: token units
 * per dollar, the median of all families that give one. Bounds in dollars are compared by `dollarRate`. No price
 * follows from `dollarRate`, so one family is enough.
 */
export type QuotedRate = {
  readonly rate: string;
  readonly dollarRate: string;
  readonly observations: readonly RateObservation[];
};

/** One family's opinion, and its observations. */
type Leg = { readonly rate: Decimal; readonly parts: readonly RateObservation[] };

/**
 * The median of the families' newest fresh observations (of two: their mean). `freshForMs` answers the time for which a
 * source's observation may serve. Throws Refusal insufficient_rate_sources with fewer than two independent families or
 * without any fresh dollar rate of the token. Throws rate_divergence when the families are further apart than 1% (2%
 * with a central bank's rate among them). Throws rate_divergence too when the token is off its dollar peg by more than
 * 3%.
 */
export function quoteRate(
  observations: readonly RateObservation[],
  asset: Asset,
  currency: string,
  freshForMs: (source: string) => number,
  nowMs: number,
): QuotedRate {
  const fresh = observations.filter(each => isFresh(each, freshForMs, nowMs));
  const ofToken = fresh.filter(each => each.asset === asset);
  const dollarRates = newestByFamily(ofToken, PEG_CURRENCY);
  checkPeg(dollarRates, asset);
  const direct = newestByFamily(ofToken, currency);
  const legs = direct.map((each): Leg => ({ rate: new Rate(each.rate), parts: [each] }));
  const cross = direct.length < MIN_FAMILIES ? crossLeg(fresh, currency, dollarRates, direct) : null;
  const used = cross === null ? legs : [...legs, cross];
  if (used.length < MIN_FAMILIES) {
    throw refuse('insufficient_rate_sources', {
      message: `${asset}/${currency} needs ${MIN_FAMILIES} independent fresh rates and has ${used.length}.`,
    });
  }
  const rates = sorted(used.map(leg => leg.rate));
  const parts = used.flatMap(leg => leg.parts);
  const median = medianOf(rates);
  checkSpread(rates, median, parts, cross === null ? MAX_SPREAD_BPS : MAX_CENTRAL_BANK_SPREAD_BPS);
  const inDollars = medianOf(sorted(dollarRates.map(({ rate }) => new Rate(rate))));
  return { rate: shown(median), dollarRate: shown(inDollars), observations: parts };
}

/**
 * Token units per dollar times dollars per currency unit; null where either is missing. The dollar rate comes from a
 * family without another leg in the currency.
 */
function crossLeg(
  fresh: readonly RateObservation[],
  currency: string,
  dollarRates: readonly RateObservation[],
  direct: readonly RateObservation[],
): Leg | null {
  const official = fresh.filter(each => each.asset === 'USD' && each.family === CENTRAL_BANK_FAMILY);
  const [bank] = newestByFamily(official, currency);
  const others = dollarRates.filter(({ family }) => direct.every(each => each.family !== family));
  const [dollar] = [...others].sort((one, other) => (isNewer(one, other) ? -1 : 1));
  if (!bank || !dollar) return null;
  return { rate: new Rate(dollar.rate).times(bank.rate), parts: [dollar, bank] };
}

/** The time of the oldest observation: a quote is as old as its oldest part. */
export function oldestObservedAt(quoted: QuotedRate): string {
  return isoTime(Math.min(...quoted.observations.map(each => parseIsoTime(each.observed_at))));
}

/** A clock that is ahead of ours must not make a rate last longer, so a time in the future counts as age as well. */
function isFresh(observation: RateObservation, freshForMs: (source: string) => number, nowMs: number): boolean {
  return Math.abs(nowMs - parseIsoTime(observation.observed_at)) <= freshForMs(observation.source);
}

/** The span around `nowMs` in which the same observations are fresh, without its end. */
export function freshSpan(
  observations: readonly RateObservation[],
  freshForMs: (source: string) => number,
  nowMs: number,
): { readonly fromMs: number; readonly untilMs: number } {
  const turns = observations.flatMap(({ observed_at, source }) => {
    const [atMs, forMs] = [parseIsoTime(observed_at), freshForMs(source)];
    return [atMs - forMs, atMs + forMs + 1];
  });
  const fromMs = Math.max(...turns.filter(turn => turn <= nowMs));
  return { fromMs, untilMs: Math.min(...turns.filter(turn => turn > nowMs)) };
}

function newestByFamily(observations: readonly RateObservation[], currency: string): readonly RateObservation[] {
  const families = new Map<string, RateObservation>();
  for (const observation of observations) {
    if (observation.currency !== currency) continue;
    const other = families.get(observation.family);
    if (!other || isNewer(observation, other)) families.set(observation.family, observation);
  }
  return [...families.values()].sort((a, b) => (a.family < b.family ? -1 : 1));
}

/** The name decides between two observations of the same time, so that the order of arrival never does. */
function isNewer(one: RateObservation, other: RateObservation): boolean {
  const laterMs = parseIsoTime(one.observed_at) - parseIsoTime(other.observed_at);
  return laterMs > 0 || (laterMs === 0 && one.source < other.source);
}

function checkPeg(dollarRates: readonly RateObservation[], asset: Asset): void {
  if (dollarRates.length === 0) {
    throw refuse('insufficient_rate_sources', { message: `No fresh rate shows that ${asset} holds its dollar peg.` });
  }
  for (const { rate, source } of dollarRates) {
    const price = new Rate(1).div(rate).toSignificantDigits(PEG_DIGITS);
    if (price.lt(LOWEST_PEG) || price.gt(HIGHEST_PEG)) {
      throw refuse('rate_divergence', { message: `${asset} is off its dollar peg according to ${source}.` });
    }
  }
}

function checkSpread(
  rates: readonly Decimal[],
  median: Decimal,
  parts: readonly RateObservation[],
  limitBps: number,
): void {
  const lowest = rates[0] as Decimal;
  const highest = rates.at(-1) as Decimal;
  if (highest.minus(lowest).times(BPS).gt(median.times(limitBps))) {
    const names = parts.map(each => each.source).join(', ');
    throw refuse('rate_divergence', { message: `The rates of ${names} are more than ${limitBps} basis points apart.` });
  }
}

function sorted(rates: readonly Decimal[]): readonly Decimal[] {
  return [...rates].sort((a, b) => a.comparedTo(b));
}

function medianOf(ascending: readonly Decimal[]): Decimal {
  const upper = ascending[Math.floor(ascending.length / 2)] as Decimal;
  const lower = ascending[Math.floor((ascending.length - 1) / 2)] as Decimal;
  return upper.plus(lower).div(2);
}

function shown(rate: Decimal): string {
  return rate.toSignificantDigits(QUOTED_DIGITS, Rate.ROUND_UP).toFixed();
}
