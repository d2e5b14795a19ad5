import { adminPermits, mayExecute, type AdminActor, type AdminPermission } from '../../vocabulary/admin-roles';
import { refuse } from '../../vocabulary/errors';

/** Throws Refusal permission_denied, or role_may_propose_only for a role that proposes alone. */
export function assertMayExecute({ role }: AdminActor, permission: AdminPermission): void {
  if (mayExecute(role, permission)) return;
  throw refuse(adminPermits(role, permission) ? 'role_may_propose_only' : 'permission_denied');
}
