import { Decimal } from 'decimal.js';
import { refuse } from '../../vocabulary/errors';

const Exact = Decimal.clone({ precision: 50, toExpNeg: -60, toExpPos: 60 });

const PRICE_PATTERN = /^\d{1,20}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,2})?$/;
/** No currency's unit is worth less or more than this in dollars; a value beyond is a broken answer. */
const LOWEST = new Exact('1e-9');
const HIGHEST = new Exact('1e9');

type PriceField = { readonly source: string; readonly field: string };

function parsePrice(text: string, { source, field }: PriceField): Decimal {
  const price = PRICE_PATTERN.test(text) ? new Exact(text) : null;
  if (price === null || price.lt(LOWEST) || price.gt(HIGHEST)) {
    const shown = text.slice(0, 40);
    throw refuse('provider_response_invalid', { message: `${source}: ${field} is not a positive price: "${shown}".` });
  }
  return price;
}

/**
 * Turns fiat per token, as exchanges quote it, into token units per one major fiat unit, to 50 digits. Throws Refusal
 * provider_response_invalid naming the source and the field unless the text is a positive decimal of sane size.
 */
export function invertPrice(text: string, where: PriceField): string {
  return new Exact(1).div(parsePrice(text, where)).toFixed();
}

/** The middle of a book's best bid and ask. Throws as `invertPrice` does, and where the ask is below the bid. */
export function midPrice(bidText: string, askText: string, where: PriceField): string {
  const bid = parsePrice(bidText, { ...where, field: `${where.field}.bid` });
  const ask = parsePrice(askText, { ...where, field: `${where.field}.ask` });
  if (ask.lt(bid)) {
    throw refuse('provider_response_invalid', { message: `${where.source}: ${where.field} asks less than it bids.` });
  }
  return bid.plus(ask).div(2).toFixed();
}

/** The same as `invertPrice`, for the middle. */
export function invertMidPrice(bidText: string, askText: string, where: PriceField): string {
  return new Exact(1).div(midPrice(bidText, askText, where)).toFixed();
}

/**
 * Turns units of one token per fiat unit into units of another, which costs `price` of the first. Both are plain
 * decimals above zero.
 */
export function crossRate(rate: string, price: string): string {
  return new Exact(rate).div(price).toFixed();
}
