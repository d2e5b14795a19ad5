import type { AccessReader } from '../../kernel/access-reader';
import type { Document } from '../../kernel/ports/documents';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { AdminRole } from '../../vocabulary/admin-roles';
import { refuse } from '../../vocabulary/errors';
import { derivedId } from '../../vocabulary/ids';
import type { People, Person, SessionOwner } from '../sessions/person';
import type { SessionPolicyFacts } from '../sessions/session-policy.events';
import { adminsReadModel, type AdminDocument } from './admins.read-model';

/** The console's sessions: nobody sets other times. */
const CONSOLE_POLICY: SessionPolicyFacts = { idle_minutes: 15, absolute_minutes: 480, pin_ip: false };

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

function personOf({ id: userId, body }: Document<AdminDocument>): AdminPerson {
  const { email, name, role, status, passkeys, ...enrolled } = body;
  return {
    ...{ userId, merchantId: null, email, name, role, passkeys },
    isActive: status === 'active',
    isAccountDisabled: false,
    passwordHash: enrolled.password_hash,
    totpSecretSealed: enrolled.totp_secret_sealed,
    totpEnrolledAt: enrolled.totp_enrolled_at,
    recoveryCodesLeft: enrolled.recovery_codes_left,
    policy: CONSOLE_POLICY,
  };
}
