import { HOUR_MS, MINUTE_MS } from '../../../src/kernel/clock';
import type { PaymentStory } from '../../support/payment-story';
import type { ServiceInProcess } from '../../support/service-in-process';
import type { StoryShop } from '../../support/story-shop';
import { releaseHold } from './compliance';
import type { Payer } from './payer';
import type { Story } from './lanes';
import { refusal } from './steps';

const QUOTE_MS = 15 * MINUTE_MS;
const PAID_LATE = ['transfer_seen by matcher', 'settled paid_late by matcher'] as const;
const OPEN_REVIEW = { reason: 'paid_late', resolution: null, note: null };

async function expired(shop: StoryShop): Promise<PaymentStory> {
  const story = await shop.quoted();
  await shop.advance(QUOTE_MS);
  await story.reached('expired', {
    events: ['expired by sweeper'],
    facts: { received_amount: '0', transfers: [] },
  });
  return story;
}

/** Transfers that come after a quote has ended, by the merchant's own clock. */
export function lateStories(service: () => ServiceInProcess, listed: () => Payer): Readonly<Record<string, Story>> {
  return {
    'never paid: expired; paid after the last moment: nothing is credited': async shop => {
      const story = await expired(shop);
      await shop.advance(25 * HOUR_MS);
      await story.stays({ transfers: [] });
      const { tx_hash } = await shop.play(story, 'exact');
      const { candidates } = await story.unmatched(tx_hash);
      expect(candidates[0]).toMatchObject({ payment_intent: story.id });
      await story.stays({ transfers: [] });
      const claim = shop.merchant.api.paymentIntents.transaction(story.id, { tx_hash });
      expect(await refusal(claim)).toBe('402 payment_expired');
    },

    'paid late and rejected: paid_late still, and out of the queue': async shop => {
      const story = await shop.quoted();
      await shop.play(story, 'late');
      await story.reached('paid_late', {
        via: ['expired'],
        events: ['expired by sweeper', ...PAID_LATE],
        facts: { review: OPEN_REVIEW },
      });
      const { paymentIntents } = shop.merchant.api;
      const rejected = { resolution: 'rejected', note: 'sold out' } as const;
      await paymentIntents.resolve(story.id, rejected);
      const facts = { review: { reason: 'paid_late', ...rejected }, received_amount: '2500' };
      await story.reached('paid_late', { events: ['resolved by merchant'], facts });
      expect(await refusal(paymentIntents.resolve(story.id, rejected))).toBe('409 payment_not_resolvable');
      await story.stays(facts);
    },

    'paid late and accepted: confirmed': async shop => {
      const story = await expired(shop);
      const { tx_hash } = await shop.play(story, 'exact');
      const facts = { review: OPEN_REVIEW, received_amount: '2500', transfers: [{ tx_hash, status: 'credited' }] };
      await story.reached('paid_late', { events: PAID_LATE, facts });
      const accepted = { resolution: 'accepted', note: 'in stock still' } as const;
      await shop.merchant.api.paymentIntents.resolve(story.id, accepted);
      await story.reached('confirmed', {
        events: ['resolved by merchant', 'settled confirmed by merchant'],
        facts: { review: { reason: 'paid_late', ...accepted }, received_amount: '2500' },
      });
    },

    'paid late by a listed payer: held in the review until it is released': async shop => {
      const story = await expired(shop);
      await listed().settle(story);
      await story.reached('paid_late', {
        events: [...PAID_LATE, 'hold_placed by compliance'],
        facts: { review: OPEN_REVIEW, hold: { status: 'open' } },
      });
      const { paymentIntents } = shop.merchant.api;
      const accepted = { resolution: 'accepted', note: 'looked into' } as const;
      expect(await refusal(paymentIntents.resolve(story.id, accepted))).toBe('409 compliance_hold');
      await releaseHold(service(), story);
      await story.reached('paid_late', {
        events: ['hold_released by compliance'],
        facts: { hold: { status: 'released' } },
      });
      await paymentIntents.resolve(story.id, accepted);
      await story.reached('confirmed', { events: ['resolved by merchant', 'settled confirmed by merchant'] });
    },
  };
}
