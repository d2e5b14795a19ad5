import { plainToInstance, type ClassConstructor } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { refuse, type Refusal } from '../../vocabulary/errors';
import type { JsonBody } from './body-json';
import type { RuleCode } from './fields/field';

const UNKNOWN_FIELD = 'whitelistValidation';
/** The library's own message about a part that is no object comes behind ours, which says it in plain words. */
const NOT_A_PART = 'nestedValidation';
const INDEX = /^\d+$/;

/** A class whose decorated properties are the fields of a body. */
export type BodyClass<Body extends object> = ClassConstructor<Body>;

/**
 * The body as an instance of its class. Throws the Refusal of the first rule that fails. Unknown fields come first,
 * then each field as declared, and of one field's rules the topmost.
 */
export function validateDto<Dto extends object>(type: BodyClass<Dto>, body: JsonBody): Dto {
  const dto = plainToInstance(type, body);
  const [first] = validateSync(dto, { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: false });
  if (first) throw refusalOf(first, '');
  return dto;
}

function refusalOf(error: ValidationError, parent: string): Refusal {
  const param = pathTo(error, parent);
  // Decorators run from the bottom up, so the topmost rule was registered last.
  const broken = Object.entries(error.constraints ?? {});
  const failed = broken.findLast(([rule]) => rule !== NOT_A_PART) ?? broken.at(-1);
  if (!failed) return refusalOf((error.children ?? [])[0] as ValidationError, param);
  const [rule, message] = failed;
  if (rule === UNKNOWN_FIELD) return refuse('parameter_invalid', { param, message: `Unknown field: ${param}.` });
  if (error.value === undefined) return refuse('parameter_missing', { param, message: `Missing field: ${param}.` });
  return refuse(codeOf(error, rule), { param, message: `${message}.` });
}

function pathTo({ property, target }: ValidationError, parent: string): string {
  if (Array.isArray(target) && INDEX.test(property)) return `${parent}[${property}]`;
  return parent === '' ? property : `${parent}.${property}`;
}

function codeOf(error: ValidationError, rule: string) {
  const context = error.contexts?.[rule] as { readonly code?: RuleCode } | undefined;
  const code = context?.code ?? 'parameter_invalid';
  return typeof code === 'string' ? code : code.of(error.value);
}
