import { paymentIntentsProjection } from '../../../projections/payment-intents.projection';
import type { RecordedEvent } from '../../../src/kernel/event';
import { applyEvents } from '../../../src/kernel/projection';
import { checkoutVersion } from '../../../src/modules/checkout/queries/checkout-version';
import type { CheckoutView } from '../../../src/modules/checkout/queries/checkout-view';
import { presentCheckout } from '../../../src/modules/checkout/queries/present-checkout';
import { TOKEN_IDS } from '../../../src/vocabulary/tokens';
import { DEFAULT_SETTINGS, factsOf } from '../../../src/modules/merchants/merchant-settings';
import type { PaymentIntentEvent } from '../../../src/modules/payment-intents/payment-intent.events';
import { presentPaymentIntent } from '../../../src/modules/payment-intents/queries/payment-intent.presenter';
import { screenOf } from '../../../web/checkout/screens/checkout-screen';
import { shownPayment } from '../../../web/dashboard/simulate/shown-payment';
import * as h from '../payment-intents/histories';

const PI = 'pi_00000000000000000000000001';
const NOON = Date.parse('2026-11-01T12:00:00.000Z');
const SHORT = '26865119';
const METHOD_TERMS = { enabledTokens: TOKEN_IDS, stoppedTokens: [], toleranceBps: 0, walletVelocity: null };
const shop = { name: 'Corner Shop', color: null, logo: null };

type Given = { readonly headNumber?: number; readonly nowMs?: number; readonly offers?: CheckoutView['offers'] };

/** The payment as its page shows it after a history. Transfers stand in block 100. */
function shown(history: readonly PaymentIntentEvent[], given: Given = {}): CheckoutView {
  const events = history.map((event, revision) => ({
    ...event,
    id: `event ${revision}`,
    stream: `test.payment_intent-${PI}`,
    revision,
    position: revision,
    metadata: { merchant_id: 'mch_1', mode: 'test', occurred_at: new Date(NOON + revision * 1_000).toISOString() },
  })) as unknown as readonly RecordedEvent[];
  const document = applyEvents(paymentIntentsProjection, events, () => null).get(PI)?.body;
  if (!document) throw new Error('no payment');
  const { headNumber = 103, nowMs = NOON, offers = [] } = given;
  const context = { checkoutUrl: 'https://pay.example/checkout', headNumber, nowMs, claims: [] };
  const own = { shop, settings: factsOf(DEFAULT_SETTINGS), methodTerms: METHOD_TERMS };
  const facts = { ...own, nowMs, offers, mayRestart: false, restartedAs: null };
  return presentCheckout(document, presentPaymentIntent(PI, document, context), facts);
}

const inferred: readonly PaymentIntentEvent[] = [
  h.created,
  h.selected,
  h.inferred('tr_1', SHORT),
  h.confirmation,
  h.screened(h.PAYER, 'clear'),
  h.depth('tr_1'),
  {
    type: 'PaymentUnderpaid',
    data: { received_base_units: SHORT, received_minor_units: '2487', remainder: null },
  },
];
const { underpaid, confirming, confirmed, paid_late: late } = h.HISTORIES;

