import { evolveAll } from '../../src/modules/payment-intents/payment-intent.state';
import * as h from '../modules/payment-intents/histories';
import { documentOf } from './payment-document';

const { none: _none, ...histories } = h.HISTORIES;
const { underpaid, paid_late: paidLate } = histories;
const lost = h.dropped('tr_1');

describe('the document of a payment', () => {
  it.each(Object.entries(histories))('carries the state that the domain folds: %s', (status, history) => {
    for (let length = 1; length <= history.length; length++) {
      const part = history.slice(0, length);
      const document = documentOf(part);
      expect(document.state).toStrictEqual(evolveAll(part));
      expect(JSON.parse(JSON.stringify(document.state))).toStrictEqual(document.state);
      expect(document.status).toBe(document.state.status);
    }
    expect(documentOf(history).status).toBe(status);
  });

  it.each([
    ['nothing has come', histories.awaiting_payment, false],
    ['a transfer is on its way', histories.detected, true],
    ['the payment is short, and asks for the rest', underpaid, false],
    ['a transfer that counted is gone', [...underpaid, lost], true],
    ['its payer is rejected after that', [...underpaid, h.held, lost, h.rejected], false],
    ['it is rejected in its review before that', [...underpaid, h.reviewRejected, lost], false],
    ['a payer of a late payment has a risk', [...paidLate, h.dropped('tr_2'), h.screened(h.PAYER, 'high_risk')], true],
    ['that payer is held', [...paidLate, h.dropped('tr_2'), h.screened(h.PAYER, 'high_risk'), h.held], false],
    ['the payment is settled', histories.overpaid, false],
  ])('is followed or not: %s', (_, history, followed) => {
    expect(documentOf(history).followed).toBe(followed);
  });

  it('is followed no more for a risk that was found under a hold which was released', () => {
    const found = [...underpaid, h.held, h.screened(h.PAYER, 'high_risk')];
    expect(documentOf(found).followed).toBe(false);
    expect(documentOf([...found, h.released]).followed).toBe(false);
  });

  it('tells the highest block of what counts', () => {
    expect(documentOf(histories.confirming).counted_block).toBeNull();
    expect(documentOf(underpaid).counted_block).toBe(100);
    expect(documentOf([...underpaid, lost]).counted_block).toBeNull();
  });

  it('tells the facts that payments are found by', () => {
    const [created, selected] = [documentOf(histories.created), documentOf(histories.awaiting_payment)];
    expect(created).toMatchObject({ currency: 'EUR', amount_minor_units: '2500', token_id: null, address_key: null });
    expect(selected).toMatchObject({ token_id: 'usdc-base', address_key: h.quote.address.toLowerCase() });
  });
});
