import { adminActor } from '../../src/kernel/command-context';
import type { Clock } from '../../src/kernel/clock';
import { AuthenticateAdmin, type SignedInAdmin } from '../../src/modules/admins/commands/authenticate-admin.command';
import type { Authentication } from '../../src/modules/sessions/session-authentication';
import type { ApiRequest } from '../../src/platform/http/caller';
import { clientIp, clientOf } from '../../src/platform/http/client-ip';
import type { PageRule, Reader } from '../../src/platform/http/page-admission';
import { adminPermits } from '../../src/vocabulary/admin-roles';
import { ADMIN_PAGES } from '../parts/page-realm';
import type { Administrator } from './administrator';
import { SessionAdmission, type AdmissionParts } from './session-admission';

type ConsoleAdmissionParts = AdmissionParts & { readonly clock: Clock };

/** Administrators work for merchants of any time zone. */
const TIME_ZONE = 'UTC';

/** Lets administrators into the console's pages. */
export class ConsoleAdmission extends SessionAdmission<SignedInAdmin, Administrator> {
  constructor(private readonly parts: ConsoleAdmissionParts) {
    super(ADMIN_PAGES, parts);
  }

  protected override authenticated(
    request: ApiRequest,
    secret: string,
    asking: Authentication,
  ): Promise<SignedInAdmin> {
    return this.parts.commands.execute(new AuthenticateAdmin(secret, clientOf(request), asking));
  }

  protected override checkPlace(): void {}

  protected override personOf(request: ApiRequest, signedIn: SignedInAdmin): Administrator {
    const { userId, role } = signedIn;
    const nowMs = this.parts.clock.now();
    const facts = {
      universe: 'platform',
      merchantId: null,
      actor: adminActor(userId),
      now: nowMs,
      requestId: request.id,
      correlationId: request.id,
      causationId: null,
      ip: clientIp(request),
    } as const;
    return {
      ...signedIn,
      admin: { id: userId, role },
      nowMs,
      timeZone: TIME_ZONE,
      accountContextOf: command => ({ ...facts, ...command }),
    };
  }

  /** An administrator is charged alone. */
  protected override readerOf(_: ApiRequest, { userId }: Administrator): Reader {
    return { keyId: userId, merchantId: userId, mode: 'platform' };
  }

  protected override isPermitted({ role }: SignedInAdmin, { realm, permission }: PageRule): boolean {
    return realm === 'admin' && permission !== null && adminPermits(role, permission);
  }

  protected override checkAccount(): void {}
}
