import { Transform } from 'class-transformer';
import type { ErrorCode } from '../../../vocabulary/errors';
import { METADATA_LIMITS } from '../openapi-schema';
import type { Presence } from './body-schema';
import { documented, field, type FieldDecorator, type FieldTerms, type Rule, type Taken } from './field';
import { isObject } from './part-fields';

const DIGITS = /^\d+$/;
const POSITIVE_UP_TO_30_DIGITS = /^[1-9]\d{0,29}$/;
/** Leading zeros are allowed and are no part of the amount. */
const MINOR_UNITS = '^0*[1-9]\\d{0,29}$';

const AMOUNT_CODES = ['invalid_amount', 'amount_too_small', 'amount_too_large', 'parameter_invalid_integer'] as const;
type AmountCode = (typeof AMOUNT_CODES)[number];

const ALLOWED: Readonly<Record<AmountCode, string>> = {
  invalid_amount: 'must be whole minor units, as an integer or a string of digits',
  amount_too_small: 'must be at least 1 minor unit',
  amount_too_large: 'must have at most 30 digits',
  parameter_invalid_integer: `must be a string of digits where it is above ${Number.MAX_SAFE_INTEGER}`,
};

/**
 * An amount in minor units: a JSON integer of 1 to 9,007,199,254,740,991, or a string of at most 30 digits. The field
 * holds the amount as a string of digits. An amount of zero or less fails as amount_too_small, and one of more than 30
 * digits as amount_too_large. A greater JSON integer fails as parameter_invalid_integer: programs round it unseen. Any
 * other fault fails as invalid_amount.
 */
export function Amount<const Given extends Presence = 'required'>(
  description: string,
  example: string,
  { presence }: { readonly presence?: Given } = {},
): FieldDecorator<Taken<string, Given>> {
  const forms = [
    { type: 'string', pattern: MINOR_UNITS },
    { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  ];
  const rule: Rule = {
    name: 'isMinorUnits',
    says: value => ALLOWED[amountCode(value)],
    holds: value => typeof value === 'string' && POSITIVE_UP_TO_30_DIGITS.test(value),
    code: { among: AMOUNT_CODES, of: amountCode },
  };
  return field({
    schema: documented({ oneOf: forms }, { description, example }),
    rules: [rule],
    presence,
    besides: [Transform(({ value }: { value: unknown }) => asDigits(value))],
  });
}

const UP_TO_30_DIGITS = /^\d{1,30}$/;

/** Minor units from zero on: a JSON integer, or a string of digits. The field holds a string of digits. */
export function MinorUnits(code: ErrorCode, description: string, example: string): FieldDecorator<string> {
  const forms = [
    { type: 'string', pattern: UP_TO_30_DIGITS.source },
    { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  ];
  const rule: Rule = {
    name: 'isMinorUnitsFromZero',
    says: 'must be whole minor units, as an integer or a string of at most 30 digits',
    holds: value => typeof value === 'string' && UP_TO_30_DIGITS.test(value),
    code,
  };
  return field({
    schema: documented({ oneOf: forms }, { description, example }),
    rules: [rule],
    besides: [Transform(({ value }: { value: unknown }) => (value === 0 ? '0' : asDigits(value)))],
  });
}

const SIGNED_UP_TO_30_DIGITS = /^-?[1-9]\d{0,29}$/;

/** An amount in minor units that may be below zero, as a string of digits. The command judges its size. */
export function SignedAmount(description: string, example: string): FieldDecorator<string> {
  const rule: Rule = {
    name: 'isSignedMinorUnits',
    says: 'must be whole minor units other than 0, as a string of digits with or without a minus sign',
    holds: value => typeof value === 'string' && SIGNED_UP_TO_30_DIGITS.test(value),
    code: 'invalid_amount',
  };
  const schema = { type: 'string', pattern: SIGNED_UP_TO_30_DIGITS.source };
  return field({ schema: documented(schema, { description, example }), rules: [rule] });
}

function asDigits(value: unknown): unknown {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return String(value);
  if (typeof value === 'string' && DIGITS.test(value)) return value.replace(/^0+/, '') || '0';
  return value;
}

function amountCode(value: unknown): AmountCode {
  if (value === Infinity) return 'parameter_invalid_integer';
  if (value === '0' || (typeof value === 'number' && value <= 0)) return 'amount_too_small';
  return typeof value === 'string' && DIGITS.test(value) ? 'amount_too_large' : 'invalid_amount';
}

type WholeTerms<Given extends Presence> = FieldTerms<Given> & { readonly min: number; readonly max: number };

/** A JSON integer of `min` to `max`, written without fraction or exponent. */
export function Whole<const Given extends Presence = 'required'>(
  terms: WholeTerms<Given>,
): FieldDecorator<Taken<number, Given>> {
  const { min, max, code = 'parameter_invalid_integer', presence } = terms;
  const rule: Rule = {
    name: 'isWholeNumber',
    says: `must be an integer from ${min} to ${max}`,
    holds: value => Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max,
    code,
  };
  const schema = documented({ type: 'integer', minimum: min, maximum: max }, terms);
  return field({ schema, rules: [rule], presence });
}

type FlagTerms<Given extends Presence> = Pick<FieldTerms<Given>, 'presence'> & {
  /** For the document alone: the command knows the value of a flag that is left out. */
  readonly byDefault?: boolean;
};

export function Flag<const Given extends Presence = 'required'>(
  description: string,
  { presence, byDefault }: FlagTerms<Given> = {},
): FieldDecorator<Taken<boolean, Given>> {
  const rule: Rule = { name: 'isFlag', says: 'must be true or false', holds: value => typeof value === 'boolean' };
  const schema = { type: 'boolean', ...(byDefault !== undefined && { default: byDefault }) };
  return field({ schema: documented(schema, { description }), rules: [rule], presence });
}

/** Short strings of the account's own. The body's check judges keys, values and sizes. */
export function Metadata(): FieldDecorator<Taken<Record<string, unknown>, 'nullable'>> {
  const schema = documented(
    { type: 'object', ...METADATA_LIMITS },
    {
      description: 'Up to 20 short strings of your own, given back on every read and delivery',
      example: { order: '42' },
    },
  );
  return field({ schema, rules: [isObject('invalid_metadata_value')], presence: 'nullable' });
}

/**
 * A field that the service derives by itself. A sender of the field has misread the API, so the refusal explains that.
 */
export function NotTaken(code: ErrorCode, says: string): FieldDecorator<undefined> {
  const rule: Rule = { name: 'isLeftOut', says, holds: value => value === undefined, code };
  return field({ schema: null, rules: [rule], presence: 'optional' });
}

/** An object whose members somebody else reads. */
export function AnyObject(code: ErrorCode): FieldDecorator<object> {
  return field({ schema: { type: 'object' }, rules: [isObject(code)] });
}
