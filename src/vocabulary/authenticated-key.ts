import type { ClockStanding } from './clock-standing';
import type { KeyKind } from './key-kinds';
import type { MethodTerms } from './method-terms';
import type { Mode } from './modes';
import type { PaymentLimits } from './payment-limits';
import type { Permission } from './roles';
import type { Scope } from './scopes';
import type { SettingsFacts } from './settings-facts';

/** A key whose text a request carries, with its account's facts as of this request. */
export type AuthenticatedKey = {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly keyId: string;
  readonly kind: KeyKind;
  readonly scopes: readonly Scope[];
  /** The permissions that the key lacks, whatever its scopes. */
  readonly withheld: readonly Permission[];
  /** The account's settings in the mode. */
  readonly settings: SettingsFacts;
  /** The limits on the account's new payments. */
  readonly limits: PaymentLimits;
  /** The account's terms for a choice of method; null where the request does not ask for them. */
  readonly methodTerms: MethodTerms | null;
  /** The account takes no new payments in this mode. */
  readonly isPaused: boolean;
  /** The account makes nothing new, and can be read. */
  readonly isClosed: boolean;
  /** ISO-8601 UTC by the clock of the key's mode; null for a key without an end. */
  readonly expiresAt: string | null;
  /** The clock of the key's mode and merchant. */
  readonly clock: ClockStanding;
  /** The time by that clock. */
  readonly nowMs: number;
};
