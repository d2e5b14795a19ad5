import { applyDecorators, createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { invariant } from '../../kernel/invariant';
import type { AdminPermission } from '../../vocabulary/admin-roles';
import type { AdmittedAdmin } from './admitted-admin';
import type { ApiReply, ApiRequest } from './caller';

export const ADMIN_RULE = Symbol('admin rule');

/** The demands of a route below `/admin` on the session of the administrator. */
export type AdminRule = {
  /** The stages of a session that may use the route. */
  readonly stages: readonly string[];
  /** Null: every role may. */
  readonly permission: AdminPermission | null;
  /** The action that asks for a fresh one-time code in the header `Mfa-Code`; null where none is asked for. */
  readonly highRisk: string | null;
};

/** Lets administrators into routes by the session of their cookie. */
export interface AdminAdmission {
  /**
   * Checks the session, the origin and the token of a write, and the permission, in this order. Throws Refusal
   * admin_session_required, session_expired, session_revoked, mfa_required, too_many_sessions or permission_denied.
   */
  admit(request: ApiRequest, rule: AdminRule): Promise<AdmittedAdmin>;
  /** Checks the origin of a request that asks for no session. Throws Refusal permission_denied. */
  admitStranger(request: ApiRequest): void;
  /** Takes the code of a risky action; the answer brings the session's new secret. Throws Refusal mfa_required. */
  stepUp(request: ApiRequest, reply: ApiReply, action: string): Promise<void>;
}

const FULL: readonly string[] = ['full'];
const rule = (terms: Partial<AdminRule>) =>
  SetMetadata<symbol, AdminRule>(ADMIN_RULE, { stages: FULL, permission: null, highRisk: null, ...terms });

/** A route of signed-in administrators; null asks for no permission. */
export const AdminRoute = (terms: { readonly permission: AdminPermission | null; readonly highRisk?: string }) =>
  applyDecorators(rule(terms));

/** A route for a session of one of the stages. */
export const StagedAdminRoute = (...stages: readonly string[]) => applyDecorators(rule({ stages }));

/** A route below `/admin` by which people begin to sign in. */
export const AdminEntry = () => applyDecorators(rule({ stages: [] }));

/** The administrator that the guard has found. */
export const CurrentAdmin = createParamDecorator((_: unknown, context: ExecutionContext): AdmittedAdmin => {
  const { admin } = context.switchToHttp().getRequest<ApiRequest>();
  invariant(admin, 'a handler asks for the administrator of a route that is open to everybody');
  return admin;
});
