import type { ReadModel } from '../../kernel/ports/read-models';
import type { AdminPermission } from '../../vocabulary/admin-roles';
import type { ErrorCode } from '../../vocabulary/errors';
import type { JsonObject } from '../../vocabulary/json';
import type { DifferenceRow } from './approval.events';
import type { ApprovalStatus } from './approval.transitions';

export type ApprovalDocument = {
  readonly permission: AdminPermission;
  readonly target: string;
  readonly body: JsonObject;
  readonly body_hash: string;
  readonly difference: readonly DifferenceRow[];
  /** As recorded: `shownStatus` tells whether the action has lapsed since. */
  readonly status: ApprovalStatus;
  /** Whether the action lapses by time, since nobody has decided it or carried it out. */
  readonly lapses: boolean;
  readonly proposed_by: string;
  /** The one who approved or denied; null while nobody has. */
  readonly decided_by: string | null;
  /** The note on the decision. */
  readonly note: string | null;
  readonly decided_at: string | null;
  /** The proposer's note; an approved action can be withdrawn as well. */
  readonly withdrawal_note: string | null;
  readonly executed_by: string | null;
  readonly executed_at: string | null;
  /** The refusal of the last execution, where it was handed back. */
  readonly refusal: ErrorCode | null;
  readonly expires_at: string;
  readonly created: string;
};

export const approvalsReadModel: ReadModel<ApprovalDocument> = {
  name: 'approvals',
  version: 2,
  indexes: {
    by_created: ['created', 'id'],
    by_status: ['status', 'created', 'id'],
    by_lapsing: ['lapses', 'created', 'id'],
  },
};
