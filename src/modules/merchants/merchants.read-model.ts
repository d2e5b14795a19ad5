import type { ApiVersion } from '../../vocabulary/api-versions';
import { parseIsoTime } from '../../kernel/clock';
import type { ReadModel } from '../../kernel/ports/read-models';
import type { Mode } from '../../vocabulary/modes';
import type { CustomerLanguage } from '../../vocabulary/customer-languages';
import type { TokenId } from '../../vocabulary/tokens';
import { groundsOf, type KillSwitchDocument } from '../kill-switches/kill-switches.read-model';
import type { Brand } from '../../vocabulary/settings-facts';

export type MerchantDocument = {
  readonly merchant_id: string;
  readonly mode: string;
  readonly name: string;
  readonly email: string;
  readonly status: 'active' | 'disabled' | 'closed';
  readonly disabled_reason: string | null;
  readonly closed_reason: string | null;
  readonly payment_tolerance_bps: number;
  readonly enabled_tokens: readonly TokenId[];
  readonly brand: Brand;
  readonly default_success_url: string | null;
  readonly api_version: ApiVersion;
  readonly checkout_restart: boolean;
  readonly fee_bps: number;
  readonly payment_ceiling_usd_minor_units: string;
  /** Of fee invoices that are not paid: the moments from which on live mode takes no new payments. */
  readonly pauses: readonly { readonly fee_invoice: string; readonly pauses_at: string }[];
  readonly invoice_prefix: string;
  readonly reminders: readonly number[];
  readonly time_zone: string;
  readonly customer_language: CustomerLanguage;
  readonly created: string;
};

export const merchantsReadModel: ReadModel<MerchantDocument> = {
  name: 'merchants',
  version: 8,
  indexes: { by_created: ['created', 'id'], by_status: ['status', 'created', 'id'] },
};

/** The documents that can stop new payments; a merchant that was never stopped has no switch. */
type PauseFacts = {
  readonly merchant: Pick<MerchantDocument, 'status' | 'pauses'>;
  readonly killSwitch: Pick<KillSwitchDocument, 'stops'> | null | undefined;
};

/** The reason why a mode takes no new payments. */
export type PauseReason = 'not_active' | 'kyb' | 'operator' | 'fee_invoice';

/**
 * The reason why the mode takes no new payments, whoever asks for one; null where it takes them. Test mode is never
 * paused for a fee invoice, since nobody is invoiced for it. A disabled or closed account has links and invoices that
 * customers still have open.
 */
export function pauseOf({ merchant, killSwitch }: PauseFacts, mode: Mode, nowMs: number): PauseReason | null {
  const { status, pauses } = merchant;
  if (status !== 'active') return 'not_active';
  const grounds = groundsOf(killSwitch, mode);
  // A merchant ends the one stop by itself, and an operator alone ends the other.
  if (grounds.includes('operator')) return 'operator';
  if (grounds.includes('kyb')) return 'kyb';
  const isUnpaid = mode === 'live' && pauses.some(({ pauses_at }) => parseIsoTime(pauses_at) <= nowMs);
  return isUnpaid ? 'fee_invoice' : null;
}

export function isPaused(facts: PauseFacts, mode: Mode, nowMs: number): boolean {
  return pauseOf(facts, mode, nowMs) !== null;
}
