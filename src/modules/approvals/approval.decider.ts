import { isoTime, MINUTE_MS, parseIsoTime } from '../../kernel/clock';
import type { DecisionContext } from '../../kernel/decider';
import { unreachable } from '../../kernel/invariant';
import type { Aggregate } from '../../kernel/write-path';
import { adminPermits, isFourEyes, type AdminActor } from '../../vocabulary/admin-roles';
import { refuse, type ErrorCode } from '../../vocabulary/errors';
import { checkedReason } from '../../vocabulary/reasons';
import { assertMayExecute } from './admin-rights';
import type { ApprovalEvent, DifferenceRow } from './approval.events';
import { APPROVAL_TERM_MS, evolveApproval, isLapsed, type ApprovalState } from './approval.state';
import { APPROVAL_TRANSITIONS, type ApprovalTrigger } from './approval.transitions';
import { actionHash, type ProposedAction } from './proposed-action';

/** An execution has so long before somebody may go on with it. */
const EXECUTION_LEASE_MS = 2 * MINUTE_MS;
/** Executions of one approval that may be handed back: an approval's stream stays short. */
const MAX_ATTEMPTS = 100;

const APPROVER_GONE = 'The administrator who approved this may no longer approve it. Propose it anew.';

type Word = { readonly admin: AdminActor; readonly note: string };

type ApprovalCommand =
  | {
      readonly type: 'propose';
      readonly action: ProposedAction;
      readonly difference: readonly DifferenceRow[];
      readonly admin: AdminActor;
    }
  | ({ readonly type: 'approve' | 'deny' } & Word)
  | ({ readonly type: 'withdraw' } & Word)
  | {
      readonly type: 'begin';
      readonly action: ProposedAction;
      readonly admin: AdminActor;
      /** Whether the one who approved could approve this action today. */
      readonly approverMay: boolean;
    }
  | { readonly type: 'succeed'; readonly attempt: number }
  | { readonly type: 'hand_back'; readonly attempt: number; readonly refusal: ErrorCode };

type Command<T extends ApprovalCommand['type']> = Extract<ApprovalCommand, { readonly type: T }>;
type Decision = readonly ApprovalEvent[];
type Proposed = Exclude<ApprovalState, { readonly status: 'none' }>;

function decide(command: ApprovalCommand, state: ApprovalState, { now }: DecisionContext): Decision {
  switch (command.type) {
    case 'propose':
      return proposed(command, state, now);
    case 'approve':
    case 'deny':
      return judged(command, existing(state), now);
    case 'withdraw':
      return withdrawn(command, existing(state), now);
    case 'begin':
      return begun(command, state, now);
    case 'succeed':
      return has(state, 'succeed') ? [{ type: 'ExecutionSucceeded', data: { attempt: command.attempt } }] : [];
    case 'hand_back': {
      const { attempt, refusal } = command;
      // A later execution has taken over, and says by itself how it ends.
      if (state.status !== 'executing' || state.attempts !== attempt) return [];
      return [{ type: 'ExecutionHandedBack', data: { attempt, refusal } }];
    }
    default:
      return unreachable(command);
  }
}

/** Throws Refusal permission_denied or second_approval_not_required. */
function proposed({ action, difference, admin }: Command<'propose'>, state: ApprovalState, now: number): Decision {
  const { permission, target, body } = action;
  if (!adminPermits(admin.role, permission)) throw refuse('permission_denied');
  if (!isFourEyes(permission)) throw refuse('second_approval_not_required');
  if (!has(state, 'propose')) return [];
  const expires_at = isoTime(now + APPROVAL_TERM_MS);
  const bound = { permission, target, body, body_hash: actionHash(action) };
  return [{ type: 'ActionProposed', data: { ...bound, difference, proposed_by: admin.id, expires_at } }];
}

/**
 * Throws Refusal permission_denied, role_may_propose_only, self_approval_forbidden, invalid_reason, action_expired or
 * action_not_pending, in this order.
 */
function judged(
  { type, admin, note }: Extract<ApprovalCommand, { readonly type: 'approve' | 'deny' }>,
  state: Proposed,
  now: number,
): Decision {
  assertMayExecute(admin, state.permission);
  if (admin.id === state.proposedBy) throw refuse('self_approval_forbidden');
  const reason = checkedReason(note, 'note');
  assertOpen(state, type, now);
  return type === 'approve'
    ? [{ type: 'ActionApproved', data: { approved_by: admin.id, approved_at: isoTime(now), note: reason } }]
    : [{ type: 'ActionDenied', data: { denied_by: admin.id, note: reason } }];
}

/** Throws Refusal permission_denied, invalid_reason, action_expired or action_not_pending, in this order. */
function withdrawn({ admin, note }: Command<'withdraw'>, state: Proposed, now: number): Decision {
  if (admin.id !== state.proposedBy)
    throw refuse('permission_denied', { message: 'Only the proposer can withdraw a proposal.' });
  const reason = checkedReason(note, 'note');
  assertOpen(state, 'withdraw', now);
  return [{ type: 'ActionWithdrawn', data: { note: reason } }];
}

/**
 * Throws Refusal unknown_approval, action_expired, action_not_approved, executor_not_party, action_in_flight or
 * action_not_pending, in this order. An approval whose giver may no longer give it is none.
 */
function begun({ action, admin, approverMay }: Command<'begin'>, state: ApprovalState, now: number): Decision {
  if (state.status === 'none' || state.bodyHash !== actionHash(action)) throw refuse('unknown_approval');
  if (isLapsed(state.status, state.expiresAt, now)) throw refuse('action_expired');
  if (state.status === 'pending') throw refuse('action_not_approved');
  if (!('approvedBy' in state)) throw refuse('action_not_pending');
  if (admin.id !== state.proposedBy && admin.id !== state.approvedBy) throw refuse('executor_not_party');
  if (!has(state, 'begin') || state.attempts >= MAX_ATTEMPTS) throw refuse('action_not_pending');
  if (state.status === 'approved' && !approverMay) throw refuse('action_not_approved', { message: APPROVER_GONE });
  if (state.status === 'executing' && now < parseIsoTime(state.leaseUntil)) throw refuse('action_in_flight');
  const lease_until = isoTime(now + EXECUTION_LEASE_MS);
  return [{ type: 'ExecutionStarted', data: { attempt: state.attempts + 1, executed_by: admin.id, lease_until } }];
}

function existing(state: ApprovalState): Proposed {
  if (state.status === 'none') throw refuse('unknown_action');
  return state;
}

function assertOpen(state: Proposed, trigger: ApprovalTrigger, now: number): void {
  if (isLapsed(state.status, state.expiresAt, now)) throw refuse('action_expired');
  if (!has(state, trigger)) throw refuse('action_not_pending');
}

function has({ status }: ApprovalState, trigger: ApprovalTrigger): boolean {
  return APPROVAL_TRANSITIONS[status][trigger] !== undefined;
}

/** One stream an approval, whose id is the approval's. */
export const approvals: Aggregate<ApprovalState, ApprovalCommand, ApprovalEvent> = {
  category: 'approval',
  notFound: null,
  initial: { status: 'none' },
  decide,
  evolve: evolveApproval,
};
