import { invariant } from '../../kernel/invariant';
import type { ReadModels } from '../../kernel/ports/read-models';
import { merchantsReadModel } from '../../modules/merchants/merchants.read-model';
import { usersReadModel } from '../../modules/users/users.read-model';

/** The address of a merchant's e-mail. */
export async function recipientOf(readModels: ReadModels, merchantId: string | null): Promise<string> {
  invariant(merchantId !== null, 'a notice is for a merchant');
  const merchant = await readModels.get(merchantsReadModel, 'platform', merchantId);
  invariant(merchant, `${merchantId} is no merchant`);
  return merchant.body.email;
}

/** The address of a person's e-mail. */
export async function addressOf(readModels: ReadModels, userId: string): Promise<string> {
  const user = await readModels.get(usersReadModel, 'platform', userId);
  invariant(user, `${userId} is no user`);
  return user.body.email;
}
