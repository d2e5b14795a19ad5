import { isRefusal } from '../../vocabulary/errors';
import { realmOf } from '../../vocabulary/realms';
import type { RefusedSignIns } from '../../modules/sessions/refused-sign-ins';
import type { OpenSession } from '../../modules/sessions/session-authentication';
import type { SignInFailures } from '../../modules/sessions/sign-in-failures';
import type { SignInRefusalReason } from '../../modules/sessions/sign-in-refusals.events';
import type { Client } from '../../modules/sessions/signed-in';

type Judging = {
  readonly open: OpenSession;
  readonly client: Client;
  readonly requestId: string;
  /** The reason of the refusal where the factor is wrong. */
  readonly reason: SignInRefusalReason;
};

/** Judges second factors under the limits of a sign-in. */
export class SecondFactors {
  constructor(
    private readonly failures: SignInFailures,
    private readonly refusals: RefusedSignIns,
  ) {}

  /**
   * Counts the try, judges the factor, and begins anew with the counts of the network where the factor is right. Throws
   * Refusal rate_limit, and the refusals of `judge`.
   */
  async judge({ open, client, requestId, reason }: Judging, judge: () => Promise<unknown>): Promise<void> {
    const { userId, merchantId, email } = open.person;
    const attempt = await this.failures.begin(userId, client);
    try {
      await judge();
    } catch (error) {
      if (!isRefusal(error, 'mfa_proof_invalid')) await this.failures.takeBack(attempt);
      else this.refusals.note({ realm: realmOf(userId), userId, merchantId, email, reason, client, requestId });
      throw error;
    }
    await this.failures.forget(attempt);
  }
}
