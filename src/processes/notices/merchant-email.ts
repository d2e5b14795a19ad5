import { invariant } from '../../kernel/invariant';
import type { ReadModels } from '../../kernel/ports/read-models';
import { merchantsReadModel } from '../../modules/merchants/merchants.read-model';

/** The address to which a merchant's notices go. */
export async function merchantEmail(readModels: ReadModels, merchantId: string): Promise<string> {
  const merchant = await readModels.get(merchantsReadModel, 'platform', merchantId);
  invariant(merchant, `${merchantId} is no merchant`);
  return merchant.body.email;
}