describe('a payment as its page shows it', () => {
  it('tells the price in the form of the amount', () => {
    const { priceTokenAmount, payment } = shown(h.HISTORIES.awaiting_payment);
    expect([priceTokenAmount, payment.payment_method?.token_amount]).toStrictEqual(['27.000000', '27.000120']);
    expect(shown(h.HISTORIES.created).priceTokenAmount).toBeNull();
  });

  it('tells neither the metadata nor the note of a review', () => {
    const accepted = [...underpaid, { type: 'PaymentAccepted', data: { note: 'a regular' } } as const];
    const view = shown(accepted);
    expect(view.payment.review).toMatchObject({ reason: 'underpaid', resolution: 'accepted', note: null });
    expect(view.payment).not.toHaveProperty('metadata');
    expect(JSON.stringify(view)).not.toMatch(/a regular|"order"/);
  });

  it.each<[string, readonly PaymentIntentEvent[], boolean, boolean]>([
    ['an inferred transfer waits for the merchant', inferred, true, false],
    ['the merchant has rejected it', [...inferred, h.dropped('tr_1'), h.reviewRejected], false, false],
    ['a remainder is asked for', underpaid, false, false],
    ['a payer is held', [...confirming, h.held], false, true],
    ['a payer of an underpaid one is held', [...underpaid, h.held], false, true],
    ['the hold is released', [...confirming, h.held, h.released], false, false],
    ['the hold is rejected', [...late, h.held, h.rejected], false, false],
    ['nothing is chosen', h.HISTORIES.created, false, false],
    ['it is paid', confirmed, false, false],
  ])('where %s', (_, history, isInferred, isHoldOpen) => {
    expect(shown(history)).toMatchObject({ isInferred, isHoldOpen });
  });

  it.each<[string, readonly PaymentIntentEvent[], string]>([
    ['the hold is rejected over late money', [...late, h.held, h.rejected], 'rejected'],
    ['the hold is rejected over a part', [...underpaid, h.held, h.rejected], 'rejected'],
    ['the hold is rejected over an inferred transfer', [...inferred, h.held, h.rejected], 'rejected'],
    ['the hold is rejected before the depth', [...confirming, h.held, h.rejected], 'rejected'],
    ['the merchant has rejected it', [...underpaid, h.reviewRejected], 'rejected'],
    ['the merchant has rejected it under an open hold', [...underpaid, h.held, h.reviewRejected], 'rejected'],
    ['the merchant has yet to decide', late, 'paid_late'],
    ['the hold is open', [...late, h.held], 'held'],
  ])('tells its customer the end where %s', (_, history, screen) => {
    expect(screenOf(shown(history))).toBe(screen);
  });
});

it.each<[string, readonly PaymentIntentEvent[], string | null]>([
  ['nothing has come', h.HISTORIES.awaiting_payment, '27.000120'],
  ['a part has come', underpaid, '17.000130'],
  ['the price has ended', h.HISTORIES.expired, '27.000120'],
  ['nothing is chosen', h.HISTORIES.created, null],
  ['money is on its way', confirming, null],
  ['an inferred transfer waits for the merchant', inferred, null],
  ['a payer is held', [...underpaid, h.held], null],
  ['it is rejected', [...underpaid, h.reviewRejected], null],
  ['it is paid', confirmed, null],
])('plays its customer for what checkout asks for, where %s', (_, history, amount) => {
  expect(shownPayment(shown(history)).toPay?.amount ?? null).toBe(amount);
});

describe('the version of a page', () => {
  const version = (history: readonly PaymentIntentEvent[], given?: Given) => checkoutVersion(shown(history, given));

  it('counts confirmations up to the required ones', () => {
    const [two, three, twelve, later] = [102, 103, 112, 400].map(headNumber => version(confirming, { headNumber }));
    expect(new Set([two, three, twelve]).size).toBe(3);
    expect(later).toBe(twelve);
  });

  it('is another one once nobody should pay a remainder any more, and else does not follow the clock', () => {
    const until = Date.parse(h.remainder.reserved_until);
    expect(version(underpaid, { nowMs: until })).toBe(version(underpaid));
    expect(version(underpaid, { nowMs: until + 1 })).not.toBe(version(underpaid));
  });

  it('follows the offers that can be chosen, and not their prices', () => {
    const offer = {
      ...({ tokenId: 'usdc-base', asset: 'USDC', network: 'base', networkName: 'Base', walletId: 'wal_1' } as const),
      tokenAmount: '27.000000',
      unavailable: null,
    };
    const one = version(h.HISTORIES.created, { offers: [offer] });
    expect(version(h.HISTORIES.created, { offers: [{ ...offer, tokenAmount: '27.100000' }] })).toBe(one);
    const gone = { ...offer, tokenAmount: null, unavailable: 'rate_divergence' } as const;
    expect(version(h.HISTORIES.created, { offers: [gone] })).not.toBe(one);
  });

  it('is another one after each event that changes the page', () => {
    const histories = [
      h.HISTORIES.created,
      h.HISTORIES.awaiting_payment,
      h.HISTORIES.detected,
      confirming,
      [...confirming, h.held],
      underpaid,
      [...underpaid, h.reviewRejected],
      h.HISTORIES.overpaid,
      h.HISTORIES.expired,
      late,
      h.HISTORIES.canceled,
      h.HISTORIES.failed,
    ];
    expect(new Set(histories.map(history => version(history))).size).toBe(histories.length);
  });
});
