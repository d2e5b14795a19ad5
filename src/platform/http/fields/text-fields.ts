import { characterCount } from '../../../vocabulary/characters';
import { CURRENCY_CODE } from '../../../vocabulary/currencies';
import type { ErrorCode } from '../../../vocabulary/errors';
import type { IdPrefix } from '../../../vocabulary/ids';
import { DECISION_NOTE } from '../../../vocabulary/reasons';
import { ONE_LINE, patternOf, PLAIN, WRITTEN, type TextRule } from '../../../vocabulary/text-rules';
import { exampleId } from '../openapi-schema';
import type { Presence } from './body-schema';
import { documented, field, type FieldDecorator, type FieldTerms, type Rule, type RuleCode, type Taken } from './field';

/** Keywords for the document alone: the command judges them, and refuses with codes of its own. */
type JudgedLater = {
  readonly enum?: readonly string[];
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: 'date-time';
};

type TextTerms<Given extends Presence> = FieldTerms<Given> &
  TextRule & {
    /** The least number of Unicode characters, counted as for `max`. */
    readonly min?: 1;
    /** The code for a text that is longer than `max`, where it differs from `code`. */
    readonly tooLong?: RuleCode;
    readonly later?: JudgedLater;
  };

/** The limits of a text in the words of JSON Schema. */
export function keywordsOf(rule: TextRule): Pick<JudgedLater, 'maxLength' | 'pattern'> {
  const pattern = patternOf(rule);
  return { ...(rule.max !== undefined && { maxLength: rule.max }), ...(pattern !== null && { pattern }) };
}

function textRule(name: string, says: string, code: RuleCode | undefined, holds: (text: string) => boolean): Rule {
  return { name, says, ...(code && { code }), holds: value => typeof value === 'string' && holds(value) };
}

const isText = (code: RuleCode | undefined) => textRule('isText', 'must be a string', code, () => true);
const isFilled = (code: RuleCode | undefined) => textRule('isFilled', 'must not be empty', code, value => value !== '');

/** A text, with the limits that are given. */
export function Text<const Given extends Presence = 'required'>(
  terms: TextTerms<Given> = {},
): FieldDecorator<Taken<string, Given>> {
  const { min, max, isWritten, isOneLine, isPlain, code, tooLong = code, later } = terms;
  const schema = {
    type: 'string',
    ...(min !== undefined && { minLength: min }),
    ...keywordsOf(terms),
    ...later,
  };
  const rules = [isText(code)];
  if (min !== undefined) rules.push(isFilled(code));
  if (isWritten) {
    rules.push(textRule('isWritten', 'must hold more than white space', code, value => WRITTEN.test(value)));
  }
  if (max !== undefined) {
    const says = `must have at most ${max} characters`;
    rules.push(textRule('maxCharacters', says, tooLong, value => characterCount(value) <= max));
  }
  if (isOneLine) {
    rules.push(textRule('isOneLine', 'must hold no control characters', code, value => ONE_LINE.test(value)));
  }
  if (isPlain) {
    const says = 'must hold no control characters but tabs and line breaks';
    rules.push(textRule('isPlain', says, code, value => PLAIN.test(value)));
  }
  return field({ schema: documented(schema, terms), rules, presence: terms.presence });
}

/** The value is one of a list. */
export function OneOf<const Value extends string, const Given extends Presence = 'required'>(
  values: readonly Value[],
  terms: FieldTerms<Given> = {},
): FieldDecorator<Taken<Value, Given>> {
  const holds = (value: unknown): boolean => (values as readonly unknown[]).includes(value);
  const says = `must be one of the following values: ${values.join(', ')}`;
  const rule: Rule = { name: 'isOneOf', says, holds, ...(terms.code && { code: terms.code }) };
  return field({
    schema: documented({ type: 'string', enum: values }, terms),
    rules: [rule],
    presence: terms.presence,
  });
}

/** The id of an object of the account. The command looks the object up, and refuses an unknown id. */
export function Id(
  prefix: IdPrefix,
  { isFilled: refusesEmpty, ...terms }: Pick<FieldTerms<'required'>, 'description'> & { readonly isFilled?: true } = {},
): FieldDecorator<string> {
  const schema = documented({ type: 'string' }, { ...terms, example: exampleId(prefix) });
  return field({ schema, rules: [isText(undefined), ...(refusesEmpty ? [isFilled(undefined)] : [])] });
}

/** A code of ISO 4217, whether the currency is served or not. */
export function CurrencyCode(): FieldDecorator<string> {
  const code: ErrorCode = 'invalid_currency';
  const terms = { description: 'ISO 4217, three uppercase letters', example: 'EUR' };
  const schema = documented({ type: 'string', pattern: CURRENCY_CODE.source }, terms);
  const rule = textRule('isCurrencyCode', 'must be three uppercase letters, such as EUR', code, value =>
    CURRENCY_CODE.test(value),
  );
  return field({ schema, rules: [rule] });
}

/** A web address. The command judges its scheme and its length. */
export function Url<const Given extends Presence = 'required'>(
  terms: FieldTerms<Given> & { readonly maxLength: number },
): FieldDecorator<Taken<string, Given>> {
  return Text({ ...terms, later: { maxLength: terms.maxLength } });
}

/** A moment in ISO-8601 and UTC. The body's check judges its form. */
export function Timestamp<const Given extends Presence = 'required'>(
  terms: FieldTerms<Given>,
): FieldDecorator<Taken<string, Given>> {
  return Text({ ...terms, later: { format: 'date-time' } });
}

/** The reason of a decision, which the body of the decision must have. */
export function DecisionNote(): FieldDecorator<string> {
  return Text({
    ...DECISION_NOTE,
    code: 'invalid_resolution',
    tooLong: 'parameter_invalid',
    description: 'For whoever reads this later',
  });
}
