import { invariant } from '../../../../kernel/invariant';
import { Reason } from '../../../../platform/http/fields/admin-fields';
import { Id, Text } from '../../../../platform/http/fields/text-fields';
import { refuse } from '../../../../vocabulary/errors';
import { isId } from '../../../../vocabulary/ids';
import type { Execution } from '../../../approvals/approval-gate';
import { PlaceHold } from '../../../payment-intents/commands/place-hold.command';
import { ResolveHold } from '../../../payment-intents/commands/resolve-hold.command';
import { holdsReadModel, type HoldDocument } from '../../../payment-intents/holds.read-model';
import { HOLD_REASON } from '../../../payment-intents/payment-intent.holds';
import { requireEdge } from '../../../payment-intents/payment-intent.permit';
import { adminAction, ApprovedBody, inMode, row, type ActionReads, type Aimed } from '../admin-action';
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

/** Throws Refusal hold_not_found. */
async function findHold(reads: ActionReads, { target }: Aimed<ResolveHoldDto>): Promise<HeldPayment> {
  const query = { index: 'by_hold', equals: { hold: target }, limit: 1 };
  const [found] = isId('hold', target) ? await reads.readModels.list(holdsReadModel, query) : [];
  if (!found) throw refuse('hold_not_found');
  const payment = await findPayment(reads, found.id);
  const { state, hold } = payment.payment;
  const status = state.quote !== null && hold?.id === target ? state.ledger.hold?.status : undefined;
  return { ...payment, payer: found.body.payer, status: status ?? found.body.status };
}

function refuseResolved({ status }: HeldPayment): void {
  if (status !== 'open') throw refuse('hold_already_resolved');
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
  refuseUnfit: ({ payment: { state } }) => requireEdge(state, 'place_hold'),
  difference: ({ payment }, { payer, reason }) => [
    row('hold', payment.hold === null ? null : 'resolved', 'open'),
    row('payer', null, payer),
    row('reason', null, reason),
  ],
  words: payment => ({
    does: 'Stops the payment from being confirmed until the hold is released or rejected.',
    to: paymentText(payment),
    cannotUndo: 'The hold stays in the history of the payment. Two administrators have to resolve it.',
  }),
  command: async ({ target, body, facts, execution }, reads) =>
    new PlaceHold(target, body.payer, body.reason, await inMode(reads, execution, facts, 'compliance')),
});

export const releaseHold = adminAction({
  permission: 'hold.release',
  path: 'holds/:id/release',
  summary: 'Release a held payment, which is then settled',
  body: ResolveHoldDto,
  refuses: ['hold_not_found', 'hold_already_resolved', 'invalid_hold_reason'],
  look: findHold,
  refuseUnfit: refuseResolved,
  difference: ({ status }, { reason }) => [row('hold', status, 'released'), row('reason', null, reason)],
  words: ({ payer, ...payment }) => ({
    does: `Takes back the finding about ${payer}. The payment is settled, and may be confirmed at once.`,
    to: paymentText(payment),
    cannotUndo: 'A released payer is never held for this payment again, and a confirmed payment stays confirmed.',
  }),
  command: async ({ facts, body, execution }, reads) => {
    const context = await inMode(reads, execution, facts, 'compliance');
    return new ResolveHold(facts.id, { type: 'release_hold', reason: body.reason, ...eyesOf(execution) }, context);
  },
});

export const rejectHold = adminAction({
  permission: 'hold.reject',
  path: 'holds/:id/reject',
  summary: 'Reject a held payment',
  body: ResolveHoldDto,
  refuses: ['hold_not_found', 'hold_already_resolved', 'invalid_hold_reason'],
  look: findHold,
  refuseUnfit: refuseResolved,
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
