import { IsOptional, ValidateBy, ValidateIf, type ValidationArguments } from 'class-validator';
import type { ErrorCode } from '../../../vocabulary/errors';
import type { Schema } from '../../docs/api-document';
import { documentField, type Presence } from './body-schema';

/** The code of a broken rule, or a function from the value to one of several codes. */
export type RuleCode = ErrorCode | CodeByValue;
type CodeByValue = { readonly among: readonly ErrorCode[]; readonly of: (value: unknown) => ErrorCode };

/**
 * One rule of a field's value. `says` is the text of the refusal behind the field's name, without a full stop. A rule
 * that says several texts has a function from the value to one of them.
 */
export type Rule = {
  readonly name: string;
  readonly holds: (value: unknown) => boolean;
  readonly says: string | ((value: unknown) => string);
  /** The code of the refusal, by default `parameter_invalid`. */
  readonly code?: RuleCode;
};

/** The type of a field's property, whose value is of the type `Value`. */
export type Taken<Value, Given extends Presence> =
  Value | (Given extends 'required' ? never : undefined) | (Given extends 'nullable' ? null : never);

/** The terms of a field where a body declares it. */
export type FieldTerms<Given extends Presence> = {
  readonly presence?: Given;
  readonly description?: string;
  readonly example?: unknown;
  /** The code for each broken rule. */
  readonly code?: RuleCode;
};

/** Compiles only above a property whose type has room for each value that the rules let through. */
export type FieldDecorator<Value> = <Body, Name extends keyof Body>(
  body: Body,
  name: Name & ([Value] extends [Body[Name]] ? unknown : never),
) => void;

type FieldParts = {
  /** The field in the document; null for a field that the document does not name. */
  readonly schema: Schema | null;
  /** The rules in the order in which they are judged: the first broken rule is answered. */
  readonly rules: readonly Rule[];
  readonly presence?: Presence;
  /** Further decorators of the value, such as a transformation. */
  readonly besides?: readonly PropertyDecorator[];
};

/** A decorator of a body's property: its rules, their messages and codes, and its place in the document. */
export function field<Value>(parts: FieldParts): FieldDecorator<Value> {
  const { schema, rules, presence = 'required', besides = [] } = parts;
  const decorators = [
    ...besides,
    ...(presence === 'nullable' ? [IsOptional()] : []),
    ...(presence === 'optional' ? [ValidateIf((_, value) => value !== undefined)] : []),
    // The validation answers the rule that was registered last.
    ...rules.map(validated).reverse(),
  ];
  return (body, name) => {
    for (const decorate of decorators) decorate(body as object, String(name));
    if (schema) documentField(body as object, String(name), schema, presence);
  };
}

/** The schema with the texts for readers beside the rules. */
export function documented(schema: Schema, { description, example }: FieldTerms<Presence>): Schema {
  return {
    ...schema,
    ...(description !== undefined && { description }),
    ...(example !== undefined && { examples: [example] }),
  };
}

function validated({ name, holds, says, code }: Rule): PropertyDecorator {
  const text = (value: unknown): string => (typeof says === 'string' ? says : says(value));
  const defaultMessage = (given?: ValidationArguments): string => `$property ${text(given?.value)}`;
  return ValidateBy({ name, validator: { validate: holds, defaultMessage } }, code && { context: { code } });
}
