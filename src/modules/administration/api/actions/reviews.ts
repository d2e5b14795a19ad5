import { DecisionNote, OneOf } from '../../../../platform/http/fields/text-fields';
import { refuse } from '../../../../vocabulary/errors';
import { DecideReview } from '../../../payment-intents/commands/decide-review.command';
import { isReviewOpen } from '../../../payment-intents/payment-intent.review';
import { TRANSITIONS } from '../../../payment-intents/payment-intent.transitions';
import { adminAction, ApprovedBody, inMode, row } from '../admin-action';
import { findPayment, paymentText, type FoundPayment } from '../find-payment';

class ResolveReviewDto extends ApprovedBody {
  @OneOf(['accepted', 'rejected'], { code: 'invalid_resolution' })
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
  ], // prettier-ignore
  look: (reads, { target }) => findPayment(reads, target),
  refuseUnfit: (payment, { resolution }) => {
    if (!isReviewOpen(payment.payment.state)) throw refuse('payment_not_resolvable');
    // Where money is missing, the merchant alone can accept less.
    const edge = TRANSITIONS[payment.payment.status][`resolve_${resolution}`];
    if (!edge?.actors.includes('admin')) throw refuse('forbidden_actor');
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
