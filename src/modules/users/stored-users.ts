import { isId } from '../../vocabulary/ids';
import type { Document } from '../../kernel/ports/documents';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { EnrolledUser, EnrolledUsers } from './totp-verifier';
import { usersReadModel, type UserDocument } from './users.read-model';

const ONE_AND_ANOTHER = 2;

/** The users who are active and have enrolled an authenticator. */
export class StoredUsers implements EnrolledUsers {
  constructor(private readonly readModels: ReadModels) {}

  async find(userId: string): Promise<EnrolledUser | null> {
    const user = isId('usr', userId) ? await this.readModels.get(usersReadModel, 'platform', userId) : null;
    return user && enrolled(user);
  }

  /** A list may be behind the log, so each user of it is read again. */
  async ofMerchant(merchantId: string): Promise<readonly EnrolledUser[]> {
    const equals = { merchant_id: merchantId, shows_codes: true };
    const listed = await this.readModels.list(usersReadModel, { index: 'by_codes', equals, limit: ONE_AND_ANOTHER });
    const users = await Promise.all(listed.map(({ id }) => this.find(id)));
    return users.filter(user => user?.merchantId === merchantId) as EnrolledUser[];
  }
}

function enrolled({ id, body }: Document<UserDocument>): EnrolledUser | null {
  const { merchant_id: merchantId, shows_codes, totp_secret_sealed: totpSecretSealed } = body;
  return shows_codes && totpSecretSealed !== null ? { userId: id, merchantId, totpSecretSealed } : null;
}
