import type { AccessReader } from '../../kernel/access-reader';
import type { Document } from '../../kernel/ports/documents';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { AdminRole } from '../../vocabulary/admin-roles';
import { refuse } from '../../vocabulary/errors';
import { derivedId, isId } from '../../vocabulary/ids';
import type { People, Person, SessionOwner } from '../sessions/person';
import type { SessionPolicyFacts } from '../sessions/session-policy.events';
import type { EnrolledUser, EnrolledUsers } from '../users/totp-verifier';
import { adminsReadModel, type AdminDocument } from './admins.read-model';

/** The console's sessions: nobody sets other times. */
export const CONSOLE_POLICY: SessionPolicyFacts = { idle_minutes: 15, absolute_minutes: 480, pin_ip: false };

export type AdminPerson = Person & { readonly merchantId: null; readonly role: AdminRole };

/** An e-mail address belongs to one administrator: the id follows from it. */
export function adminIdOfEmail(email: string): string {
  return derivedId('adm', ['email', email.toLowerCase()]);
}

export class AdminPeople implements People<AdminPerson> {
  constructor(
    private readonly readModels: Pick<ReadModels, 'get'>,
    private readonly access: Pick<AccessReader, 'read'>,
  ) {}

  idOfEmail(email: string): string {
    return adminIdOfEmail(email);
  }

  async find(userId: string): Promise<AdminPerson | null> {
    const admin = await this.readModels.get(adminsReadModel, 'platform', userId);
    return admin && personOf(admin);
  }

  async ofSession({ user_id: id }: SessionOwner): Promise<AdminPerson> {
    const [admin] = await this.access.read([{ readModel: adminsReadModel, universe: 'platform', id }]);
    if (admin === null) throw refuse('session_revoked');
    return personOf(admin);
  }
}

/** The administrators who are active and have enrolled an authenticator. */
export class EnrolledAdmins implements EnrolledUsers {
  readonly unreadable = 'admin_totp_secret_invalid';

  constructor(private readonly readModels: Pick<ReadModels, 'get'>) {}

  async find(userId: string): Promise<EnrolledUser | null> {
    const admin = isId('adm', userId) ? await this.readModels.get(adminsReadModel, 'platform', userId) : null;
    const totpSecretSealed = admin?.body.shows_codes ? admin.body.totp_secret_sealed : null;
    return totpSecretSealed === null ? null : { userId, merchantId: null, totpSecretSealed };
  }

  /** A code of an administrator always names its administrator. */
  ofMerchant(): Promise<readonly EnrolledUser[]> {
    return Promise.resolve([]);
  }
}

function personOf({ id: userId, body }: Document<AdminDocument>): AdminPerson {
  const { email, name, role, status, passkeys, ...enrolled } = body;
  return {
    ...{ userId, merchantId: null, email, name, role },
    isActive: status === 'active',
    isAccountDisabled: false,
    passwordHash: enrolled.password_hash,
    hasAuthenticator: enrolled.totp_secret_sealed !== null,
    totpEnrolledAt: enrolled.totp_enrolled_at,
    recoveryCodesLeft: enrolled.recovery_codes_left,
    passkeyIds: passkeys.map(({ id }) => id),
    policy: CONSOLE_POLICY,
  };
}
