import type { PaymentStory } from '../../support/payment-story';
import type { Story } from './lanes';
import { ARRIVES, baseUnits, refusal, VIA } from './steps';

const COMES_SHORT = { via: VIA, events: [...ARRIVES, 'settled underpaid by watcher'] };
const REMAINDER_ARRIVES = ['transfer_seen by matcher', 'deep_enough by matcher'] as const;
const OPEN_REVIEW = { reason: 'underpaid', resolution: null, note: null };
const CONFIRMATION_SEEN = 'confirming by watcher';

/** A merchant's decisions on money that came short, and on money that a reorganisation took. */
export const REVIEW_STORIES: Readonly<Record<string, Story>> = {
  'paid short: underpaid; short again: still; then the remainder: confirmed': async shop => {
    const story = await shop.quoted();
    const half = await shop.play(story, 'short');
    const underpaid = await story.reached('underpaid', {
      ...COMES_SHORT,
      facts: { review: OPEN_REVIEW, received_token_amount: half.token_amount, transfers: [{ status: 'credited' }] },
    });
    const { token_amount: asked, address } = underpaid.remaining ?? {};
    const { payment_method: method } = await story.payment();
    const received = baseUnits(half.token_amount, method.token_decimals) * 2_500n;
    expect(underpaid.received_amount).toBe(String(received / BigInt(method.token_amount_base_units)));
    expect(address).toBe(method.address);

    await shop.play(story, 'short');
    await story.reached('underpaid', {
      events: [...REMAINDER_ARRIVES, 'remainder_asked by matcher'],
      facts: { transfers: [{}, {}] },
    });
    const { remaining, received_token_amount } = await story.payment();
    const missing = [remaining?.token_amount, received_token_amount].map(amount => {
      return baseUnits(String(amount), method.token_decimals);
    });
    const total = missing.reduce((sum, each) => sum + each, 0n);
    // The second transfer was half of the first amount due; a fresh amount lies at most 0.01 above the remainder.
    expect(remaining?.token_amount).not.toBe(asked);
    expect(total - BigInt(method.token_amount_base_units)).toBeLessThan(10_000n);

    const remainder = await shop.play(story, 'exact');
    expect(remainder.token_amount).toBe(remaining?.token_amount);
    await story.reached('confirmed', {
      events: [...REMAINDER_ARRIVES, 'settled confirmed by matcher'],
      facts: { remaining: null, surplus_token_amount: null, transfers: [{}, {}, { tx_hash: remainder.tx_hash }] },
    });
  },

  'taken back by a reorganisation: failed': async shop => {
    const story = await shop.quoted();
    const { tx_hash } = await shop.play(story, 'reorged');
    await fails(story, 'reorged_out', tx_hash, 'reorged');
  },

  'paid short and resolved as rejected: underpaid still, and out of the queue': async shop => {
    const story = await shop.quoted();
    await shop.play(story, 'short');
    await story.reached('underpaid', COMES_SHORT);
    const { paymentIntents } = shop.merchant.api;
    const rejected = { resolution: 'rejected', note: 'too little' } as const;
    await paymentIntents.resolve(story.id, rejected);
    await story.reached('underpaid', {
      events: ['resolved by merchant'],
      facts: { review: { reason: 'underpaid', ...rejected } },
    });
    expect(await refusal(paymentIntents.resolve(story.id, rejected))).toBe('409 payment_not_resolvable');
    await story.stays();
  },

  'paid short and accepted as paid: confirmed': async shop => {
    const story = await shop.quoted();
    await shop.play(story, 'short');
    const { received_amount } = await story.reached('underpaid', COMES_SHORT);
    await shop.merchant.api.paymentIntents.accept(story.id, { note: 'a regular' });
    await story.reached('confirmed', {
      events: ['accepted by merchant', 'settled confirmed by merchant'],
      facts: { received_amount, review: { reason: 'underpaid', resolution: 'accepted', note: 'a regular' } },
    });
  },

  'paid short and resolved as accepted: confirmed': async shop => {
    const story = await shop.quoted();
    await shop.play(story, 'short');
    await story.reached('underpaid', COMES_SHORT);
    await shop.merchant.api.paymentIntents.resolve(story.id, { resolution: 'accepted', note: 'near enough' });
    await story.reached('confirmed', {
      events: ['accepted by merchant', 'settled confirmed by merchant'],
      facts: { review: { reason: 'underpaid', resolution: 'accepted', note: 'near enough' } },
    });
  },

  'reverted after it was seen: failed': async shop => {
    const story = await shop.quoted();
    const { tx_hash } = await shop.play(story, 'reverted');
    await fails(story, 'reverted', tx_hash, 'failed');
  },
};

/** Whether a first confirmation is seen before the chain is changed depends on when the chain makes its next block. */
async function fails(story: PaymentStory, reason: string, txHash: string, transferStatus: string): Promise<void> {
  const wasConfirmed = (await story.changes()).includes(CONFIRMATION_SEEN);
  await story.reached('failed', {
    via: wasConfirmed ? VIA : ['detected'],
    events: ['transfer_seen by watcher', ...(wasConfirmed ? [CONFIRMATION_SEEN] : []), 'failed by watcher'],
    facts: {
      failure_reason: reason,
      received_amount: '0',
      transfers: [{ tx_hash: txHash, status: transferStatus, confirmations: 0 }],
    },
  });
}
