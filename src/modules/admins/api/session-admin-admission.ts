import type { CommandBus } from '@nestjs/cqrs';
import type { Clock } from '../../../kernel/clock';
import { adminActor, type PlatformContext } from '../../../kernel/command-context';
import { randomUuid, type Entropy } from '../../../kernel/entropy';
import type { Actor } from '../../../kernel/event';
import type { SecretBox } from '../../../kernel/ports/secret-box';
import { invariant } from '../../../kernel/invariant';
import type { AdminAdmission, AdminRule } from '../../../platform/http/admin-admission';
import type { AdmittedAdmin } from '../../../platform/http/admitted-admin';
import type { ApiReply, ApiRequest } from '../../../platform/http/caller';
import { clientIp, clientOf } from '../../../platform/http/client-ip';
import { checkSite } from '../../../platform/http/form-body';
import { FormTokens } from '../../../platform/http/form-tokens';
import { ADMIN_COOKIE } from '../../../platform/http/session-cookie';
import { adminPermits } from '../../../vocabulary/admin-roles';
import { isRefusal, refuse } from '../../../vocabulary/errors';
import type { OpenSession } from '../../sessions/session-authentication';
import type { SessionStage } from '../../sessions/signed-in';
import { StepUp } from '../../sessions/commands/session.command';
import { SIGN_IN_ACTORS } from '../../sessions/session-context';
import { checkSignedIn } from '../../sessions/signed-in-session';
import { AuthenticateAdmin } from '../commands/authenticate-admin.command';

const READ_METHODS = ['GET', 'HEAD'];
const TOKEN_HEADER = 'x-csrf-token';
const CODE_HEADER = 'mfa-code';

type AdmissionParts = {
  readonly commands: CommandBus;
  readonly tokens: FormTokens;
  readonly clock: Clock;
  readonly entropy: Entropy;
};

/** Lets administrators into the routes below `/admin`, by the session of their own cookie and by nothing else. */
export class SessionAdminAdmission implements AdminAdmission {
  constructor(private readonly parts: AdmissionParts) {}

  async admit(request: ApiRequest, { stages, permission }: AdminRule): Promise<AdmittedAdmin> {
    const admitted = await this.admitted(request);
    const { stage, admin } = admitted;
    if (!stages.includes(stage)) {
      checkSignedIn({ stage: stage as SessionStage });
      throw refuse('unknown_session');
    }
    if (!READ_METHODS.includes(request.method)) await this.checkToken(request, admitted);
    if (permission !== null && !adminPermits(admin.role, permission)) throw refuse('permission_denied');
    return admitted;
  }

  admitStranger(request: ApiRequest): void {
    checkSite(request);
  }

  async stepUp(request: ApiRequest, reply: ApiReply, action: string): Promise<void> {
    const { admin, id, raw } = request;
    invariant(admin, `the risky action ${action} is on a route without a session`);
    const [code = '', ...more] = raw.headersDistinct[CODE_HEADER] ?? [];
    if (more.length > 0) throw refuse('mfa_proof_invalid', { message: `The header ${CODE_HEADER} is given twice.` });
    const { open, context } = admin as AdmittedAdmin<OpenSession>;
    const command = new StepUp(open, code, action, context.commandId, clientOf(request), id, null);
    const { secret } = await this.parts.commands.execute(command);
    void reply.header('set-cookie', ADMIN_COOKIE.of(secret));
  }

  /** The facts for a command of somebody who is not signed in. */
  strangerContext(request: ApiRequest): PlatformContext<'platform'> {
    return this.contextOf(request, SIGN_IN_ACTORS.admin);
  }

  /** A token that writes of the session show in the header X-CSRF-Token. */
  tokenOf(sessionId: string): Promise<string> {
    return this.parts.tokens.show(sessionId);
  }

  private async admitted(request: ApiRequest): Promise<AdmittedAdmin<OpenSession>> {
    const secret = ADMIN_COOKIE.secretIn(request.headers.cookie);
    if (secret === null) throw refuse('admin_session_required');
    const { commands } = this.parts;
    const asked = new AuthenticateAdmin(secret, clientOf(request), 'use');
    const found = await commands.execute(asked).catch((error: unknown) => {
      throw isRefusal(error, 'unknown_session') ? refuse('admin_session_required') : error;
    });
    const { userId: id, role, sessionId, stage, expiresAt, email, name, open } = found;
    const context = this.contextOf(request, adminActor(id));
    return { admin: { id, role }, context, sessionId, stage, expiresAt, email, name, open };
  }

  private async checkToken(request: ApiRequest, { sessionId }: AdmittedAdmin): Promise<void> {
    checkSite(request);
    const [token = '', ...more] = request.raw.headersDistinct[TOKEN_HEADER] ?? [];
    if (more.length === 0 && (await this.parts.tokens.isToken(token, sessionId))) return;
    throw refuse('permission_denied', { message: 'Send the token of GET /admin/session in the header X-CSRF-Token.' });
  }

  private contextOf(request: ApiRequest, actor: Actor): PlatformContext<'platform'> {
    const now = this.parts.clock.now();
    return {
      commandId: randomUuid(this.parts.entropy),
      universe: 'platform',
      merchantId: null,
      actor,
      startedAt: now,
      now,
      requestId: request.id,
      correlationId: request.id,
      causationId: null,
      ip: clientIp(request),
    };
  }
}

export function sessionAdminAdmission(commands: CommandBus, secretBox: SecretBox, clock: Clock, entropy: Entropy) {
  return new SessionAdminAdmission({ commands, tokens: new FormTokens(secretBox, entropy), clock, entropy });
}
