import type { ApiVersion } from './api-versions';
import type { CustomerLanguage } from './customer-languages';
import type { TokenId } from './tokens';

/** The merchant's looks for customers; null for a field that is not set. `color` is `#rrggbb`. */
export type Brand = { readonly name: string | null; readonly color: string | null; readonly logo_url: string | null };

/** The settings of a merchant in one mode. */
export type SettingsFacts = {
  /** Whole basis points of the amount due, 0 to 100, by which a payment may be short and still confirm. */
  readonly payment_tolerance_bps: number;
  readonly enabled_tokens: readonly TokenId[];
  readonly brand: Brand;
  /** The page for customers after checkout where the payment names none; null: no page. */
  readonly default_success_url: string | null;
  /** The version that the account is served where a request names none. */
  readonly api_version: ApiVersion;
  /** Whether a customer may start a payment anew at checkout that ended without money. */
  readonly checkout_restart: boolean;
  /** The text before the number of each invoice that is drafted from now on. */
  readonly invoice_prefix: string;
  /** Days after the due date of an invoice on which its customer is reminded; below zero, before it. Ascending. */
  readonly reminders: readonly number[];
  /** The zone of the IANA database in which customers read dates. */
  readonly time_zone: string;
  /** The language of mails about invoices that name none. */
  readonly customer_language: CustomerLanguage;
};
