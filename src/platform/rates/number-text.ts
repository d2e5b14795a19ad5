import { isLosslessNumber } from 'lossless-json';
import { z } from 'zod';

/** The digits of a JSON number as they stand in the answer, after `parse` of lossless-json. */
export const numberText = z
  .custom<{ readonly value: string }>(isLosslessNumber, 'not a number')
  .transform(each => each.value);
