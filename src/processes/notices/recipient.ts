import { everyDocument } from '../../kernel/every-document';
import { invariant } from '../../kernel/invariant';
import type { Document } from '../../kernel/ports/documents';
import type { MailName } from '../../modules/outbox/mail-kinds';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { WritePath } from '../../kernel/write-path';
import { adminsReadModel, type AdminDocument } from '../../modules/admins/admins.read-model';
import { merchantsReadModel } from '../../modules/merchants/merchants.read-model';
import { notifications, optionalKind } from '../../modules/outbox/notifications.decider';
import { usersReadModel, type UserDocument } from '../../modules/users/users.read-model';
import type { Universe } from '../../vocabulary/modes';
import { realmOf } from '../../vocabulary/realms';

const PAGE = 100;

/** The address of a merchant's e-mail. */
export async function recipientOf(readModels: ReadModels, merchantId: string | null): Promise<string> {
  invariant(merchantId !== null, 'a notice is for a merchant');
  const merchant = await readModels.get(merchantsReadModel, 'platform', merchantId);
  invariant(merchant, `${merchantId} is no merchant`);
  return merchant.body.email;
}

/** Whether the merchant does without such mail. Nothing is read for a kind that is always sent. */
export async function isMuted(
  writes: Pick<WritePath, 'load'>,
  mode: Universe,
  merchantId: string | null,
  kind: MailName,
): Promise<boolean> {
  const word = optionalKind(kind);
  if (word === null || merchantId === null) return false;
  return (await writes.load(notifications, mode, merchantId)).state.includes(word);
}

/** The active owners of the merchant beside the user, as the read model has them. */
export async function otherOwnersOf(
  readModels: ReadModels,
  merchantId: string,
  userId: string,
): Promise<readonly Document<UserDocument>[]> {
  const owners: Document<UserDocument>[] = [];
  const query = { index: 'by_merchant', equals: { merchant_id: merchantId }, limit: PAGE };
  for await (const person of everyDocument(readModels, usersReadModel, query)) {
    const { role, status } = person.body;
    if (person.id !== userId && role === 'owner' && status === 'active') owners.push(person);
  }
  return owners;
}

/** The active owners among the administrators, beside this one. */
export async function otherAdminOwners(
  readModels: ReadModels,
  adminId: string,
): Promise<readonly Document<AdminDocument>[]> {
  const owners: Document<AdminDocument>[] = [];
  const query = { index: 'by_role', equals: { role: 'owner' }, limit: PAGE };
  for await (const owner of everyDocument(readModels, adminsReadModel, query))
    if (owner.id !== adminId && owner.body.status === 'active') owners.push(owner);
  return owners;
}

/** The address of a person's e-mail. */
export async function addressOf(readModels: ReadModels, userId: string): Promise<string> {
  const person = await (realmOf(userId) === 'admin'
    ? readModels.get(adminsReadModel, 'platform', userId)
    : readModels.get(usersReadModel, 'platform', userId));
  invariant(person, `${userId} is nobody`);
  return person.body.email;
}
