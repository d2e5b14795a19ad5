import type { AccountContext, MerchantContext, PersonContext } from '../../src/kernel/command-context';
import type { AccountWithMethods } from '../../src/modules/merchants/read-account';
import type { SignedIn, SignedInFacts } from '../../src/modules/sessions/signed-in-session';
import type { Mode } from '../../src/vocabulary/modes';
import type { AccountState } from '../parts/dashboard-context';
import type { FormCommand } from './form-work';

/** A person of either realm who is signed in. */
export type SignedInPerson<Context extends PersonContext = PersonContext> = SignedInFacts & {
  /** Milliseconds by the clock that counts for the person's pages. */
  readonly nowMs: number;
  /** As IANA names it. */
  readonly timeZone: string;
  /** The facts for a command above the modes, such as one about the person's own account. */
  readonly accountContextOf: (command: FormCommand) => Context;
};

/** The person of a request, in the mode of its path; pages above the modes have the one to work in first. */
export type Person = SignedIn &
  SignedInPerson<AccountContext> & {
    readonly mode: Mode;
    readonly account: AccountState;
    /** The account with its settings and methods of the mode, as of this request. */
    readonly facts: AccountWithMethods;
    /** The facts for a command in the mode. */
    readonly contextOf: (command: FormCommand) => MerchantContext;
  };
