import type { AccessReader } from '../../kernel/access-reader';
import { refuse } from '../../vocabulary/errors';
import type { Mode } from '../../vocabulary/modes';
import type { SettingsFacts } from './merchant-settings.events';
import { settingsAsked, settingsOf } from './merchant-settings.read-model';
import type { MerchantDocument } from './merchants.read-model';

type Account = { readonly merchant: MerchantDocument; readonly settings: SettingsFacts };

/** An account at this moment, with its settings of the mode. Throws Refusal merchant_not_found. */
export async function readAccount(
  access: Pick<AccessReader, 'read'>,
  mode: Mode,
  merchantId: string,
): Promise<Account> {
  const [merchant, own] = await access.read(settingsAsked(mode, merchantId));
  if (!merchant) throw refuse('merchant_not_found');
  return { merchant: merchant.body, settings: settingsOf(merchant.body, own?.body) };
}
