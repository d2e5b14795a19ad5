import type { holds, reviews } from '../../../src/modules/administration/api/lists/payments';
import { HOLDS } from '../../../web/console/holds/holds';
import { REVIEWS } from '../../../web/console/holds/reviews';
import type { RowOf } from '../../../web/console/lists/row-of';
import { textIn } from '../dashboard/rendered-dashboard';
import { renderedForAdmin } from './rendered-console';

const AT = '2026-11-01T12:00:00.000Z';
const WHOSE = { merchant_id: `mch_${'1'.repeat(26)}`, mode: 'test' } as const;
const PAYMENT: RowOf<typeof holds>['payment_intent'] = {
  ...{ id: `pi_${'1'.repeat(26)}`, status: 'underpaid', is_review_rejected: false, created: AT },
  ...{ amount: '2500', currency: 'EUR', currency_decimals: 2, received_amount: '925' },
  ...{ token_id: 'usdc-base', token_amount: '27.000120', received_token_amount: '10.000000' },
};
const HOLD: RowOf<typeof holds> = {
  ...{ id: `hold_${'1'.repeat(26)}`, object: 'hold', ...WHOSE, payment_intent: PAYMENT },
  ...{ payer: `0x${'7'.repeat(40)}`, source: 'administrator', reason: 'Listed.' },
  ...{ status: 'open', placed_at: AT, resolved_at: null },
};

function reviewText(reason: 'underpaid' | 'paid_late', is_held: boolean): string {
  const payment_intent = { ...PAYMENT, status: reason };
  const facts = { reason, entered_at: AT, is_held, payment_intent };
  const row: RowOf<typeof reviews> = { id: PAYMENT.id, object: 'review', ...WHOSE, ...facts };
  const Body = REVIEWS.detail?.body ?? (() => null);
  return textIn(renderedForAdmin(<Body row={row} />));
}

describe('a review', () => {
  it('says under a hold that nobody can accept the payment, and never that its merchant can', () => {
    for (const reason of ['underpaid', 'paid_late'] as const) {
      expect(reviewText(reason, true)).toContain('Nobody can accept this under the hold.');
      expect(reviewText(reason, true)).not.toContain('can decide this alone');
    }
  });

  it('says that only the merchant accepts an underpaid payment', () => {
    expect(reviewText('underpaid', false)).toContain('In the merchant’s place you can reject it, and not accept it.');
    expect(reviewText('paid_late', false)).toContain('Decide in the merchant’s place where the merchant cannot.');
  });
});

describe.each([
  [true, expect.stringContaining('Rejected in review')],
  [false, expect.not.stringContaining('Rejected in review')],
])('a hold of a payment of which the review is rejected: %s', (is_review_rejected, words) => {
  const row = { ...HOLD, payment_intent: { ...PAYMENT, is_review_rejected } };
  const Body = HOLDS.detail?.body ?? (() => null);

  it('is marked on the page and in the list', () => {
    expect(textIn(renderedForAdmin(<Body row={row} />))).toEqual(words);
    expect(textIn(renderedForAdmin(<>{HOLDS.cells(row)}</>))).toEqual(words);
  });
});
