import { DAY_MS, isoTime, MINUTE_MS, parseIsoTime } from '../../kernel/clock';
import type { Mode } from '../../vocabulary/modes';
import { hasMerchantClocks, type KnownClock, type MerchantClocks } from '../../kernel/merchant-clocks';
import type { Document, ListQuery } from '../../kernel/ports/documents';
import { invariant } from '../../kernel/invariant';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { Token } from '../../vocabulary/tokens';
import { hasEnded, isWaiting } from '../../modules/payment-intents/payment-intent.standing';
import type { QuotedPaymentIntent } from '../../modules/payment-intents/payment-intent.state';
import {
  addressKey,
  dayOf,
  type PaymentIntentDocument,
} from '../../modules/payment-intents/payment-intents.read-model';
import { RESERVED_MS } from '../../modules/payment-intents/quote-times';
import type { ExpectedPayment } from '../../modules/transfers/candidate-ranking';
import { walletsReadModel } from '../../modules/wallets/wallets.read-model';

/** The place at which money arrived that met no reservation. */
export type Place = { readonly mode: Mode; readonly token: Token; readonly address: string };
export type Span = { readonly fromMs: number; readonly toMs: number };

/**
 * The place to search, and the shifts of the clocks of the merchants there. Payments are stored by these clocks and
 * compared by the wall's.
 */
export type Ground = {
  readonly place: Place;
  readonly aheadMs: ReadonlyMap<string, number>;
  readonly shiftsMs: readonly number[];
};

/** Members of a payment's document that no search reads: a merchant's texts and a payer's transfers may be long. */
export const UNREAD = ['transfers', 'state.terms'];
/** Payments of the newest before a moment that are read: a named limit, since a shop may have any number. */
const NEWEST_READ = 150;
export const MERCHANTS_ASKED = 5;
/** The error of a chain's clock. */
export const SKEW_MS = 10 * MINUTE_MS;

export async function groundOf(
  readModels: ReadModels,
  clock: MerchantClocks,
  place: Place,
  wallMs: number,
  known?: KnownClock,
): Promise<Ground> {
  const { mode, token, address } = place;
  const aheadMs = new Map<string, number>();
  if (hasMerchantClocks(mode)) {
    const equals = { mode, network_id: token.network, status: 'verified', address };
    const query = { index: 'by_network', equals, limit: MERCHANTS_ASKED };
    const merchants = (await readModels.list(walletsReadModel, query)).map(({ body }) => body.merchant_id);
    const times = await clock.merchantTimesAt(mode, merchants, wallMs, known);
    for (const [merchantId, timeMs] of times) aheadMs.set(merchantId, timeMs - wallMs);
  }
  return { place, aheadMs, shiftsMs: [...new Set([0, ...aheadMs.values()])] };
}

export function scope({ mode, token, address }: Place) {
  return { mode, token_id: token.id, address_key: addressKey(address) };
}

/** The span in which a payment was quoted that was open at a moment. */
export function spanOf(paidAtMs: number): Span {
  return { fromMs: paidAtMs - RESERVED_MS, toMs: paidAtMs + SKEW_MS };
}

/** The UTC days that a span of time touches. */
export function daysOf({ fromMs, toMs }: Span): readonly string[] {
  const touched: string[] = [];
  for (let atMs = fromMs; dayOf(isoTime(atMs)) < dayOf(isoTime(toMs)); atMs += DAY_MS)
    touched.push(dayOf(isoTime(atMs)));
  return [...touched, dayOf(isoTime(toMs))];
}

/** The newest of the payments that may have been open: one question for each clock. */
export function newestIn({ place, shiftsMs }: Ground, { fromMs, toMs }: Span): readonly ListQuery[] {
  return shiftsMs.map(shiftMs => {
    const range = { from: isoTime(fromMs + shiftMs), to: isoTime(toMs + shiftMs) };
    return { index: 'by_quote', equals: scope(place), range, descending: true, limit: NEWEST_READ, omit: UNREAD };
  });
}

/** The payment of a document that an index by amounts or quotes holds. */
export function quotedIn({ state }: PaymentIntentDocument): QuotedPaymentIntent {
  invariant(state.quote !== null, 'only a payment with a quote asks for an amount');
  return state;
}

export function asPayment({ id, body }: Document<PaymentIntentDocument>, { aheadMs }: Ground): ExpectedPayment {
  const ahead = aheadMs.get(body.merchant_id) ?? 0;
  const payment = quotedIn(body);
  const { quote } = payment;
  return {
    paymentIntent: id,
    merchantId: body.merchant_id,
    state: hasEnded(payment) ? 'ended' : isWaiting(payment) ? 'waiting' : 'paid',
    dueBaseUnits: BigInt(quote.due_base_units),
    fiatBaseUnits: BigInt(body.fiat_key ?? 0),
    remainderBaseUnits: body.remainder_key === null ? null : BigInt(body.remainder_key),
    quotedAtMs: parseIsoTime(quote.quoted_at) - ahead,
    reservedUntilMs: parseIsoTime(body.remainder_until ?? quote.reserved_until) - ahead,
    payer: body.payer,
  };
}
