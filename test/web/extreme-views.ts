import type { CheckoutView } from '../../src/modules/checkout/queries/checkout-view';
import { transfer, VIEWS, viewOf } from './checkout-views';

type Payment = CheckoutView['payment'];

const SHOP = {
  name: 'Grandmother Wilhelmina’s Extraordinarily Long-Named Emporium of Antique Clocks and Fine Paper Goods Ltd',
  color: null,
  logo: null,
};
/** A colour that is too light for text, and a logo. */
const BRAND = { name: 'Sunrise Bakery', color: '#f2a900', logo: 'logo.png' };
const TRON_ADDRESS = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE';
const HUGE = { amount: '1234567891', currency: 'KWD', currency_decimals: 3 } as const;
const UNBROKEN = 'Ω'.repeat(200);

function paymentOf(name: string): Payment {
  return (VIEWS[name] ?? viewOf({})).payment;
}

const method = paymentOf('awaiting').payment_method as NonNullable<Payment['payment_method']>;
const offers = VIEWS.created?.offers ?? [];

/** Views with the longest texts, the largest amounts, lists of one and of none, and a brand. */
export const EXTREMES: Readonly<Record<string, CheckoutView>> = {
  'a long choice': viewOf({ status: 'created', ...HUGE, description: UNBROKEN }, { shop: SHOP }),
  'one offer': viewOf({ status: 'created' }, { offers: offers.slice(0, 1) }),
  'no open offer': viewOf({ status: 'created' }, { offers: offers.slice(2) }),
  'a long amount': viewOf(
    {
      status: 'awaiting_payment',
      ...HUGE,
      description: UNBROKEN,
      payment_method: {
        ...method,
        token_id: 'usdt-bnb',
        network_id: 'bnb',
        token_decimals: 18,
        token_amount: '4027153.040000000012345678',
      },
    },
    { shop: SHOP, priceTokenAmount: '4027153.040000000000000000' },
  ),
  'on TRON': viewOf({
    status: 'awaiting_payment',
    payment_method: {
      ...method,
      token_id: 'usdt-tron',
      network_id: 'tron',
      chain_id: null,
      address: TRON_ADDRESS,
      pay_uri: `tron:${TRON_ADDRESS}?amount=27.153040`,
    },
  }),
  'several transfers': viewOf(
    {
      ...paymentOf('underpaid'),
      description: UNBROKEN,
      transfers: Array.from({ length: 3 }, (_, index) =>
        transfer({
          id: `tr_${index}`,
          tx_hash: `0x${`${index}c`.repeat(32)}`,
          status: index === 0 ? 'credited' : 'confirming',
        }),
      ),
    },
    { shop: SHOP },
  ),
  'a choice of a brand': viewOf({ status: 'created' }, { shop: BRAND }),
  'paid to a brand': viewOf(paymentOf('confirmed'), { shop: BRAND }),
  'nowhere to go back': viewOf(paymentOf('confirmed'), { successUrl: null, mode: 'live' }),
};
/** A paid payment whose every text is as long as it can be. */
export const LONG_PAID = viewOf({ ...paymentOf('overpaid'), ...HUGE, description: UNBROKEN }, { shop: SHOP });
