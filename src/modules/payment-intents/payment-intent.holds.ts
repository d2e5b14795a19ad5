import { createHash } from 'node:crypto';
import { parseIsoTime } from '../../kernel/clock';
import type { DecisionContext } from '../../kernel/decider';
import type { RecordedEvent } from '../../kernel/event';
import { refuse } from '../../vocabulary/errors';
import { timedId } from '../../vocabulary/ids';
import { unreachable } from '../../kernel/invariant';
import type { PaymentIntentCommand } from './payment-intent.commands';
import type { HoldGround, PaymentIntentEvent } from './payment-intent.events';
import { permit, quoted } from './payment-intent.permit';
import type { PaymentIntent, QuotedPaymentIntent } from './payment-intent.state';

type HoldCommand = Extract<
  PaymentIntentCommand,
  { readonly type: 'screen_payer' | 'place_hold' | 'release_hold' | 'reject_hold' }
>;
type Command<T extends HoldCommand['type']> = Extract<HoldCommand, { readonly type: T }>;
type Decision = readonly PaymentIntentEvent[];

const MAX_REASON_LENGTH = 1_000;

/** Decides on the findings about payers, and on the holds that follow from them. */
export function decideHold(command: HoldCommand, state: PaymentIntent, context: DecisionContext): Decision {
  switch (command.type) {
    case 'screen_payer':
      return screened(command, state, context);
    case 'place_hold':
      return placed(command, state, context);
    case 'release_hold':
      requireOpenHold(state);
      permit(state, 'release_hold', context);
      return [{ type: 'HoldReleased', data: resolution(command, context) }];
    case 'reject_hold':
      requireOpenHold(state);
      permit(state, 'reject_hold', context);
      return [{ type: 'HoldRejected', data: resolution(command, context) }];
    default:
      return unreachable(command);
  }
}

/**
 * A payer is screened more than once, and a later screening may find a risk that an earlier one did not. Only a release
 * takes a finding back.
 */
function screened(command: Command<'screen_payer'>, state: PaymentIntent, context: DecisionContext): Decision {
  permit(state, 'screen_payer', context);
  const { payer, verdict, source, reference } = command;
  const known = quoted(state).ledger.screened[payer];
  const isNews = known === undefined || (known === 'clear' && verdict === 'high_risk');
  return isNews ? [{ type: 'PayerScreened', data: { payer, verdict, source, reference } }] : [];
}

/**
 * Places a hold on any payer of the payment who is not released yet. The screening holds for a high risk, a person for
 * any reason.
 */
function placed(command: Command<'place_hold'>, state: PaymentIntent, context: DecisionContext): Decision {
  permit(state, 'place_hold', context);
  const payment = quoted(state);
  const { screened: verdicts, transfers } = payment.ledger;
  const { payer } = command;
  if (!Object.values(transfers).some(({ from }) => from === payer)) {
    throw refuse('parameter_invalid', { param: 'payer', message: `${payer} has paid nothing of this payment.` });
  }
  if (isHoldOpen(payment)) return [];
  if (isHoldRejected(payment) || verdicts[payer] === 'released') throw refuse('hold_already_resolved');
  return [{ type: 'HoldPlaced', data: { payer, ...groundOf(command) } }];
}

/** Whether a hold waits for its release or rejection. */
export function isHoldOpen(state: PaymentIntent): boolean {
  return 'ledger' in state && state.ledger.hold?.status === 'open';
}

/** Whether a hold was rejected, which nobody can lift any more. */
export function isHoldRejected(state: PaymentIntent): boolean {
  return 'ledger' in state && state.ledger.hold?.status === 'rejected';
}

/** Whether a hold stops the payment, be it open or rejected. */
export function isHeld(state: PaymentIntent): boolean {
  return isHoldOpen(state) || isHoldRejected(state);
}

/** The hold's id, which follows from the event that placed the hold. */
export function holdId({ id, metadata }: RecordedEvent): string {
  return timedId('hold', parseIsoTime(metadata.occurred_at), createHash('sha256').update(id).digest());
}

/** Base units that lie in the wallet of a payment that a rejection has failed; null for any other payment. */
export function rejectedBaseUnits(payment: QuotedPaymentIntent): bigint | null {
  if (payment.status !== 'failed' || !isHoldRejected(payment)) return null;
  const { transfers } = payment.ledger;
  return Object.values(transfers).reduce((sum, { value_base_units }) => sum + BigInt(value_base_units), 0n);
}

/** Payers of the payment's transfers whose screening is a high risk, without a hold and without a release. */
export function unheldRisks(payment: QuotedPaymentIntent): readonly string[] {
  if (isHeld(payment)) return [];
  const { ledger } = payment;
  const payers = new Set(Object.values(ledger.transfers).map(({ from }) => from));
  return [...payers].filter(payer => ledger.screened[payer] === 'high_risk');
}

function requireOpenHold(state: PaymentIntent): void {
  if (state.status === 'none' || state.quote === null || state.ledger.hold === null) throw refuse('hold_not_found');
  if (!isHoldOpen(state)) throw refuse('hold_already_resolved');
}

/** Four eyes: one proposes, another approves, and one of the two carries it out. */
function resolution(command: Command<'release_hold' | 'reject_hold'>, { actor }: DecisionContext) {
  const { proposedBy, approvedBy } = command;
  if (proposedBy === approvedBy) throw refuse('self_approval_forbidden');
  if (actor.id !== proposedBy && actor.id !== approvedBy) throw refuse('executor_not_party');
  return { reason: reasonOf(command), proposed_by: proposedBy, approved_by: approvedBy };
}

function groundOf({ source, reason }: HoldGround): HoldGround {
  return source === 'screening' ? { source, reason } : { source, reason: reasonOf({ reason }) };
}

function reasonOf({ reason }: { readonly reason: string }): string {
  if (reason.trim() === '' || reason.length > MAX_REASON_LENGTH) {
    const message = `A hold needs a reason of at most ${MAX_REASON_LENGTH} characters.`;
    throw refuse('invalid_hold_reason', { param: 'reason', message });
  }
  return reason;
}
