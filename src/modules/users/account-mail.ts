import type { AdminRole } from '../../vocabulary/admin-roles';
import type { UserRole } from '../../vocabulary/roles';

/** A mail to a person, by its kind. A token stands in the mail's link alone. */
export type AccountLetter =
  | { readonly kind: 'sign_up_link'; readonly token: string; readonly expiresAt: string }
  | { readonly kind: 'account_exists' }
  | { readonly kind: 'reset_link' | 'admin_reset_link'; readonly token: string; readonly expiresAt: string }
  | {
      readonly kind: 'admin_invitation';
      readonly role: AdminRole;
      readonly token: string;
      readonly expiresAt: string;
    }
  | {
      readonly kind: 'invitation';
      readonly merchantId: string;
      readonly role: UserRole;
      readonly token: string;
      readonly expiresAt: string;
    };

/** Mail to people about their accounts. The composition root provides it. */
export interface AccountMail {
  /** Puts the letter once for each id, however often it is called. */
  put(id: string, to: string, letter: AccountLetter): Promise<void>;
}

export const ACCOUNT_MAIL = Symbol('AccountMail');
