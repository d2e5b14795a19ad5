import type { Document } from '../../kernel/ports/documents';
import type { ReadModels } from '../../kernel/ports/read-models';
import { refuse } from '../../vocabulary/errors';
import { derivedId } from '../../vocabulary/ids';
import { merchantsReadModel, type MerchantDocument } from '../merchants/merchants.read-model';
import { usersReadModel, type UserDocument } from '../users/users.read-model';
import { sessionPoliciesReadModel, type SessionPolicyDocument } from './session-policies.read-model';
import { DEFAULT_SESSION_POLICY } from './session-policy';
import type { SessionPolicyFacts } from './session-policy.events';

/** A user with the account and its policy, as of this moment. */
export type Person = {
  readonly userId: string;
  readonly user: UserDocument;
  readonly merchant: MerchantDocument;
  readonly policy: SessionPolicyFacts;
};

/** The documents of a person, for one reading. */
export function personAsked(userId: string, merchantId: string) {
  return [
    { readModel: usersReadModel, universe: 'platform', id: userId },
    { readModel: merchantsReadModel, universe: 'platform', id: merchantId },
    { readModel: sessionPoliciesReadModel, universe: 'platform', id: merchantId },
  ] as const;
}

/** Throws Refusal session_revoked for a user who is gone, which no user of today is. */
export function personOf(
  userId: string,
  user: Document<UserDocument> | null,
  merchant: Document<MerchantDocument> | null,
  policy: Document<SessionPolicyDocument> | null,
): Person {
  if (user === null || merchant === null) throw refuse('session_revoked');
  return { userId, user: user.body, merchant: merchant.body, policy: policy?.body ?? DEFAULT_SESSION_POLICY };
}

/** A merchant id that no merchant has: reading for an address without a user takes as long as for one with a user. */
const NO_MERCHANT = derivedId('mch', []);

/** Finds people before they are signed in. A stranger's question leaves no access document behind. */
export class StoredPeople {
  constructor(private readonly readModels: Pick<ReadModels, 'get'>) {}

  /** Null where there is no such user. */
  async find(userId: string): Promise<Person | null> {
    const user = await this.readModels.get(usersReadModel, 'platform', userId);
    const merchantId = user?.body.merchant_id ?? NO_MERCHANT;
    const [merchant, policy] = await Promise.all([
      this.readModels.get(merchantsReadModel, 'platform', merchantId),
      this.readModels.get(sessionPoliciesReadModel, 'platform', merchantId),
    ]);
    return user && personOf(userId, user, merchant, policy);
  }
}
