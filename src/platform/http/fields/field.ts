import { IsOptional, ValidateBy, ValidateIf } from 'class-validator';
import type { ErrorCode } from '../../../kernel/errors';
import type { Schema } from '../../docs/api-document';
import { documentField, type Presence } from './body-schema';

/** The code of a broken rule, or how one of several codes follows from the value. */
export type RuleCode = ErrorCode | CodeByValue;
export type CodeByValue = { readonly among: readonly ErrorCode[]; readonly of: (value: unknown) => ErrorCode };

/** One rule of a field's value. `says` are the words of the refusal behind the field's name, without a full stop. */
export type Rule = {
  readonly name: string;
  readonly holds: (value: unknown) => boolean;
  readonly says: string;
  /** `parameter_invalid` where none is given. */
  readonly code?: RuleCode;
};

/** The type of a field's property, whose value is of the type `Value`. */
export type Taken<Value, Given extends Presence> =
  Value | (Given extends 'required' ? never : undefined) | (Given extends 'nullable' ? null : never);

/** What a body says of a field where it stands. */
export type FieldTerms<Given extends Presence> = {
  readonly presence?: Given;
  readonly description?: string;
  readonly example?: unknown;
  /** Of each rule that is broken. */
  readonly code?: RuleCode;
};

/** Compiles only above a property whose type has room for each value that the rules let through. */
export type FieldDecorator<Value> = <Body, Name extends keyof Body>(
  body: Body,
  name: Name & ([Value] extends [Body[Name]] ? unknown : never),
) => void;

export type FieldParts = {
  /** In the document; null for a field that the document does not name. */
  readonly schema: Schema | null;
  /** In the order in which they are judged: the first broken rule is the one that is answered. */
  readonly rules: readonly Rule[];
  readonly presence?: Presence;
  /** What the value needs beside its rules, such as a transformation. */
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

/** The schema with what a reader is told beside the rules. */
export function documented(schema: Schema, { description, example }: FieldTerms<Presence>): Schema {
  return {
    ...schema,
    ...(description !== undefined && { description }),
    ...(example !== undefined && { examples: [example] }),
  };
}

function validated({ name, holds, says, code }: Rule): PropertyDecorator {
  const validator = { validate: holds, defaultMessage: () => `$property ${says}` };
  return ValidateBy({ name, validator }, code && { context: { code } });
}
