import { shownToMerchant } from '../../../src/modules/payment-intents/api/payment-history';
import * as h from './histories';

it('shows a merchant what happened', () => {
  expect(shownToMerchant(h.created)).toEqual(h.terms);
  expect(shownToMerchant(h.depth('tr_1'))).toEqual(h.depth('tr_1').data);
});

it('keeps to compliance what it knows of a payer, and who decided', () => {
  expect(shownToMerchant(h.screened(h.PAYER, 'high_risk'))).toEqual({ payer: h.PAYER, verdict: 'high_risk' });
  expect(shownToMerchant(h.held)).toEqual({ payer: h.PAYER });
  expect(shownToMerchant(h.released)).toEqual({});
  expect(shownToMerchant({ ...h.released, type: 'HoldRejected' })).toEqual({});
});
