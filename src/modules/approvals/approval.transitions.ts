import type { ApprovalEvent } from './approval.events';

export const APPROVAL_STATUSES = [
  'pending', 'approved', 'executing', 'executed', 'denied', 'withdrawn',
] as const; // prettier-ignore
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

export type ApprovalTrigger = 'propose' | 'approve' | 'deny' | 'withdraw' | 'begin' | 'succeed' | 'hand_back';

type Edge = { readonly to: ApprovalStatus; readonly event: ApprovalEvent['type'] };

/**
 * The approval's state machine: rows are states, columns are triggers, an empty row is terminal. A pending or approved
 * action lapses by time alone, without an event. An execution that outlived its lease may begin again. A late success
 * counts also where a later execution was handed back.
 */
// prettier-ignore
export const APPROVAL_TRANSITIONS: Readonly<
  Record<ApprovalStatus | 'none', Readonly<Partial<Record<ApprovalTrigger, Edge>>>>
> = {
  none: {
    propose:   { to: 'pending',   event: 'ActionProposed' },
  },
  pending: {
    approve:   { to: 'approved',  event: 'ActionApproved' },
    deny:      { to: 'denied',    event: 'ActionDenied' },
    withdraw:  { to: 'withdrawn', event: 'ActionWithdrawn' },
  },
  approved: {
    deny:      { to: 'denied',    event: 'ActionDenied' },
    withdraw:  { to: 'withdrawn', event: 'ActionWithdrawn' },
    begin:     { to: 'executing', event: 'ExecutionStarted' },
    succeed:   { to: 'executed',  event: 'ExecutionSucceeded' },
  },
  executing: {
    begin:     { to: 'executing', event: 'ExecutionStarted' },
    succeed:   { to: 'executed',  event: 'ExecutionSucceeded' },
    hand_back: { to: 'approved',  event: 'ExecutionHandedBack' },
  },
  executed: {},
  denied: {},
  withdrawn: {},
};
