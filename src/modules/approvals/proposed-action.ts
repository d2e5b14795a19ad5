import { hash } from 'node:crypto';
import type { AdminPermission } from '../../vocabulary/admin-roles';
import { canonicalJson, type JsonObject } from '../../vocabulary/json';

/** An action as an approval is bound to it: one permission, one target, one body. */
export type ProposedAction = {
  readonly permission: AdminPermission;
  /** The object that the action is about, by its id. */
  readonly target: string;
  /** As it was sent, without `approval_id`. */
  readonly body: JsonObject;
};

/** SHA-256 over the canonical JSON of the three, as hex. Order and white space of a body's members do not matter. */
export function actionHash({ permission, target, body }: ProposedAction): string {
  return hash('sha256', canonicalJson({ permission, target, body }), 'hex');
}
