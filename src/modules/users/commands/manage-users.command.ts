import { Command } from '@nestjs/cqrs';
import type { AccountContext } from '../../../kernel/command-context';

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

export class EnableUser extends Command<void> {
  constructor(
    readonly userId: string,
    readonly context: AccountContext,
  ) {
    super();
  }
}
