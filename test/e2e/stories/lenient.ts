import type { ServiceInProcess } from '../../support/service-in-process';
import { rejectHold, releaseHold } from './compliance';
import type { Story } from './lanes';
import type { Payer } from './payer';
import { ARRIVES, IS_CONFIRMED, partOfDue, refusal, VIA } from './steps';

const HELD = { hold: { status: 'open' }, confirmed_at: null };
/** Payers are screened before the depth and at it, so the hold may come a moment before the depth or after. */
const IS_HELD = {
  via: ['detected'],
  events: [...ARRIVES, 'hold_placed by compliance'],
  inAnyOrder: true,
  facts: HELD,
} as const;
const NOTE = { resolution: 'accepted', note: 'a regular' } as const;

/** The tolerance of a merchant who bears 1%, and payers whom a sanctions list names. */
export function lenientStories(service: () => ServiceInProcess, listed: () => Payer): Readonly<Record<string, Story>> {
  return {
    'short beyond the tolerance: underpaid': async shop => {
      const story = await shop.quoted();
      const sent = partOfDue(await story.payment(), 9_890n);
      await shop.play(story, 'short', sent);
      await story.reached('underpaid', {
        via: VIA,
        events: [...ARRIVES, 'settled underpaid by watcher'],
        facts: { received_amount: '2472', received_token_amount: sent },
      });
    },

    'paid by a listed payer: held in confirming, then released: confirmed': async shop => {
      const story = await shop.quoted();
      await listed().settle(story);
      await story.reached('confirming', IS_HELD);
      const { paymentIntents } = shop.merchant.api;
      // Neither is for a payment that is still on its way; the hold would refuse them next.
      expect(await refusal(paymentIntents.accept(story.id))).toBe('409 payment_not_underpaid');
      expect(await refusal(paymentIntents.resolve(story.id, NOTE))).toBe('409 payment_not_resolvable');
      await listed().deepen();
      await story.stays(HELD);
      await releaseHold(service(), story);
      await story.reached('confirmed', {
        events: ['hold_released by compliance', 'settled confirmed by watcher'],
        facts: { hold: { status: 'released' }, received_amount: '2500' },
      });
    },

    'short within the tolerance: confirmed, with what was received': async shop => {
      const story = await shop.quoted();
      const sent = partOfDue(await story.payment(), 9_910n);
      await shop.play(story, 'short', sent);
      const facts = { received_amount: '2477', received_token_amount: sent, remaining: null, review: null };
      await story.reached('confirmed', { via: VIA, events: IS_CONFIRMED, facts });
    },

    'paid by a listed payer and rejected: failed': async shop => {
      const story = await shop.quoted();
      await listed().settle(story);
      await story.reached('confirming', IS_HELD);
      await rejectHold(service(), story);
      await story.reached('failed', {
        events: ['hold_rejected by compliance'],
        facts: {
          hold: { status: 'rejected', note: null },
          failure_reason: 'compliance_rejected',
          received_amount: '2500',
          confirmed_at: null,
        },
      });
    },

    'the remainder paid by a listed payer: held in underpaid, which nobody can accept': async shop => {
      const story = await shop.quoted();
      await shop.play(story, 'short');
      await story.reached('underpaid', { via: VIA, events: [...ARRIVES, 'settled underpaid by watcher'] });
      await listed().settle(story);
      await story.reached('underpaid', {
        events: ['transfer_seen by matcher', 'hold_placed by compliance'],
        facts: HELD,
      });
      const { paymentIntents } = shop.merchant.api;
      expect(await refusal(paymentIntents.accept(story.id))).toBe('409 compliance_hold');
      expect(await refusal(paymentIntents.resolve(story.id, NOTE))).toBe('409 compliance_hold');
      await releaseHold(service(), story);
      await story.reached('confirmed', {
        events: ['hold_released by compliance', 'deep_enough by matcher', 'settled confirmed by matcher'],
        facts: { hold: { status: 'released' }, received_amount: '2500' },
      });
    },
  };
}
