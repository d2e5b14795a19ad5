import { MINUTE_MS, parseIsoTime } from '../../../src/kernel/clock';
import type { RecordedEvent } from '../../../src/kernel/event';
import type { Mode } from '../../../src/vocabulary/modes';
import type { TokenId } from '../../../src/vocabulary/tokens';
import type { NetworkId } from '../../../src/vocabulary/networks';
import { byStream } from '../history';
import type { Shop } from '../shops';
import { LEGS, rateAt, type Leg } from '../simulated-rates';
import { isInWindow, priceOf, ruleOf, tierOf, TOKEN_FACTS, type Fraction, type Tier } from './by-the-book';

type Data = Readonly<Record<string, string>>;
type Observation = { readonly source: Leg; readonly rate: string; readonly observed_at: string };

const QUOTE_MS = 15 * MINUTE_MS;
/** A selection that is tried again keeps the quarter of an hour that it began with. */
const RETRIED_MS = MINUTE_MS;
const DIGITS = 10n ** 12n;

/**
 * A quote's price, amount, end, tier, depth and tolerance are as the specification makes them. The specification makes
 * them of the order, the outside rates, the merchant's settings and the moment.
 */
export function quotesByTheBook(shops: readonly Shop[], events: readonly RecordedEvent[]): string[] {
  return [...byStream(events, 'payment_intent')].flatMap(([stream, history]) => {
    const quoted = history.find(({ type }) => type === 'MethodSelected');
    const created = history[0]?.data as Data;
    if (!quoted) return [];
    const shop = shops.find(({ merchantId }) => merchantId === quoted.metadata.merchant_id);
    return faultsOf(created, quoted, shop).map(fault => `${stream} is quoted ${fault}`);
  });
}

function faultsOf({ amount_minor_units: amount, currency }: Data, quoted: RecordedEvent, shop?: Shop): string[] {
  const { metadata } = quoted;
  const data = quoted.data as Data & { readonly observations: readonly Observation[] };
  const token = TOKEN_FACTS[data.token_id as TokenId];
  const price = priceOf(
    BigInt(amount as string),
    currency as string,
    mean(data.observations, currency as string),
    token,
  );
  const due = BigInt(data.due_base_units as string);
  const tier = tierOf(price, mean(data.observations, 'USD'), token);
  const { confirmations } = ruleOf(metadata.mode as Mode, data.network_id as NetworkId, tier);
  const quotedMs = parseIsoTime(data.quoted_at as string);
  const afterMs = quotedMs - parseIsoTime(metadata.occurred_at);
  // A selection may wait for the documents, or the store, before its reservation. A quote begins with that.
  const isPast = quotedMs <= parseIsoTime(metadata.recorded_at);
  const endsAfterMs = parseIsoTime(data.quote_expires_at as string) - quotedMs;
  const isInTime = endsAfterMs === QUOTE_MS && afterMs >= -RETRIED_MS && isPast;
  return [
    ...ratesOf(data.observations, currency as string),
    ...(data.price_base_units === price.toString() ? [] : [`at ${data.price_base_units}, not ${price}`]),
    ...(isInWindow(due, price, token) ? [] : [`${due}, which is no amount for ${price}`]),
    ...(isInTime ? [] : [`for ${endsAfterMs} ms, from ${afterMs} ms after it was asked for`]),
    ...(data.finality_tier === tier ? [] : [`as ${data.finality_tier}, and is ${tier}`]),
    ...(Number(data.required_confirmations) === confirmations ? [] : [`${data.required_confirmations} deep`]),
    ...(Number(data.tolerance_bps) === shop?.toleranceBps ? [] : [`with a tolerance of ${data.tolerance_bps}`]),
  ];
}

/** The tier that follows from a quote's amount, whatever the quote says. */
export function tierByTheBook(amountMinorUnits: string, currency: string, quote: RecordedEvent['data']): Tier {
  const { observations, token_id: token } = quote as Data & { readonly observations: readonly Observation[] };
  const facts = TOKEN_FACTS[token as TokenId];
  const price = priceOf(BigInt(amountMinorUnits), currency, mean(observations, currency), facts);
  return tierOf(price, mean(observations, 'USD'), facts);
}

/** The mean of two families, as they were outside when they were asked. */
function mean(observations: readonly Observation[], currency: string): Fraction {
  const rates = LEGS.map(leg => {
    const own = observations.find(({ source }) => source === leg);
    return own ? rateAt(leg, currency, parseIsoTime(own.observed_at)) : 0n;
  });
  return { over: rates.reduce((sum, rate) => sum + rate, 0n), under: BigInt(rates.length) * DIGITS };
}

function ratesOf(observations: readonly Observation[], currency: string): string[] {
  return observations.flatMap(({ source, rate, observed_at }) => {
    const was = rateAt(source, currency, parseIsoTime(observed_at));
    const isAsItWas = BigInt(rate.replace('.', '')) === was;
    return isAsItWas ? [] : [`at a rate of ${rate}, which ${source} never gave`];
  });
}
