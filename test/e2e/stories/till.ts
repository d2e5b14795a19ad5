import type { Story } from './lanes';
import { ARRIVES, baseUnits, IS_CONFIRMED, refusal, VIA } from './steps';

/** Payments at a counter, on time. */
export const TILL_STORIES: Readonly<Record<string, Story>> = {
  'paid too much: overpaid, with the surplus': async shop => {
    const story = await shop.quoted();
    const { payment_method: method } = await story.payment();
    const sent = await shop.play(story, 'over');
    const overpaid = await story.reached('overpaid', {
      via: VIA,
      events: [...ARRIVES, 'settled overpaid by watcher'],
      facts: { received_token_amount: sent.token_amount, review: null, remaining: null },
    });
    const surplus = baseUnits(String(overpaid.surplus_token_amount), method.token_decimals);
    expect(surplus + BigInt(method.token_amount_base_units)).toBe(baseUnits(sent.token_amount, method.token_decimals));
  },

  'canceled before a token was chosen; left alone in created, and in awaiting_payment': async shop => {
    const story = await shop.asked();
    await shop.merchant.api.paymentIntents.cancel(story.id);
    const facts = { canceled_at: expect.any(String), payment_method: null };
    await story.reached('canceled', { events: ['canceled by merchant'], facts });
    await (await shop.asked()).stays();
    await (await shop.quoted()).stays();
  },

  'paid exactly: confirmed; paid once more: the second transfer is nobody’s': async shop => {
    const story = await shop.quoted();
    const first = await shop.play(story, 'exact');
    const paid = {
      received_amount: '2500',
      surplus_token_amount: null,
      confirmed_at: expect.any(String),
      review: null,
      hold: null,
      transfers: [{ tx_hash: first.tx_hash, status: 'credited', token_amount: first.token_amount }],
    };
    await story.reached('confirmed', { via: VIA, events: IS_CONFIRMED, facts: paid });

    const second = await shop.play(story, 'exact');
    const unmatched = await story.unmatched(second.tx_hash);
    expect(unmatched).toMatchObject({ status: 'unmatched', token_amount: second.token_amount, network_id: 'base' });
    expect(unmatched.candidates[0]).toMatchObject({ payment_intent: story.id, distance: '0.000000' });
    await story.stays(paid);
    const { paymentIntents } = shop.merchant.api;
    expect(await refusal(paymentIntents.transaction(story.id, { tx_hash: second.tx_hash }))).toBe(
      '409 payment_already_paid',
    );
  },

  'paid in a look-alike: nothing is credited; canceled from awaiting_payment': async shop => {
    const story = await shop.quoted();
    const { tx_hash } = await shop.play(story, 'wrong_token');
    await story.stays({ transfers: [], received_amount: '0' });
    const { paymentIntents, unmatchedTransfers } = shop.merchant.api;
    expect(await refusal(paymentIntents.transaction(story.id, { tx_hash }))).toBe('400 invalid_tx_hash');
    const { data } = await unmatchedTransfers.list().firstPage();
    expect(data.map(row => row.tx_hash)).not.toContain(tx_hash);
    await paymentIntents.cancel(story.id);
    await story.reached('canceled', { events: ['canceled by merchant'], facts: { transfers: [] } });
  },
};
