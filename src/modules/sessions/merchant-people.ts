import type { AccessReader } from '../../kernel/access-reader';
import type { Document } from '../../kernel/ports/documents';
import type { ReadModels } from '../../kernel/ports/read-models';
import { refuse } from '../../vocabulary/errors';
import { derivedId } from '../../vocabulary/ids';
import type { Mode } from '../../vocabulary/modes';
import type { UserRole } from '../../vocabulary/roles';
import { merchantsReadModel, type MerchantDocument } from '../merchants/merchants.read-model';
import { accountAsked, accountWithMethods, type AccountWithMethods } from '../merchants/read-account';
import { userIdOfEmail } from '../users/registration';
import { usersReadModel, type UserDocument } from '../users/users.read-model';
import type { People, Person, SessionOwner } from './person';
import { sessionPoliciesReadModel, type SessionPolicyDocument } from './session-policies.read-model';
import { DEFAULT_SESSION_POLICY } from './session-policy';

/** A user with the account and its policy. */
export type MerchantPerson = Person & {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly role: UserRole;
};

/** A user who has a session, with the account in each mode, as of this request. */
export type MerchantSessionPerson = MerchantPerson & { readonly accounts: Readonly<Record<Mode, AccountWithMethods>> };

/** A merchant id that no merchant has: reading for an address without a user takes as long as for one with a user. */
const NO_MERCHANT = derivedId('mch', []);

export class MerchantPeople implements People<MerchantPerson, MerchantSessionPerson> {
  constructor(
    private readonly readModels: Pick<ReadModels, 'get'>,
    private readonly access: Pick<AccessReader, 'readLists'>,
  ) {}

  idOfEmail(email: string): string {
    return userIdOfEmail(email);
  }

  async find(userId: string): Promise<MerchantPerson | null> {
    const user = await this.readModels.get(usersReadModel, 'platform', userId);
    const merchantId = user?.body.merchant_id ?? NO_MERCHANT;
    const [merchant, policy] = await Promise.all([
      this.readModels.get(merchantsReadModel, 'platform', merchantId),
      this.readModels.get(sessionPoliciesReadModel, 'platform', merchantId),
    ]);
    return user && personOf(user, merchant, policy);
  }

  /** In one round trip. */
  async ofSession({ user_id: userId, merchant_id: merchantId }: SessionOwner): Promise<MerchantSessionPerson> {
    if (merchantId === null) throw refuse('session_revoked');
    const [[user, merchant, policy], test, live] = await this.access.readLists([
      [
        { readModel: usersReadModel, universe: 'platform', id: userId },
        { readModel: merchantsReadModel, universe: 'platform', id: merchantId },
        { readModel: sessionPoliciesReadModel, universe: 'platform', id: merchantId },
      ],
      accountAsked('test', merchantId, true),
      accountAsked('live', merchantId, true),
    ]);
    const accounts = { test: accountWithMethods('test', test), live: accountWithMethods('live', live) };
    if (accounts.test === null || accounts.live === null) throw refuse('session_revoked');
    return { ...personOf(user, merchant, policy), accounts: { test: accounts.test, live: accounts.live } };
  }
}

function personOf(
  user: Document<UserDocument> | null,
  merchant: Document<MerchantDocument> | null,
  policy: Document<SessionPolicyDocument> | null,
): MerchantPerson {
  if (user === null || merchant === null) throw refuse('session_revoked');
  const { merchant_id: merchantId, email, name, role, status, passkeys, ...enrolled } = user.body;
  return {
    ...{ userId: user.id, merchantId, email, name, role, passkeys },
    merchantName: merchant.body.name,
    isActive: status === 'active',
    isAccountDisabled: merchant.body.status === 'disabled',
    passwordHash: enrolled.password_hash,
    totpSecretSealed: enrolled.totp_secret_sealed,
    totpEnrolledAt: enrolled.totp_enrolled_at,
    recoveryCodesLeft: enrolled.recovery_codes_left,
    policy: policy?.body ?? DEFAULT_SESSION_POLICY,
  };
}
