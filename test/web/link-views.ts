import type { PayLinkView } from '../../src/modules/payment-links/queries/pay-link-view';
import { NOW_MS } from './checkout-views';
import { LONG_PAID } from './extreme-views';

const ID = 'plink_01kb3x5q0g7h2m9c4r8v6t1zny';

/** A view as the query gives it, with these changes to its link and to itself. */
export function linkViewOf(link: Partial<PayLinkView['link']>, changes: Partial<PayLinkView> = {}): PayLinkView {
  return {
    id: ID,
    mode: 'test',
    standing: 'open',
    shop: { name: 'Northwind Books', color: null, logo: null },
    link: {
      currency: 'EUR',
      currency_decimals: 2,
      amount_minor_units: '2500',
      min_minor_units: null,
      max_minor_units: null,
      description: 'Two paperbacks',
      expires_at: null,
      ...link,
    },
    url: `https://pay.example/pay/${ID}`,
    nowMs: NOW_MS,
    ...changes,
  };
}

const BOUNDS = { amount_minor_units: null, min_minor_units: '500', max_minor_units: '50000' };

const { description } = LONG_PAID.payment;
const LONG = { amount_minor_units: '1234567891', currency: 'KWD', currency_decimals: 3, description };
const LONG_BOUNDS = { amount_minor_units: null, min_minor_units: '1', max_minor_units: '1234567891' };

/** One view for each screen of a link's page. */
export const LINK_VIEWS: Readonly<Record<string, PayLinkView>> = {
  'a fixed link': linkViewOf({ expires_at: new Date(NOW_MS).toISOString() }),
  'an open link': linkViewOf({ ...BOUNDS, description: null }),
  'a long link': linkViewOf(LONG, { shop: LONG_PAID.shop }),
  'a long open link': linkViewOf({ ...LONG, ...LONG_BOUNDS }, { shop: LONG_PAID.shop }),
  'a spent link': linkViewOf({}, { standing: 'spent' }),
  'an ended link': linkViewOf({}, { standing: 'ended' }),
  'an inactive link': linkViewOf({}, { standing: 'inactive' }),
};
