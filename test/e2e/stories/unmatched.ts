import { formatUnits } from '../../../src/vocabulary/money';
import type { PaymentStory } from '../../support/payment-story';
import type { Story } from './lanes';
import type { Payer } from './payer';
import { ARRIVES, refusal, VIA } from './steps';

const FEE_BASE_UNITS = 1_000_000n;

/** Transfers that meet no amount, and the payments to which people give them. */
export function unmatchedStories(payer: () => Payer): Readonly<Record<string, Story>> {
  return {
    'a fee was taken off on the way: it waits with ranked candidates, is attributed, and the remainder is paid':
      async shop => {
        const [meant, other, far] = [await shop.quoted(), await shop.quoted(), await shop.quoted('90000')];
        const { payment_method: method } = await meant.payment();
        const left = formatUnits(BigInt(method.token_amount_base_units) - FEE_BASE_UNITS, method.token_decimals, 6);
        const txHash = await payer().settle(meant, left);
        const unmatched = await meant.unmatched(txHash);
        expect(unmatched).toMatchObject({ status: 'unmatched', reason: 'no_reservation', token_amount: left });
        expect(unmatched.candidates.map(({ payment_intent }) => payment_intent)).toStrictEqual([meant.id, other.id]);
        expect(unmatched.candidates[0]).toMatchObject({
          reason: expect.stringContaining('exchanges take off a withdrawal'),
          distance: '1.000000',
        });
        for (const story of [meant, other, far]) await story.stays({ transfers: [] });

        const { paymentIntents, unmatchedTransfers } = shop.merchant.api;
        await paymentIntents.transaction(meant.id, { tx_hash: txHash });
        await payer().deepen();
        await meant.reached('underpaid', {
          via: VIA,
          events: [...ARRIVES, 'settled underpaid by watcher'],
          facts: { transfers: [{ tx_hash: txHash, token_amount: left, status: 'credited' }] },
        });
        expect((await unmatchedTransfers.list().firstPage()).data).toStrictEqual([]);
        expect(await refusal(unmatchedTransfers.retrieve(unmatched.id))).toBe('404 unmatched_transfer_not_found');
        const named = (story: PaymentStory) => refusal(paymentIntents.transaction(story.id, { tx_hash: txHash }));
        expect(await named(meant)).toBe('409 duplicate_transaction');
        expect(await named(other)).toBe('409 attribution_already_exists');
        await payer().settle(meant);
        await meant.reached('confirmed', {
          events: ['transfer_seen by matcher', 'deep_enough by matcher', 'settled confirmed by matcher'],
          facts: { received_amount: '2500' },
        });
      },
  };
}
