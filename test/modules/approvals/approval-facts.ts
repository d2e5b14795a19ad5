import type { ApprovalEvent } from '../../../src/modules/approvals/approval.events';
import { actionHash, type ProposedAction } from '../../../src/modules/approvals/proposed-action';
import type { AdminActor, AdminRole } from '../../../src/vocabulary/admin-roles';

export const NOON = Date.parse('2026-11-01T12:00:00.000Z');
export const APPROVAL = 'apr_00000000000000000000000001';

const person = (last: string, role: AdminRole): AdminActor => ({ id: `adm_${'0'.repeat(25)}${last}`, role });

export const ADA = person('a', 'compliance');
export const BEN = person('b', 'compliance');
export const CARL = person('c', 'owner');
export const SUE = person('5', 'support');
export const VERA = person('v', 'viewer');
export const FIN = person('f', 'finance');

/** The release of a hold, as an administrator asks for it. */
export const RELEASE: ProposedAction = {
  permission: 'hold.release',
  target: 'hold_00000000000000000000000001',
  body: { reason: 'Another person.' },
};

export const DIFFERENCE = [{ field: 'hold', before: 'open', after: 'released' }] as const;

export const proposedBy = ({ id }: AdminActor): ApprovalEvent => ({
  type: 'ActionProposed',
  data: {
    ...RELEASE,
    body_hash: actionHash(RELEASE),
    difference: DIFFERENCE,
    proposed_by: id,
    expires_at: '2026-11-02T12:00:00.000Z',
  },
});
export const approvedBy = ({ id }: AdminActor): ApprovalEvent => ({
  type: 'ActionApproved',
  data: { approved_by: id, approved_at: '2026-11-01T12:00:00.000Z', note: 'Seen.' },
});
export const deniedBy = ({ id }: AdminActor): ApprovalEvent => ({
  type: 'ActionDenied',
  data: { denied_by: id, note: 'No.' },
});
export const withdrawn: ApprovalEvent = { type: 'ActionWithdrawn', data: { note: 'Mistaken.' } };
export const started = ({ id }: AdminActor, attempt = 1): ApprovalEvent => ({
  type: 'ExecutionStarted',
  data: { attempt, executed_by: id, lease_until: '2026-11-01T12:02:00.000Z' },
});
export const succeeded = (attempt = 1): ApprovalEvent => ({ type: 'ExecutionSucceeded', data: { attempt } });
export const handedBack = (attempt = 1): ApprovalEvent => ({
  type: 'ExecutionHandedBack',
  data: { attempt, refusal: 'compliance_hold' },
});
