import { Transform } from 'class-transformer';
import { ValidateBy, type ValidationOptions } from 'class-validator';
import { characterCount } from '../../kernel/characters';
import type { ErrorCode } from '../../kernel/errors';

/** The code of a failed rule, or how it follows from the value that failed. */
export type RuleCode = ErrorCode | ((value: unknown) => ErrorCode);

/**
 * Names the catalogue code of a failed rule: `@Matches(/^[A-Z]{3}$/, failsAs('invalid_currency'))`; without it,
 * `parameter_invalid`.
 */
export function failsAs(code: RuleCode): ValidationOptions {
  return { context: { code } };
}

const DIGITS = /^\d+$/;
/** As `IsMinorUnits` takes a string. */
export const MINOR_UNITS_PATTERN = '^0*[1-9]\\d{0,29}$';
const POSITIVE_UP_TO_30_DIGITS = /^[1-9]\d{0,29}$/;

/**
 * An amount in minor units: a JSON integer of 1 to 9,007,199,254,740,991, or a string of at most 30 digits. The field
 * holds the amount as a string of digits. An amount of zero or less fails as amount_too_small, and one of more than 30
 * digits as amount_too_large. Any other fault fails as invalid_amount.
 */
export function IsMinorUnits(): PropertyDecorator {
  const rule = {
    name: 'isMinorUnits',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && POSITIVE_UP_TO_30_DIGITS.test(value),
      defaultMessage: () => '$property must be integer minor units, as an integer or a string of digits',
    },
  };
  const decorators = [
    ValidateBy(rule, failsAs(amountCode)),
    Transform(({ value }: { value: unknown }) => asDigits(value)),
  ];
  return (target, property) => decorators.forEach(decorate => decorate(target, property as string));
}

function asDigits(value: unknown): unknown {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return String(value);
  if (typeof value === 'string' && DIGITS.test(value)) return value.replace(/^0+/, '') || '0';
  return value;
}

function amountCode(value: unknown): ErrorCode {
  if (value === '0' || (typeof value === 'number' && value <= 0)) return 'amount_too_small';
  return typeof value === 'string' && DIGITS.test(value) ? 'amount_too_large' : 'invalid_amount';
}

/** A JSON integer of `min` to `max`, written without fraction or exponent. */
export function IsWholeNumber(
  min: number,
  max: number,
  options: ValidationOptions = failsAs('parameter_invalid_integer'),
): PropertyDecorator {
  const rule = {
    name: 'isWholeNumber',
    validator: {
      validate: (value: unknown) => Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max,
      defaultMessage: () => `$property must be an integer from ${min} to ${max}`,
    },
  };
  return ValidateBy(rule, options);
}

/** A text of at most so many Unicode characters. The rule that the library has counts some of two as one. */
export function MaxCharacters(max: number, options?: ValidationOptions): PropertyDecorator {
  const rule = {
    name: 'maxCharacters',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && characterCount(value) <= max,
      defaultMessage: () => `$property must have at most ${max} characters`,
    },
  };
  return ValidateBy(rule, options);
}
