import { isLosslessNumber } from 'lossless-json';
import { z } from 'zod';

/** The digits of a JSON number as they stand in the answer, of what `parse` of lossless-json read. */
export const numberText = z
  .custom<{ readonly value: string }>(isLosslessNumber, 'not a number')
  .transform(each => each.value);
