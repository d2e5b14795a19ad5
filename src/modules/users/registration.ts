import { characterCount, UNFIT_IN_NAME } from '../../vocabulary/characters';
import { refuse } from '../../vocabulary/errors';
import { derivedId } from '../../vocabulary/ids';

export const MAX_NAME_LENGTH = 100;
/** RFC 5321's longest path, without its angle brackets. */
export const MAX_EMAIL_LENGTH = 254;

const MAX_LOCAL_CHARACTERS = 64;
const MAX_LABEL_LENGTH = 63;

/** Invisible characters are refused: two addresses that look alike would be two users. */
const LOCAL_PART = /^[^\s\p{Cc}\p{Cf}\p{Cs}@"(),:;<>[\]\\]+$/u;
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
const TOP_LABEL = /^[a-z][a-z0-9-]*[a-z0-9]$/;

/** The name without outer white space. Throws Refusal parameter_missing or parameter_invalid. */
export function checkedName(name: string, param = 'name'): string {
  const trimmed = name.trim();
  if (trimmed === '') throw refuse('parameter_missing', { param });
  if (characterCount(trimmed) > MAX_NAME_LENGTH || UNFIT_IN_NAME.test(trimmed)) {
    const message = `A name has at most ${MAX_NAME_LENGTH} characters and no control characters.`;
    throw refuse('parameter_invalid', { param, message });
  }
  return trimmed;
}

/**
 * The address in lower case and composed, which is the form for comparisons. Throws Refusal parameter_missing or
 * parameter_invalid.
 */
export function checkedEmail(email: string, param = 'email'): string {
  const address = email.trim().toLowerCase().normalize('NFC');
  if (address === '') throw refuse('parameter_missing', { param });
  if (characterCount(address) > MAX_EMAIL_LENGTH || !isEmail(address)) {
    throw refuse('parameter_invalid', { param, message: 'This is not an e-mail address.' });
  }
  return address;
}

/**
 * An e-mail address belongs to one user of the whole service: the id follows from it, so the user's own stream decides
 * a race.
 */
export function userIdOfEmail(email: string): string {
  return derivedId('usr', ['email', email.toLowerCase()]);
}

function isEmail(address: string): boolean {
  const [local = '', domain = '', ...rest] = address.split('@');
  const labels = domain.split('.');
  return (
    rest.length === 0 &&
    LOCAL_PART.test(local) &&
    characterCount(local) <= MAX_LOCAL_CHARACTERS &&
    labels.length > 1 &&
    labels.every(label => LABEL.test(label) && label.length <= MAX_LABEL_LENGTH) &&
    TOP_LABEL.test(labels.at(-1) as string)
  );
}
