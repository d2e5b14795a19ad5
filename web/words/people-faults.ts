import { ERROR_CATALOGUE, type ErrorCode } from '../../src/vocabulary/error-catalogue';
import type { Refusal } from '../../src/vocabulary/errors';

/** Sentences for people, where the catalogue speaks to programs. */
const SENTENCES: Partial<Readonly<Record<ErrorCode, string>>> = {
  invalid_credentials: 'E-mail address and password do not fit together.',
  mfa_required: 'Type the six digits that your authenticator shows now.',
  mfa_proof_invalid: 'This code is wrong, or was used before. Wait for the next one.',
  parameter_missing: 'Fill in this field.',
  idempotency_key_reuse: 'This form was sent before. Look at what it did, then send it again.',
  idempotency_response_unavailable: 'This was done by an earlier click, and its secret is not shown again.',
  resource_missing: 'There is no such object.',
  permission_denied: 'Your role does not permit this.',
  request_too_large: 'This is longer than can be taken.',
  provider_unavailable: 'Something that this needs does not answer. Try again in a moment.',
  internal_error: 'Something went wrong. Try again in a moment.',
};
const SERVER_FAULT = 500;

/** A refusal in words for the person whose form it answers. */
export function peopleFault({ code, message, retryAfterSeconds }: Refusal): string {
  const { status, title } = ERROR_CATALOGUE[code];
  if (code === 'rate_limit') return `Too many tries. Wait ${waitOf(retryAfterSeconds)}, then try again.`;
  if (code === 'parameter_missing' || message === title) return SENTENCES[code] ?? title;
  return status >= SERVER_FAULT ? (SENTENCES[code] ?? title) : message;
}

function waitOf(seconds: number | null): string {
  if (seconds === null) return 'a moment';
  return seconds === 1 ? 'a second' : `${seconds} seconds`;
}
