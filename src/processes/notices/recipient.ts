import { invariant } from '../../kernel/invariant';
import type { ReadModels } from '../../kernel/ports/read-models';
import { merchantsReadModel } from '../../modules/merchants/merchants.read-model';

/** The address of a merchant's e-mail. */
export async function recipientOf(readModels: ReadModels, merchantId: string | null): Promise<string> {
  invariant(merchantId !== null, 'a notice is for a merchant');
  const merchant = await readModels.get(merchantsReadModel, 'platform', merchantId);
  invariant(merchant, `${merchantId} is no merchant`);
  return merchant.body.email;
}
