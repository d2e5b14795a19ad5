import { isRefusal, refuse, type ErrorCode } from '../../src/vocabulary/errors';

type Words = Partial<Readonly<Record<ErrorCode, string>>>;

/** Refusals that the API tells in its own units. */
const OF_FORMS: Words = {
  invalid_timestamp: 'Choose a day of the calendar, such as 2027-01-31.',
  invalid_amount_range: 'The least amount must not be above the greatest one.',
};

/**
 * Does work whose refusals name the API's fields. `fieldOf` answers the form's own field for one of them, and `words`
 * has the sentences for people.
 */
export async function inOwnFields<Result>(
  fieldOf: (param: string) => string,
  work: () => Result | Promise<Result>,
  words: Words = {},
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isRefusal(error) || error.param === null) throw error;
    const { code, param, message, retryAfterSeconds } = error;
    const text = words[code] ?? OF_FORMS[code] ?? ofField(message, param);
    const wait = retryAfterSeconds !== null && { retryAfterSeconds };
    throw refuse(code, { param: fieldOf(param), message: text, ...wait, cause: error });
  }
}

/** A message that begins with the API's name of the field, which the form shows nowhere. */
function ofField(message: string, param: string): string {
  const own = param.split('.').at(-1) ?? param;
  return message.startsWith(`${own} `) ? `This field ${message.slice(own.length + 1)}` : message;
}
