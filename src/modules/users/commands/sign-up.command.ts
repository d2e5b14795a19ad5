import { Command } from '@nestjs/cqrs';
import type { RealmName } from '../../../vocabulary/realms';
import type { PlatformContext } from '../../../kernel/command-context';

/**
 * Sends a link to an address, by which an account is opened. An address that has an account gets a mail that says so:
 * the answer is the same. Throws Refusal parameter_missing or parameter_invalid, or permission_denied where sign-up is
 * closed.
 */
export class AskToSignUp extends Command<void> {
  constructor(
    readonly business: string,
    readonly name: string,
    readonly email: string,
    readonly context: PlatformContext<'platform'>,
  ) {
    super();
  }
}

/**
 * Opens the account of a mailed link, with its owner. Throws Refusal parameter_invalid, naming `token` or `password`.
 */
export class OpenAccount extends Command<{ readonly merchantId: string; readonly userId: string }> {
  constructor(
    readonly token: string,
    readonly password: string,
    readonly context: PlatformContext<'platform'>,
  ) {
    super();
  }
}

/** Mails a link for a new password. The answer is the same for an address without an account. */
export class AskForReset extends Command<void> {
  constructor(
    readonly email: string,
    readonly context: PlatformContext<'platform'>,
    readonly realm: RealmName = 'merchant',
  ) {
    super();
  }
}

/** Sets the password of a mailed link, and ends all sessions. Throws Refusal parameter_invalid. */
export class ResetPassword extends Command<void> {
  constructor(
    readonly token: string,
    readonly password: string,
    readonly context: PlatformContext<'platform'>,
    readonly realm: RealmName = 'merchant',
  ) {
    super();
  }
}

/** Takes the invitation of a mailed link. Throws Refusal parameter_missing or parameter_invalid. */
export class AcceptInvitation extends Command<{ readonly userId: string }> {
  constructor(
    readonly token: string,
    readonly name: string,
    readonly password: string,
    readonly context: PlatformContext<'platform'>,
  ) {
    super();
  }
}
