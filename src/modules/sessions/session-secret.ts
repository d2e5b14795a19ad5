import { hash } from 'node:crypto';
import type { Entropy } from '../../kernel/entropy';

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
