import { invariant } from '../../../../kernel/invariant';
import { Reason } from '../../../../platform/http/fields/admin-fields';
import { Id, Text } from '../../../../platform/http/fields/text-fields';
import { refuse } from '../../../../vocabulary/errors';
import { isId } from '../../../../vocabulary/ids';
import type { Execution } from '../../../approvals/approval-gate';
import { PlaceHold } from '../../../payment-intents/commands/place-hold.command';
import { ResolveHold, type HoldDecision } from '../../../payment-intents/commands/resolve-hold.command';
import { holdsReadModel, type HoldDocument } from '../../../payment-intents/holds.read-model';
import { decideHold, HOLD_REASON, isHoldOpen } from '../../../payment-intents/payment-intent.holds';
import { isReviewRejected } from '../../../payment-intents/payment-intent.outcome';
import { isReviewOpen } from '../../../payment-intents/payment-intent.review';
import type { ExistingPaymentIntent } from '../../../payment-intents/payment-intent.state';
import { adminAction, ApprovedBody, inMode, inTrial, row, type ActionReads, type Aimed } from '../admin-action';
import { findPayment, paymentText, type FoundPayment } from '../find-payment';

class PlaceHoldDto {
  @Id('pi', { description: 'The payment that is held' })
  payment_intent!: string;

  @Text({ description: 'The address that has paid', example: '0x8ba1f109551bd432803012645ac136ddd64dba72' })
  payer!: string;

  @Reason('invalid_hold_reason', HOLD_REASON)
  reason!: string;
}

class ResolveHoldDto extends ApprovedBody {
  @Reason('invalid_hold_reason', HOLD_REASON)
  reason!: string;
}

type HeldPayment = FoundPayment & { readonly payer: string; readonly status: HoldDocument['status'] };

function holdOf(state: ExistingPaymentIntent) {
  return state.quote === null ? null : state.ledger.hold;
}

/** Throws Refusal hold_not_found. */
async function findHold(reads: ActionReads, { target }: Aimed<ResolveHoldDto>): Promise<HeldPayment> {
  const query = { index: 'by_hold', equals: { hold: target }, limit: 1 };
  const [found] = isId('hold', target) ? await reads.readModels.list(holdsReadModel, query) : [];
  if (!found) throw refuse('hold_not_found');
  const payment = await findPayment(reads, found.id);
  const { state, hold } = payment.payment;
  const status = hold?.id === target ? holdOf(state)?.status : undefined;
  return { ...payment, payer: found.body.payer, status: status ?? found.body.status };
}

/** Throws the refusals of the decision, as if two administrators had agreed on it. */
function tryToResolve(type: HoldDecision['type']) {
  return ({ status, payment: { state } }: HeldPayment, { reason }: ResolveHoldDto): void => {
    if (status !== 'open') throw refuse('hold_already_resolved');
    const context = inTrial('compliance');
    decideHold({ type, reason, proposedBy: context.actor.id, approvedBy: 'another' }, state, context);
  };
}

function eyesOf({ eyes }: Execution) {
  invariant(eyes !== null, 'a hold is resolved by two');
  return eyes;
}

export const placeHold = adminAction({
  permission: 'hold.place',
  path: 'holds',
  summary: 'Hold a payment for one of its payers',
  body: PlaceHoldDto,
  refuses: [
    'payment_not_found', 'invalid_hold_reason', 'hold_already_resolved', 'invalid_state_transition',
  ], // prettier-ignore
  targetOf: ({ payment_intent }) => payment_intent,
  look: (reads, { target }) => findPayment(reads, target),
  refuseUnfit: ({ payment: { state } }, { payer, reason }) => {
    decideHold({ type: 'place_hold', payer, source: 'administrator', reason }, state, inTrial('compliance'));
  },
  difference: ({ payment: { state } }, { payer, reason }) =>
    isHoldOpen(state)
      ? []
      : [row('hold', holdOf(state)?.status ?? null, 'open'), row('payer', null, payer), row('reason', null, reason)],
  words: payment => ({
    does: isHoldOpen(payment.payment.state)
      ? 'Changes nothing: a hold stops the payment already. Nothing is recorded.'
      : 'Stops the payment from being confirmed until the hold is released or rejected.',
    to: paymentText(payment),
    cannotUndo: 'The hold stays in the history of the payment. Two administrators have to resolve it.',
  }),
  command: async ({ target, body, facts, execution }, reads) =>
    new PlaceHold(target, body.payer, body.reason, await inMode(reads, execution, facts, 'compliance')),
});

export const releaseHold = adminAction({
  permission: 'hold.release',
  path: 'holds/:id/release',
  summary: 'Release a held payment',
  body: ResolveHoldDto,
  refuses: ['hold_not_found', 'hold_already_resolved', 'invalid_hold_reason', 'invalid_state_transition'],
  look: findHold,
  refuseUnfit: tryToResolve('release_hold'),
  difference: ({ status }, { reason }) => [row('hold', status, 'released'), row('reason', null, reason)],
  words: ({ payer, ...payment }) => ({
    does: `Takes back the finding about ${payer}. ${releasedText(payment)}`,
    to: paymentText(payment),
    cannotUndo: 'A released payer is never held for this payment again, and a confirmed payment stays confirmed.',
  }),
  command: async ({ facts, body, execution }, reads) => {
    const context = await inMode(reads, execution, facts, 'compliance');
    return new ResolveHold(facts.id, { type: 'release_hold', reason: body.reason, ...eyesOf(execution) }, context);
  },
});

/** The payment after the release: in review, only a decision moves it. */
function releasedText({ payment: { state } }: FoundPayment): string {
  if (isReviewRejected(state)) return 'The payment stays rejected, as its review has decided.';
  if (isReviewOpen(state)) return 'The payment stays in review, and waits for its decision.';
  return 'The payment is settled, and may be confirmed at once.';
}

export const rejectHold = adminAction({
  permission: 'hold.reject',
  path: 'holds/:id/reject',
  summary: 'Reject a held payment',
  body: ResolveHoldDto,
  refuses: ['hold_not_found', 'hold_already_resolved', 'invalid_hold_reason', 'invalid_state_transition'],
  look: findHold,
  refuseUnfit: tryToResolve('reject_hold'),
  difference: ({ status }, { reason }) => [row('hold', status, 'rejected'), row('reason', null, reason)],
  words: ({ payer, ...payment }) => ({
    does: `Confirms the finding about ${payer}. The payment is never confirmed; one that is being confirmed fails.`,
    to: paymentText(payment),
    cannotUndo:
      'A rejected payment stays rejected. Its money lies in the wallet of the merchant, and nothing sends it back.',
  }),
  command: async ({ facts, body, execution }, reads) => {
    const context = await inMode(reads, execution, facts, 'compliance');
    return new ResolveHold(facts.id, { type: 'reject_hold', reason: body.reason, ...eyesOf(execution) }, context);
  },
});
