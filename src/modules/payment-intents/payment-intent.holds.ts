import type { DecisionContext } from '../../kernel/decider';
import { refuse } from '../../kernel/errors';
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

/** What is found of those who paid, and what compliance makes of it. */
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
 * A payer is screened more than once, and a later screening may find a risk that an earlier one did not. Nothing takes
 * a finding back but a release.
 */
function screened(command: Command<'screen_payer'>, state: PaymentIntent, context: DecisionContext): Decision {
  permit(state, 'screen_payer', context);
  const { payer, verdict, source, reference } = command;
  const known = quoted(state).ledger.screened[payer];
  const isNews = known === undefined || (known === 'clear' && verdict === 'high_risk');
  return isNews ? [{ type: 'PayerScreened', data: { payer, verdict, source, reference } }] : [];
}

/**
 * By the screening for a high risk, or by a person for whatever they know: any payer of the payment whom nobody has
 * released yet.
 */
function placed(command: Command<'place_hold'>, state: PaymentIntent, context: DecisionContext): Decision {
  permit(state, 'place_hold', context);
  const { hold, screened: verdicts, transfers } = quoted(state).ledger;
  const { payer } = command;
  if (!Object.values(transfers).some(({ from }) => from === payer)) {
    throw refuse('parameter_invalid', { param: 'payer', message: `${payer} has paid nothing of this payment.` });
  }
  if (hold?.status === 'open') return [];
  if (hold?.status === 'rejected' || verdicts[payer] === 'released') throw refuse('hold_already_resolved');
  return [{ type: 'HoldPlaced', data: { payer, ...groundOf(command) } }];
}

/** Payers of what a payment has who screened as a high risk, and whom nobody has held or released. */
export function unheldRisks({ ledger }: QuotedPaymentIntent): readonly string[] {
  if (ledger.hold?.status === 'open' || ledger.hold?.status === 'rejected') return [];
  const payers = new Set(Object.values(ledger.transfers).map(({ from }) => from));
  return [...payers].filter(payer => ledger.screened[payer] === 'high_risk');
}

function requireOpenHold(state: PaymentIntent): void {
  const hold = state.status === 'none' || state.quote === null ? null : state.ledger.hold;
  if (hold === null) throw refuse('hold_not_found');
  if (hold.status !== 'open') throw refuse('hold_already_resolved');
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
