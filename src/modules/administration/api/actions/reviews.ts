import { DecisionNote, OneOf } from '../../../../platform/http/fields/text-fields';
import { DecideReview } from '../../../payment-intents/commands/decide-review.command';
import { decideReview } from '../../../payment-intents/payment-intent.resolution';
import { adminAction, ApprovedBody, inMode, inTrial, row } from '../admin-action';
import { findPayment, paymentText, type FoundPayment } from '../find-payment';

class ResolveReviewDto extends ApprovedBody {
  @OneOf(['rejected', 'accepted'], { code: 'invalid_resolution' })
  resolution!: 'accepted' | 'rejected';

  @DecisionNote()
  note!: string;
}

function reviewOf({ payment: { state } }: FoundPayment): string | null {
  return state.quote === null ? null : state.ledger.review;
}

export const resolveReview = adminAction({
  permission: 'payment.resolve',
  path: 'reviews/:id/resolve',
  summary: 'Decide the review of an underpaid or late payment in place of its merchant',
  body: ResolveReviewDto,
  refuses: [
    'payment_not_found', 'payment_not_resolvable', 'invalid_resolution', 'forbidden_actor', 'compliance_hold',
    'invalid_state_transition', 'payment_failed',
  ], // prettier-ignore
  look: (reads, { target }) => findPayment(reads, target),
  // The command asks the chain whether the transfers stand still. A preview takes that for granted.
  refuseUnfit: ({ payment: { state, transfers } }, { resolution, note }) => {
    const standing = transfers.map(({ transfer_id: id }) => id);
    decideReview({ type: 'resolve', resolution, note, standing }, state, inTrial());
  },
  difference: (payment, { resolution, note }) => [
    row('review', reviewOf(payment), resolution),
    row('note', payment.payment.review?.note ?? null, note),
  ],
  words: (payment, { body }) => ({
    does:
      body.resolution === 'accepted'
        ? 'Confirms the payment with what has come in. The merchant is told that it is paid.'
        : 'Rejects the payment: it is not confirmed, and no remainder is asked for any more.',
    to: paymentText(payment),
    cannotUndo: 'The decision on a review is final.',
  }),
  command: async ({ target, body, facts, execution }, reads) => {
    const { resolution, note } = body;
    const context = await inMode(reads, execution, facts);
    return new DecideReview(target, { type: 'resolve', resolution, note }, context);
  },
});
