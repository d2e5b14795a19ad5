import type { CheckoutView } from '../../../src/modules/checkout/queries/checkout-view';

/** The part of a payment that the panel shows. Prices of offers move with each rate, and are left out. */
export type ShownPayment = ReturnType<typeof shownPayment>;

export function shownPayment({ payment, offers }: CheckoutView) {
  const { id, amount, currency, currency_decimals, status, payment_method: method, description } = payment;
  return {
    ...{ id, amount, currency, currency_decimals, status, description },
    method: method && {
      amount: method.token_amount,
      asset: method.asset_symbol,
      network: method.network_id,
      until: method.quote_expires_at,
    },
    offers: offers.map(({ tokenId, asset, networkName, unavailable }) => ({
      tokenId,
      asset,
      networkName,
      unavailable,
    })),
  };
}
