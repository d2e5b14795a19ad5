import { Command } from '@nestjs/cqrs';
import type { PersonContext } from '../../../kernel/command-context';
import type { RealmName } from '../../../vocabulary/realms';
import type { OpenSession } from '../../sessions/session-authentication';
import type { TotpOffer } from '../totp-offer';
import type { OfferHolder } from '../totp-offers';

/**
 * Ends the user's other sessions. Throws Refusal invalid_password for the present password, rate_limit after many wrong
 * ones, or parameter_invalid for the new one.
 */
export class ChangePassword extends Command<void> {
  constructor(
    readonly open: OpenSession,
    readonly present: string,
    readonly wanted: string,
    readonly context: PersonContext,
  ) {
    super();
  }
}

/**
 * The secret that the user is about to enrol: the same one for ten minutes of the session. Throws Refusal
 * invalid_otpauth_label.
 */
export class OfferTotp extends Command<TotpOffer> {
  constructor(
    readonly holder: OfferHolder,
    /** The name of the account in the authenticator. */
    readonly label: string,
    readonly context: PersonContext,
    readonly realm: RealmName = 'merchant',
  ) {
    super();
  }
}

/**
 * Enrols the secret that was offered in the session, by its first code. The secret takes the place of the authenticator
 * that the user had at the offer, and of no later one. A first enrolment, and one after a recovery, answers ten new
 * recovery codes, which are shown once. Throws Refusal mfa_proof_invalid, invalid_totp_secret or rate_limit.
 */
export class EnrolTotp extends Command<{ readonly recoveryCodes: readonly string[] }> {
  constructor(
    readonly holder: OfferHolder,
    readonly code: string,
    readonly context: PersonContext,
    readonly realm: RealmName = 'merchant',
  ) {
    super();
  }
}

/** Ten new codes, shown once; the former ones end. */
export class MakeRecoveryCodes extends Command<{ readonly recoveryCodes: readonly string[] }> {
  constructor(
    readonly userId: string,
    readonly context: PersonContext,
    readonly realm: RealmName = 'merchant',
  ) {
    super();
  }
}

/** Uses up a recovery code, in place of a one-time code. Throws Refusal resource_missing or mfa_proof_invalid. */
export class UseRecoveryCode extends Command<void> {
  constructor(
    readonly userId: string,
    readonly recoveryCode: string,
    readonly context: PersonContext,
    readonly realm: RealmName = 'merchant',
  ) {
    super();
  }
}
