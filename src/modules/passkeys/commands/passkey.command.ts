import { Command } from '@nestjs/cqrs';
import type { AccountContext } from '../../../kernel/command-context';
import type { JsonObject } from '../../../vocabulary/json';

/**
 * The options of a ceremony, as the browser takes them. `userId` is null for a sign-in. Throws Refusal
 * passkeys_not_configured or passkey_challenges_full.
 */
export class OfferPasskey extends Command<JsonObject> {
  constructor(
    readonly purpose: 'register' | 'sign_in',
    readonly userId: string | null,
  ) {
    super();
  }
}

/** Throws Refusal passkey_malformed, passkey_rejected, passkey_already_registered or too_many_passkeys. */
export class RegisterPasskey extends Command<{ readonly id: string }> {
  constructor(
    readonly userId: string,
    /** The browser's answer, as JSON. */
    readonly credential: unknown,
    readonly name: string,
    readonly context: AccountContext,
  ) {
    super();
  }
}

/** Throws Refusal unknown_passkey. */
export class RemovePasskey extends Command<void> {
  constructor(
    readonly userId: string,
    readonly passkeyId: string,
    readonly context: AccountContext,
  ) {
    super();
  }
}
