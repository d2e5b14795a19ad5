import { streamId, type Projection } from '../src/kernel/projection';
import type { ApprovalEvent } from '../src/modules/approvals/approval.events';
import { approvalsReadModel, type ApprovalDocument } from '../src/modules/approvals/approvals.read-model';

export const approvalsProjection: Projection<ApprovalDocument, ApprovalEvent> = {
  ...approvalsReadModel,
  categories: ['approval'],
  mirrors: true,
  key: streamId,
  on: {
    ActionProposed: (_, { data, metadata }): ApprovalDocument => ({
      ...data,
      status: 'pending',
      lapses: true,
      decided_by: null,
      note: null,
      decided_at: null,
      withdrawal_note: null,
      executed_by: null,
      executed_at: null,
      refusal: null,
      created: metadata.occurred_at,
    }),
    ActionApproved: (doc, { data, metadata }) =>
      doc && {
        ...doc,
        status: 'approved',
        decided_by: data.approved_by,
        note: data.note,
        decided_at: metadata.occurred_at,
      },
    ActionDenied: (doc, { data, metadata }) =>
      doc && {
        ...doc,
        status: 'denied',
        lapses: false,
        decided_by: data.denied_by,
        note: data.note,
        decided_at: metadata.occurred_at,
      },
    ActionWithdrawn: (doc, { data }) =>
      doc && { ...doc, status: 'withdrawn', lapses: false, withdrawal_note: data.note },
    ExecutionStarted: (doc, { data }) =>
      doc && { ...doc, status: 'executing', lapses: false, executed_by: data.executed_by, refusal: null },
    ExecutionSucceeded: (doc, { metadata }) =>
      doc && { ...doc, status: 'executed', lapses: false, executed_at: metadata.occurred_at, refusal: null },
    ExecutionHandedBack: (doc, { data }) =>
      doc && { ...doc, status: 'approved', lapses: true, executed_by: null, refusal: data.refusal },
  },
};
