import { createHmac, hash } from 'node:crypto';
import type { Entropy } from '../../kernel/entropy';
import type { SecretBox } from '../../kernel/ports/secret-box';

const SECRET_BYTES = 32;
const SECRET_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/** The text of a cookie: 256 random bits. Throws Refusal rng_failure. */
export function newSessionSecret(entropy: Entropy): string {
  return Buffer.from(entropy.bytes(SECRET_BYTES)).toString('base64url');
}

/** The id of a secret's document, which is the one trace of the secret; null for a text that is no secret. */
export function documentIdOf(secret: string): string | null {
  return SECRET_PATTERN.test(secret) ? hash('sha256', secret, 'hex') : null;
}

/** A form that a browser may send twice, with the session's secret that it was sent under. */
export type RepeatedForm = { readonly secret: string; readonly formId: string };

/** Makes the secrets that take the place of former ones. */
export class SessionSecrets {
  constructor(
    private readonly secretBox: Pick<SecretBox, 'deriveKey'>,
    private readonly entropy: Entropy,
  ) {}

  /**
   * A random secret; by a form, the one that follows from the former secret, the form's id and the service's key. So
   * the same form that is sent again finds it. Throws Refusal rng_failure.
   */
  async next(form: RepeatedForm | null): Promise<string> {
    if (form === null) return newSessionSecret(this.entropy);
    // Texts of proofs follow from bare command ids, so a text of another form is never one of theirs.
    const key = await this.secretBox.deriveKey('mfa proofs');
    return createHmac('sha256', key).update(`session secret\n${form.secret}\n${form.formId}`).digest('base64url');
  }
}
