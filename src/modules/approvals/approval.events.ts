import type { AdminPermission } from '../../vocabulary/admin-roles';
import type { ErrorCode } from '../../vocabulary/errors';
import type { JsonObject } from '../../vocabulary/json';

/** A field that the action changes, in words for the one who approves; null for a field that has no value. */
export type DifferenceRow = { readonly field: string; readonly before: string | null; readonly after: string | null };

/** An administrator asks for one execution of an action: the permission on the target, with this very body. */
type ActionProposed = {
  readonly type: 'ActionProposed';
  readonly data: {
    readonly permission: AdminPermission;
    readonly target: string;
    readonly body: JsonObject;
    /** SHA-256 of permission, target and body, as hex. */
    readonly body_hash: string;
    readonly difference: readonly DifferenceRow[];
    readonly proposed_by: string;
    readonly expires_at: string;
  };
};

type ActionApproved = {
  readonly type: 'ActionApproved';
  readonly data: { readonly approved_by: string; readonly approved_at: string; readonly note: string };
};
/** Also of an approved action that nobody has begun to carry out. */
type ActionDenied = {
  readonly type: 'ActionDenied';
  readonly data: { readonly denied_by: string; readonly note: string };
};
type ActionWithdrawn = { readonly type: 'ActionWithdrawn'; readonly data: { readonly note: string } };

/** The one execution is under way. After the lease, whoever may carry the action out goes on with it. */
type ExecutionStarted = {
  readonly type: 'ExecutionStarted';
  readonly data: { readonly attempt: number; readonly executed_by: string; readonly lease_until: string };
};
type ExecutionSucceeded = { readonly type: 'ExecutionSucceeded'; readonly data: { readonly attempt: number } };
/** The execution was refused, so the approval can be used again until it lapses. */
type ExecutionHandedBack = {
  readonly type: 'ExecutionHandedBack';
  readonly data: { readonly attempt: number; readonly refusal: ErrorCode };
};

export type ApprovalEvent =
  | ActionProposed
  | ActionApproved
  | ActionDenied
  | ActionWithdrawn
  | ExecutionStarted
  | ExecutionSucceeded
  | ExecutionHandedBack;
