import { Command } from '@nestjs/cqrs';
import type { AccountContext, PersonContext } from '../../../kernel/command-context';

/** Mails an invitation to an address. Throws Refusal parameter_invalid, invalid_role or rate_limit. */
export class InviteUser extends Command<{ readonly userId: string }> {
  constructor(
    readonly email: string,
    readonly role: string,
    readonly context: AccountContext,
  ) {
    super();
  }
}

/**
 * Ends an invitation that nobody has taken, and the link of its mail. Throws Refusal resource_missing, or
 * invalid_state_transition for somebody who has joined.
 */
export class WithdrawInvitation extends Command<void> {
  constructor(
    readonly userId: string,
    readonly context: AccountContext,
  ) {
    super();
  }
}

/** Throws Refusal resource_missing, invalid_role, or invalid_state_transition for the last owner. */
export class ChangeRole extends Command<void> {
  constructor(
    readonly userId: string,
    readonly role: string,
    readonly context: AccountContext,
  ) {
    super();
  }
}

/**
 * Ends the user's sessions at once. Throws Refusal resource_missing, or invalid_state_transition for the last owner.
 */
export class DisableUser extends Command<void> {
  constructor(
    readonly userId: string,
    readonly context: AccountContext,
  ) {
    super();
  }
}

/**
 * Ends the authenticator, the recovery codes, the passkeys and the sessions of a person who has lost them. The next
 * sign-in by the password enrols anew. Throws Refusal resource_missing, invalid_reason, or invalid_state_transition for
 * somebody who is not active.
 */
export class ResetAuthenticator extends Command<void> {
  constructor(
    readonly userId: string,
    readonly reason: string,
    readonly context: PersonContext,
  ) {
    super();
  }
}

export class EnableUser extends Command<void> {
  constructor(
    readonly userId: string,
    readonly context: AccountContext,
  ) {
    super();
  }
}
