import { isRefusal, refuse } from '../../src/vocabulary/errors';

/** Does work whose refusals name the API's fields. `fieldOf` answers the form's own field for one of them. */
export async function inOwnFields<Result>(
  fieldOf: (param: string) => string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isRefusal(error) || error.param === null) throw error;
    const { code, message, param, retryAfterSeconds } = error;
    const wait = retryAfterSeconds !== null && { retryAfterSeconds };
    throw refuse(code, { param: fieldOf(param), message, ...wait, cause: error });
  }
}
