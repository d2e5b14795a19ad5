import type { AccountContext } from '../../kernel/command-context';

export type OpenedAccount = {
  readonly merchantId: string;
  readonly userId: string;
  readonly business: string;
  readonly email: string;
};

/**
 * A step that an account needs before its owner can act, such as a stream of its own. A step may be called again for
 * the same account, also by another command, and must then find its own work. The composition root provides the steps.
 */
export interface AccountOpening {
  open(account: OpenedAccount, context: AccountContext): Promise<void>;
}

export const ACCOUNT_OPENINGS = Symbol('AccountOpenings');
