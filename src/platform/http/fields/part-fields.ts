import { Type, type ClassConstructor } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { bodySchema, type Presence } from './body-schema';
import { documented, field, type FieldDecorator, type FieldTerms, type Rule, type RuleCode, type Taken } from './field';

type TextListTerms<Given extends Presence> = FieldTerms<Given> & {
  /** The accepted texts. */
  readonly values: readonly string[];
  /** The greatest number of texts, repetitions counted. */
  readonly max: number;
  /** The command refuses other texts and an empty list, with codes of its own. */
  readonly judgedLater?: true;
};

/** A list of one text or more, each among the values. */
export function TextList<const Given extends Presence = 'required'>(
  terms: TextListTerms<Given>,
): FieldDecorator<Taken<string[], Given>> {
  const { values, max, code, judgedLater, presence } = terms;
  const schema = { type: 'array', items: { type: 'string', enum: values }, minItems: 1, maxItems: max };
  const each = judgedLater
    ? { says: 'must hold strings only', isTaken: (text: unknown) => typeof text === 'string' }
    : { says: `must hold only: ${values.join(', ')}`, isTaken: (text: unknown) => values.includes(text as string) };
  return field({
    schema: documented(schema, terms),
    rules: [
      isList(code),
      ...(judgedLater ? [] : [atLeast(1, code)]),
      atMost(max, code),
      listRule('eachIsTaken', each.says, code, list => list.every(each.isTaken)),
    ],
    presence,
  });
}

type WholeListTerms<Given extends Presence> = FieldTerms<Given> & {
  readonly min: number;
  readonly max: number;
  /** The greatest number of integers, repetitions counted. */
  readonly most: number;
};

/** A list of JSON integers of `min` to `max`, which may be empty. */
export function WholeList<const Given extends Presence = 'required'>(
  terms: WholeListTerms<Given>,
): FieldDecorator<Taken<number[], Given>> {
  const { min, max, most, code = 'parameter_invalid_integer', presence } = terms;
  const isWhole = (each: unknown) => Number.isSafeInteger(each) && (each as number) >= min && (each as number) <= max;
  const schema = { type: 'array', items: { type: 'integer', minimum: min, maximum: max }, maxItems: most };
  return field({
    schema: documented(schema, terms),
    rules: [
      isList(),
      atMost(most),
      listRule('eachIsWhole', `must hold integers from ${min} to ${max} only`, code, list => list.every(isWhole)),
    ],
    presence,
  });
}

/** An object within the body, with rules of its own. */
export function Part<Inner extends object, const Given extends Presence = 'required'>(
  type: ClassConstructor<Inner>,
  terms: Pick<FieldTerms<Given>, 'presence' | 'description'> = {},
): FieldDecorator<Taken<Inner, Given>> {
  return field({
    schema: documented({ allOf: [bodySchema(type)] }, terms),
    rules: [isObject()],
    presence: terms.presence,
    besides: [ValidateNested(), Type(() => type)],
  });
}

/** A list of one object or more, each with rules of its own. */
export function Parts<Inner extends object, const Given extends Presence = 'required'>(
  type: ClassConstructor<Inner>,
  { max, ...terms }: Pick<FieldTerms<Given>, 'presence' | 'description'> & { readonly max: number },
): FieldDecorator<Taken<Inner[], Given>> {
  return field({
    schema: documented({ type: 'array', items: bodySchema(type), minItems: 1, maxItems: max }, terms),
    presence: terms.presence,
    rules: [
      isList(),
      atLeast(1),
      atMost(max),
      listRule('eachIsObject', 'must hold objects only', undefined, list => list.every(isPlainObject)),
    ],
    besides: [ValidateNested({ each: true }), Type(() => type)],
  });
}

function listRule(
  name: string,
  says: string,
  code: RuleCode | undefined,
  holds: (list: readonly unknown[]) => boolean,
): Rule {
  return { name, says, ...(code && { code }), holds: value => Array.isArray(value) && holds(value) };
}

const isList = (code?: RuleCode) => listRule('isList', 'must be an array', code, () => true);
const atLeast = (min: number, code?: RuleCode) =>
  listRule('atLeast', 'must not be empty', code, list => list.length >= min);
const atMost = (max: number, code?: RuleCode) =>
  listRule('atMost', `must hold at most ${max} items`, code, list => list.length <= max);

export function isObject(code?: RuleCode): Rule {
  return { name: 'isPlainObject', says: 'must be an object', ...(code && { code }), holds: isPlainObject };
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
