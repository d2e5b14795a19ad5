import { isNetworkId } from '../../../src/vocabulary/networks';
import { spoken } from '../../parts/status-badge';
import type { Option } from '../../parts/fields';
import { networkName } from '../../words/chain-names';

/** Labels of fields whose names say too little to people. */
const LABELS: Readonly<Record<string, string>> = {
  payment_intent: 'Payment',
  merchant_id: 'Merchant',
  fee_bps: 'Fee, in basis points',
  payment_ceiling_usd: 'Greatest payment, in dollar cents',
  window_ms: 'Window, in milliseconds',
  timeout_ms: 'Time, in milliseconds',
  max_amount_usd: 'Greatest sum, in dollar cents',
  max_count: 'Greatest number',
  blocked_countries: 'Blocked countries',
  tx_hash: 'Transaction hash',
  list_source: 'Source of the list',
  email: 'E-mail address',
  memo: 'Memo',
};

export function fieldLabel(name: string): string {
  return LABELS[name] ?? spoken(name);
}

export function fieldOptions(values: readonly string[], isOptional: boolean): readonly Option[] {
  const options = values.map(value => ({ value, text: isNetworkId(value) ? networkName(value) : spoken(value) }));
  return isOptional ? [{ value: '', text: 'None' }, ...options] : options;
}
