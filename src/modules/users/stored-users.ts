import { isId } from '../../vocabulary/ids';
import type { Document } from '../../kernel/ports/documents';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { EnrolledUser, EnrolledUsers } from './totp-verifier';
import { usersReadModel, type UserDocument } from './users.read-model';

const ONE_AND_ANOTHER = 2;

/** Every user has enrolled: a user is registered with a secret. */
export class StoredUsers implements EnrolledUsers {
  constructor(private readonly readModels: ReadModels) {}

  async find(userId: string): Promise<EnrolledUser | null> {
    const user = isId('usr', userId) ? await this.readModels.get(usersReadModel, 'platform', userId) : null;
    return user && enrolled(user);
  }

  async ofMerchant(merchantId: string): Promise<readonly EnrolledUser[]> {
    const query = { index: 'by_merchant', equals: { merchant_id: merchantId }, limit: ONE_AND_ANOTHER };
    return (await this.readModels.list(usersReadModel, query)).map(enrolled);
  }
}

function enrolled({ id, body }: Document<UserDocument>): EnrolledUser {
  return { userId: id, merchantId: body.merchant_id, totpSecretSealed: body.totp_secret_sealed };
}
