import { DAY_MS, parseIsoTime } from '../../kernel/clock';
import { unreachable } from '../../kernel/invariant';
import type { AdminPermission } from '../../vocabulary/admin-roles';
import type { ApprovalEvent } from './approval.events';
import { APPROVAL_TRANSITIONS, type ApprovalStatus } from './approval.transitions';

/** A proposal that nobody decided and carried out by then has to be made anew. */
export const APPROVAL_TERM_MS = DAY_MS;

type Proposal = {
  readonly permission: AdminPermission;
  readonly target: string;
  readonly bodyHash: string;
  readonly proposedBy: string;
  readonly expiresAt: string;
};

type Approval = Proposal & {
  readonly approvedBy: string;
  readonly approvedAt: string;
  /** Executions that ever began. */
  readonly attempts: number;
};

export type ApprovalState =
  | { readonly status: 'none' }
  | (Proposal & { readonly status: 'pending' | 'denied' | 'withdrawn' })
  | (Approval & { readonly status: 'approved' | 'executed' })
  | (Approval & { readonly status: 'executing'; readonly leaseUntil: string });

/** The status that people see: an action that nobody carried out in time is `expired`. */
export type ShownStatus = ApprovalStatus | 'expired';

/** Whether the action came to its end by time. An execution that has begun goes on. */
export function isLapsed(status: ApprovalStatus, expiresAt: string, nowMs: number): boolean {
  return (status === 'pending' || status === 'approved') && nowMs >= parseIsoTime(expiresAt);
}

export function shownStatus(status: ApprovalStatus, expiresAt: string, nowMs: number): ShownStatus {
  return isLapsed(status, expiresAt, nowMs) ? 'expired' : status;
}

/** A fact that the table has no edge for leaves the state as it is; no recorded stream has one. */
export function evolveApproval(state: ApprovalState, event: ApprovalEvent): ApprovalState {
  const edges = Object.values(APPROVAL_TRANSITIONS[state.status]);
  if (!edges.some(edge => edge.event === event.type)) return state;
  if (event.type === 'ActionProposed') {
    const { permission, target, body_hash: bodyHash, proposed_by: proposedBy, expires_at: expiresAt } = event.data;
    return { status: 'pending', permission, target, bodyHash, proposedBy, expiresAt };
  }
  return state.status === 'none' ? state : moved(state, event);
}

type Proposed = Exclude<ApprovalState, { readonly status: 'none' }>;

function moved(state: Proposed, event: Exclude<ApprovalEvent, { readonly type: 'ActionProposed' }>): Proposed {
  switch (event.type) {
    case 'ActionApproved': {
      const { approved_by: approvedBy, approved_at: approvedAt } = event.data;
      return { ...proposal(state), status: 'approved', approvedBy, approvedAt, attempts: 0 };
    }
    case 'ActionDenied':
      return { ...proposal(state), status: 'denied' };
    case 'ActionWithdrawn':
      return { ...proposal(state), status: 'withdrawn' };
    case 'ExecutionStarted': {
      const { attempt: attempts, lease_until: leaseUntil } = event.data;
      return 'approvedBy' in state ? { ...approval(state), status: 'executing', attempts, leaseUntil } : state;
    }
    case 'ExecutionSucceeded':
      return 'approvedBy' in state ? { ...approval(state), status: 'executed' } : state;
    case 'ExecutionHandedBack':
      return 'approvedBy' in state ? { ...approval(state), status: 'approved' } : state;
    default:
      return unreachable(event);
  }
}

function proposal({ permission, target, bodyHash, proposedBy, expiresAt }: Proposal): Proposal {
  return { permission, target, bodyHash, proposedBy, expiresAt };
}

function approval(state: Approval): Approval {
  const { approvedBy, approvedAt, attempts } = state;
  return { ...proposal(state), approvedBy, approvedAt, attempts };
}
