import type { ValidationOptions } from 'class-validator';
import type { ErrorCode } from '../../kernel/errors';

/** Names the catalogue code of a failed rule: `@Matches(/^[A-Z]{3}$/, failsAs('invalid_currency'))`; without it, `parameter_invalid`. */
export function failsAs(code: ErrorCode): ValidationOptions {
  return { context: { code } };
}
