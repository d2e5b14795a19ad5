import type { ApprovalEvent } from '../approvals/approval.events';
import type { KillSwitchEvent } from '../kill-switches/kill-switch.events';
import type { KybCaseEvent } from '../kyb/kyb-case.events';
import { noted, quoted, type Reasons } from './reason-words';

export const KILL_SWITCH_REASONS: Reasons<KillSwitchEvent> = {
  KillSwitchSet: ({ scope, subject, mode, ground, reason }) =>
    `${ground === 'kyb' ? 'Verification' : 'An operator'} stopped new payments of the ${scope} ${subject} ` +
    `in ${mode} mode: ${quoted(reason)}.`,
  KillSwitchLifted: ({ mode, ground, reason }) =>
    `${ground === 'kyb' ? 'Verification' : 'An operator'} lifted its stop in ${mode} mode: ${quoted(reason)}.`,
};

export const KYB_REASONS: Reasons<KybCaseEvent> = {
  KybCaseOpened: ({ merchant_id }) => `The verification of ${merchant_id} began.`,
  KybCaseSubmitted: ({ business, owners }) =>
    `${business.legal_name} (${business.country}) asked for its verification, with ${owners.length} owners.`,
  KybDocumentAdded: ({ kind, name, size }) => `A document was added: ${kind}, ${quoted(name)}, ${size} bytes.`,
  KybDocumentRemoved: ({ id }) => `The document ${id} was removed.`,
  KybApproved: ({ note }) => `The operator found the business verified.${noted(note)}`,
  KybRejected: ({ note }) => `The operator refused the verification.${noted(note)}`,
};

export const APPROVAL_REASONS: Reasons<ApprovalEvent> = {
  ActionProposed: ({ permission, target, proposed_by, expires_at }) =>
    `${proposed_by} proposed ${permission} on ${target}. Another administrator may approve it until ${expires_at}.`,
  ActionApproved: ({ approved_by, note }) => `${approved_by} approved the proposal.${noted(note)}`,
  ActionDenied: ({ denied_by, note }) => `${denied_by} denied the proposal.${noted(note)}`,
  ActionWithdrawn: ({ note }) => `The proposer took the proposal back.${noted(note)}`,
  ExecutionStarted: ({ attempt, executed_by, lease_until }) =>
    `${executed_by} began to carry the action out, attempt ${attempt}. Others may go on with it after ${lease_until}.`,
  ExecutionSucceeded: () => 'The action was carried out. The approval is used up.',
  ExecutionHandedBack: ({ refusal }) => `The action was refused with ${refusal}. The approval can be used again.`,
};
