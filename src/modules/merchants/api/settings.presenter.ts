import type { MerchantDocument } from '../merchants.read-model';
import type { SettingsResource } from './settings.operations';


export function presentSettings(merchant: MerchantDocument): SettingsResource {
  const { payment_tolerance_bps, enabled_tokens, brand, default_success_url, api_version } = merchant;
  return { object: 'settings', payment_tolerance_bps, enabled_tokens, brand, default_success_url, api_version };
}
