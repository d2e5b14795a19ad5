import { Command } from '@nestjs/cqrs';
import type { PlatformContext } from '../../../kernel/command-context';

type Context = PlatformContext<'platform'>;

/**
 * Makes an owner, who enrols an authenticator at the first sign-in. Throws Refusal parameter_invalid, or
 * second_approval_required once there are two owners.
 */
export class CreateAdmin extends Command<{ readonly adminId: string }> {
  constructor(
    readonly email: string,
    readonly password: string,
    readonly context: Context,
  ) {
    super();
  }
}

/** The first owner, from the variables of a start. The same variables again have no effect. */
export class BootstrapAdmin extends Command<{ readonly adminId: string }> {
  constructor(
    readonly email: string,
    readonly password: string,
    /** Base32, as an authenticator app takes it. */
    readonly totpSecret: string,
    readonly context: Context,
  ) {
    super();
  }
}

/** Mails an invitation to an address. Throws Refusal parameter_invalid or invalid_role. */
export class InviteAdmin extends Command<{ readonly adminId: string }> {
  constructor(
    readonly email: string,
    readonly role: string,
    readonly context: Context,
  ) {
    super();
  }
}

/** Takes the invitation of a mailed link. Throws Refusal parameter_missing or parameter_invalid. */
export class AcceptAdminInvitation extends Command<{ readonly adminId: string }> {
  constructor(
    readonly token: string,
    readonly name: string,
    readonly password: string,
    readonly context: Context,
  ) {
    super();
  }
}

/** Throws Refusal resource_missing, invalid_role, or invalid_state_transition for the last owner. */
export class GiveAdminRole extends Command<void> {
  constructor(
    readonly adminId: string,
    readonly role: string,
    readonly context: Context,
  ) {
    super();
  }
}

/** Ends the sessions at once. Throws Refusal resource_missing, or invalid_state_transition for the last owner. */
export class DisableAdmin extends Command<void> {
  constructor(
    readonly adminId: string,
    readonly reason: string,
    readonly context: Context,
  ) {
    super();
  }
}

/** Throws Refusal resource_missing. */
export class EnableAdmin extends Command<void> {
  constructor(
    readonly adminId: string,
    readonly reason: string,
    readonly context: Context,
  ) {
    super();
  }
}
