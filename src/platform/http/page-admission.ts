import type { Permission } from '../../vocabulary/roles';
import type { Universe } from '../../vocabulary/modes';
import type { ApiRequest } from './caller';

export const PAGE_RULE = Symbol('page rule');

/** The demands of a page, or of a page's form, on the session of its reader. */
export type PageRule = {
  /** The stages of a session that may open the page. */
  readonly stages: readonly string[];
  /** Null: every role may. */
  readonly permission: Permission | null;
  /** The route takes a form, which carries the session's token. */
  readonly isForm: boolean;
  /** The action that asks for a fresh one-time code; null where none is asked for. */
  readonly highRisk: string | null;
};

/** The subject and the account to which a person's requests are charged. */
export type Reader = { readonly keyId: string; readonly merchantId: string; readonly mode: Universe };

/** Lets people into pages by the session of their cookie. */
export interface PageAdmission {
  /** Throws Detour where nobody is signed in, and the session's refusal where a script asks. */
  admit(request: ApiRequest, rule: PageRule): Promise<Reader>;
  /** Throws Refusal permission_denied. */
  permit(request: ApiRequest, rule: PageRule): void;
  /** Takes the token off the form. Throws Refusal permission_denied for a form without the session's own one. */
  checkToken(request: ApiRequest): Promise<void>;
}
