import { METADATA_KEY_PATTERN, METADATA_KEYS_LIMIT, METADATA_VALUE_LENGTH } from '../../kernel/metadata';
import type { Schema } from '../docs/api-document';

export type { Schema };

type NullableSchema<Inner> = { readonly oneOf: readonly [Inner, { readonly type: 'null' }] };

/**
 * Of the texts that a value can be. Neither member is ever there: one keeps out a text too many, the other one too few.
 */
type TextsSchema<Text extends string> = Schema & { readonly allows?: Text; readonly takes?: (text: Text) => void };

type GivenSchema<Value> = [Value] extends [never]
  ? Schema
  : [Value] extends [string]
    ? string extends Value
      ? Schema
      : TextsSchema<Value>
    : Schema;

/**
 * A field is described as nullable exactly where its type says that it is. Where the type lists its texts, the
 * description lists all of them.
 */
type FieldSchema<Value> = unknown extends Value
  ? Schema
  : null extends Value
    ? NullableSchema<GivenSchema<NonNullable<Value>>>
    : GivenSchema<Value> & { readonly oneOf?: never };

export type Properties<T> = { readonly [Field in keyof Required<T>]: FieldSchema<T[Field]> };

/**
 * An object of ours under its name: every field is always there, and no other one, so that an answer which drifts is
 * found out.
 */
export function resource<T extends object>(name: string, description: string, properties: Properties<T>): Schema {
  return { title: name, description, ...record<T>(properties) };
}

/** As `resource`, without a name of its own. */
export function record<T extends object>(properties: Properties<T>): Schema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

export function listOf(item: Schema): Schema {
  return resource<Record<'object' | 'url' | 'has_more' | 'data', unknown>>(
    `${item.title as string}_list`,
    `One page of objects; while has_more is true, the id of the last one is the next page's starting_after.`,
    {
      object: constant('list'),
      url: text('The path of this list', '/v1/…'),
      has_more: { type: 'boolean' },
      data: { type: 'array', items: item },
    },
  );
}

export function nullable<Inner extends Schema>(schema: Inner): NullableSchema<Inner> {
  return { oneOf: [schema, { type: 'null' }] };
}

export function arrayOf(items: Schema): Schema {
  return { type: 'array', items };
}

export function text(description?: string, example?: string): Schema {
  return { type: 'string', ...(description && { description }), ...(example && { examples: [example] }) };
}

export function constant<const Text extends string>(value: Text): TextsSchema<Text> {
  return { type: 'string', const: value };
}

export function oneOfTexts<const Text extends string>(
  values: readonly Text[],
  description?: string,
): TextsSchema<Text> {
  return { type: 'string', enum: values, ...(description && { description }) };
}

export function url(description: string, example: string): Schema {
  return { type: 'string', format: 'uri', description, examples: [example] };
}

const EXAMPLE_ID = '01kb3x5q0g7h2m9c4r8v6t1zny';

export function id(prefix: string, description?: string): Schema {
  return { ...text(description, `${prefix}_${EXAMPLE_ID}`), pattern: `^${prefix}_[0-9a-hjkmnp-tv-z]{26}$` };
}

export function timestamp(description?: string, example = '2026-11-21T12:00:00.000Z'): Schema {
  const pattern = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$';
  return { ...text(description, example), format: 'date-time', pattern };
}

export function digits(description: string, example: string): Schema {
  return { ...text(description, example), pattern: '^\\d+$' };
}

export function decimal(description: string, example: string): Schema {
  return { ...text(description, example), pattern: '^\\d+(?:\\.\\d+)?$' };
}

export function whole(
  description: string,
  example: number,
  bounds: { minimum?: number; maximum?: number } = {},
): Schema {
  return { type: 'integer', minimum: 0, ...bounds, description, examples: [example] };
}

export const MODE = oneOfTexts(['test', 'live'], 'The mode of the key; the two share nothing');

export const METADATA_LIMITS = {
  additionalProperties: { type: 'string', maxLength: METADATA_VALUE_LENGTH },
  propertyNames: { pattern: METADATA_KEY_PATTERN.source },
  maxProperties: METADATA_KEYS_LIMIT,
};

export const METADATA: Schema = {
  type: 'object',
  description: 'Your own short strings, given back on every read and delivery',
  ...METADATA_LIMITS,
  examples: [{ order: '42' }],
};
