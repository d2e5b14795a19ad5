import type { AdmittedAdmin } from '../../../platform/http/admitted-admin';
import type { ApiReply } from '../../../platform/http/caller';
import { ADMIN_COOKIE } from '../../../platform/http/session-cookie';
import { ADMIN_PERMISSIONS, adminPermits, type AdminPermission } from '../../../vocabulary/admin-roles';
import type { GivenSession, SessionStage } from '../../sessions/signed-in';
import type { AdminSessionResource, AdminStepResource } from './admin-session.contract';
import type { SessionAdminAdmission } from './session-admin-admission';

/** Answers sessions of administrators, and gives their cookies. */
export class AdminSessions {
  constructor(private readonly admission: SessionAdminAdmission) {}

  /** A step of the sign-in: the browser gets the session's new secret. */
  step(reply: ApiReply, { secret, sessionId: id, stage, expiresAt }: GivenSession): Promise<AdminStepResource> {
    void reply.header('set-cookie', ADMIN_COOKIE.of(secret));
    return this.resource(id, stage, expiresAt);
  }

  async shown({ admin, email, name, sessionId, stage, expiresAt }: AdmittedAdmin): Promise<AdminSessionResource> {
    const known = Object.keys(ADMIN_PERMISSIONS) as AdminPermission[];
    return {
      ...(await this.resource(sessionId, stage as SessionStage, expiresAt)),
      admin: { id: admin.id, email, name, role: admin.role },
      permissions: stage === 'full' ? known.filter(permission => adminPermits(admin.role, permission)) : null,
    };
  }

  private async resource(id: string, stage: SessionStage, expires_at: string): Promise<AdminStepResource> {
    return { object: 'admin_session', id, stage, csrf_token: await this.admission.tokenOf(id), expires_at };
  }
}
