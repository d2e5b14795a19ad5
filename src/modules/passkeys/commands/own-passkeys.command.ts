import { Command } from '@nestjs/cqrs';
import type { PersonContext } from '../../../kernel/command-context';

/** Throws Refusal passkey_malformed, passkey_rejected, passkey_already_registered or too_many_passkeys. */
export class RegisterPasskey extends Command<{ readonly id: string }> {
  constructor(
    readonly userId: string,
    /** The browser's answer, as JSON. */
    readonly credential: unknown,
    readonly name: string,
    readonly context: PersonContext,
  ) {
    super();
  }
}

/** Throws Refusal unknown_passkey. */
export class RemovePasskey extends Command<void> {
  constructor(
    readonly userId: string,
    readonly passkeyId: string,
    readonly context: PersonContext,
  ) {
    super();
  }
}
