import type { AccountContext, MerchantContext } from '../../src/kernel/command-context';
import type { SignedIn } from '../../src/modules/sessions/signed-in';
import type { Mode } from '../../src/vocabulary/modes';
import type { AccountState } from '../parts/dashboard-context';
import type { FormCommand } from './form-work';

/** The person of a request, in the mode of its path; pages above the modes have the one to work in first. */
export type Person = SignedIn & {
  readonly mode: Mode;
  /** Milliseconds by the merchant's clock of the mode. */
  readonly nowMs: number;
  /** The merchant's, as IANA names it. */
  readonly timeZone: string;
  readonly account: AccountState;
  /** The facts for a command in the mode. */
  readonly contextOf: (command: FormCommand) => MerchantContext;
  /** The facts for a command above the modes, such as one about users. */
  readonly accountContextOf: (command: FormCommand) => AccountContext;
};
