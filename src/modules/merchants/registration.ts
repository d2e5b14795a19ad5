import { refuse } from '../../kernel/errors';

export const MAX_NAME_LENGTH = 100;
/** RFC 5321's longest path, without its angle brackets. */
export const MAX_EMAIL_LENGTH = 254;

/** Nothing that cannot be seen: two addresses that look alike would be two users. */
const EMAIL_PATTERN =
  /^[^\s\p{Cc}\p{Cf}\p{Cs}@"(),:;<>[\]\\]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/u;

/** The name without outer white space. Throws Refusal parameter_missing or parameter_invalid. */
export function checkedName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '') throw refuse('parameter_missing', { param: 'name' });
  if (trimmed.length > MAX_NAME_LENGTH || /\p{Cc}/u.test(trimmed)) {
    const message = `A name has at most ${MAX_NAME_LENGTH} characters and no control characters.`;
    throw refuse('parameter_invalid', { param: 'name', message });
  }
  return trimmed;
}

/** The address in lower case and composed: it is compared so. Throws Refusal parameter_missing or parameter_invalid. */
export function checkedEmail(email: string): string {
  const address = email.trim().toLowerCase().normalize('NFC');
  if (address === '') throw refuse('parameter_missing', { param: 'email' });
  if (address.length > MAX_EMAIL_LENGTH || !EMAIL_PATTERN.test(address)) {
    throw refuse('parameter_invalid', { param: 'email', message: 'This is not an e-mail address.' });
  }
  return address;
}
