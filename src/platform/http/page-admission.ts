import type { AdminPermission } from '../../vocabulary/admin-roles';
import type { Permission } from '../../vocabulary/roles';
import type { Universe } from '../../vocabulary/modes';
import type { ApiRequest } from './caller';

export const PAGE_RULE = Symbol('page rule');

/** The realm whose people read a page, and the permission that they need; null: every role may. */
type PageReaders =
  | { readonly realm: 'merchant'; readonly permission: Permission | null }
  | { readonly realm: 'admin'; readonly permission: AdminPermission | null };

/** The demands of a page, or of a page's form, on the session of its reader. */
export type PageRule = PageReaders & {
  /** The stages of a session that may open the page. */
  readonly stages: readonly string[];
  /** The route takes a form, which carries the session's token. */
  readonly isForm: boolean;
  /** The action that asks for a fresh one-time code; null where none is asked for. */
  readonly highRisk: string | null;
};

/** The subject and the account to which a person's requests are charged. */
export type Reader = {
  readonly keyId: string;
  /** The account; an administrator is charged alone. */
  readonly merchantId: string;
  readonly mode: Universe;
};

/** Lets people into pages by the session of their cookie. */
export interface PageAdmission {
  /** Throws Detour where nobody is signed in, and the session's refusal where a script asks. */
  admit(request: ApiRequest, rule: PageRule): Promise<Reader>;
  /** Throws Refusal permission_denied, or merchant_closed for a form that would change a closed account. */
  permit(request: ApiRequest, rule: PageRule): void;
  /** Takes the token off the form. Throws Refusal permission_denied for a form without the session's own one. */
  checkToken(request: ApiRequest, rule: PageRule): Promise<void>;
}
