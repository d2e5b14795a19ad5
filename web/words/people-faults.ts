import { ERROR_CATALOGUE, type ErrorCode } from '../../src/vocabulary/error-catalogue';
import { isRefusal, refuse, type Refusal } from '../../src/vocabulary/errors';
import { plural } from './plural';

/** Sentences for people, where the catalogue speaks to programs. */
const SENTENCES: Partial<Readonly<Record<ErrorCode, string>>> = {
  invalid_credentials: 'E-mail address and password do not fit together.',
  invalid_password: 'This is not your present password.',
  account_disabled: 'This account is disabled. Contact support.',
  mfa_required: 'Type the six digits that your authenticator shows now.',
  mfa_proof_invalid: 'This code is wrong, or was used before. Wait for the next one.',
  invalid_tolerance: 'The tolerance goes from 0 to 1 percent.',
  parameter_missing: 'Fill in this field.',
  idempotency_key_reuse: 'This form was sent before. Look at what it did, then send it again.',
  idempotency_response_unavailable:
    'This was done by an earlier click, and its secret is not shown again. If it was not kept, make another.',
  passkey_malformed: 'Your browser has answered with something else than a passkey.',
  passkey_rejected: 'This passkey cannot be used here. Use another one, or another way to sign in.',
  passkey_already_registered: 'This passkey has been added before.',
  too_many_passkeys: 'You have as many passkeys as there may be. Remove one first.',
  passkeys_not_configured: 'There are no passkeys under this address. Use your password.',
  passkey_challenges_full: 'Too many people use their passkeys at this moment. Try again in some seconds.',
  resource_missing: 'There is no such object.',
  permission_denied: 'Your role does not permit this.',
  request_too_large: 'This is longer than can be taken.',
  provider_unavailable: 'Something that this needs does not answer. Try again in a moment.',
  internal_error: 'Something went wrong. Try again in a moment.',
};
const SERVER_FAULT = 500;
/** A wait is told in the largest unit of which it has two or more. */
const UNITS = [
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** A refusal in words for the person whose form it answers. */
export function peopleFault({ code, message, retryAfterSeconds }: Refusal): string {
  const { status, title } = ERROR_CATALOGUE[code];
  if (code === 'rate_limit') return `Too many tries. Wait ${waitOf(retryAfterSeconds)}, then try again.`;
  if (code === 'parameter_missing' || message === title) return SENTENCES[code] ?? title;
  return status >= SERVER_FAULT ? (SENTENCES[code] ?? title) : message;
}

/** Refuses as `work` does, in words for people: a script shows the message of its answer. */
export async function inPeoplesWords<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { code, param, detail, retryAfterSeconds } = error;
    throw refuse(code, {
      ...{ message: peopleFault(error), cause: error },
      ...(param !== null && { param }),
      ...(detail !== null && { detail }),
      ...(retryAfterSeconds !== null && { retryAfterSeconds }),
    });
  }
}

function waitOf(seconds: number | null): string {
  if (seconds === null) return 'a moment';
  const [unit, length] = UNITS.find(([, each]) => seconds >= 2 * each) ?? (['second', 1] as const);
  return plural(Math.ceil(seconds / length), unit);
}
