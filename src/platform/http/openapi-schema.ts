import { METADATA_KEY_PATTERN, METADATA_KEYS_LIMIT, METADATA_VALUE_LENGTH } from '../../kernel/metadata';
import type { JsonObject } from '../../vocabulary/json';
import type { Schema } from '../docs/api-document';

export type { Schema };

declare const VALUE: unique symbol;

/** A schema, and with it the type of the values that it describes; the member for the type is never there. */
export type SchemaOf<Value> = Schema & { readonly [VALUE]: Value };

/** The type of the values that a schema describes: `Answer<typeof WALLET>` is the type of the wallet in the API. */
export type Answer<Described extends SchemaOf<unknown>> = Described[typeof VALUE];

type Properties = Readonly<Record<string, SchemaOf<unknown>>>;
type ObjectOf<Members extends Properties> = { readonly [Name in keyof Members]: Answer<Members[Name]> };

function describing<Value>(schema: Schema): SchemaOf<Value> {
  return schema as SchemaOf<Value>;
}

/**
 * A named object of the API. Every field is always present, and no other one is, so that an answer which drifts is
 * found out.
 */
export function resource<Members extends Properties>(
  name: string,
  description: string,
  properties: Members,
): SchemaOf<ObjectOf<Members>> {
  return { title: name, description, ...record(properties) };
}

/** The same as `resource`, without a name of its own. */
export function record<Members extends Properties>(properties: Members): SchemaOf<ObjectOf<Members>> {
  return describing({
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  });
}

export function listOf<Item>(item: SchemaOf<Item>) {
  return resource(
    `${item.title as string}_list`,
    `One page of objects; while has_more is true, the id of the last one is the next page's starting_after.`,
    {
      object: constant('list'),
      url: text('The path of this list', '/v1/…'),
      has_more: flag(),
      data: arrayOf(item),
    },
  );
}

export function nullable<Value>(schema: SchemaOf<Value>): SchemaOf<Value | null> {
  return describing({ oneOf: [schema, { type: 'null' }] });
}

export function either<One, Other>(one: SchemaOf<One>, other: SchemaOf<Other>): SchemaOf<One | Other> {
  return describing({ oneOf: [one, other] });
}

export function arrayOf<Item>(items: SchemaOf<Item>): SchemaOf<readonly Item[]> {
  return describing({ type: 'array', items });
}

/** An object whose fields have names of any kind. */
export function mapOf<Value>(
  values: SchemaOf<Value>,
  example: Readonly<Record<string, Value>>,
): SchemaOf<Readonly<Record<string, Value>>> {
  return describing({ type: 'object', additionalProperties: values, examples: [example] });
}

export function anyObject(description: string): SchemaOf<JsonObject> {
  return describing({ type: 'object', description });
}

/** The document shows the newest version's shape. The value has the shape of the requested version. */
export function inVersionAskedFor(newest: SchemaOf<JsonObject>): SchemaOf<JsonObject> {
  return newest;
}

export function text(description?: string, example?: string): SchemaOf<string> {
  return describing({ type: 'string', ...(description && { description }), ...(example && { examples: [example] }) });
}

export function flag(description?: string): SchemaOf<boolean> {
  return describing({ type: 'boolean', ...(description && { description }) });
}

export function constant<const Text extends string>(value: Text): SchemaOf<Text> {
  return describing({ type: 'string', const: value });
}

/** `oneOfTexts<string>` describes values that the log keeps as any text. */
export function oneOfTexts<const Text extends string>(values: readonly Text[], description?: string): SchemaOf<Text> {
  return describing({ type: 'string', enum: values, ...(description && { description }) });
}

export function url(description: string, example: string): SchemaOf<string> {
  return { ...text(description, example), format: 'uri' };
}

const EXAMPLE_ID = '01kb3x5q0g7h2m9c4r8v6t1zny';

export function exampleId(prefix: string): string {
  return `${prefix}_${EXAMPLE_ID}`;
}

export function id(prefix: string, description?: string): SchemaOf<string> {
  return { ...text(description, exampleId(prefix)), pattern: `^${prefix}_[0-9a-hjkmnp-tv-z]{26}$` };
}

export function timestamp(description?: string, example = '2026-11-21T12:00:00.000Z'): SchemaOf<string> {
  const pattern = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$';
  return { ...text(description, example), format: 'date-time', pattern };
}

const DIGITS = '^\\d+$';
const SIGNED_DIGITS = '^(?:0|-?[1-9]\\d*)$';
const DECIMAL = '^\\d+(?:\\.\\d+)?$';
const SIGNED_DECIMAL = '^-?\\d+(?:\\.\\d+)?$';
const NUMERIC: readonly unknown[] = [DIGITS, SIGNED_DIGITS, DECIMAL, SIGNED_DECIMAL];

export function digits(description: string, example: string): SchemaOf<string> {
  return { ...text(description, example), pattern: DIGITS };
}

/** Digits that a minus sign may precede. */
export function signedDigits(description: string, example: string): SchemaOf<string> {
  return { ...text(description, example), pattern: SIGNED_DIGITS };
}

export function decimal(description: string, example: string): SchemaOf<string> {
  return { ...text(description, example), pattern: DECIMAL };
}

/** A decimal that a minus sign may precede. */
export function signedDecimal(description: string, example: string): SchemaOf<string> {
  return { ...text(description, example), pattern: SIGNED_DECIMAL };
}

/** Whether the values are numbers, or texts of digits alone; a null may stand in their place. */
export function isNumeric(schema: Schema): boolean {
  const [first] = (schema.oneOf ?? []) as readonly Schema[];
  const { type, pattern } = first ?? schema;
  return type === 'integer' || NUMERIC.includes(pattern);
}

export function whole(
  description: string,
  example: number,
  bounds: { minimum?: number; maximum?: number } = {},
): SchemaOf<number> {
  return describing({ type: 'integer', minimum: 0, ...bounds, description, examples: [example] });
}

/** A number that may have a fraction or a sign. No money is written so. */
export function figure(description: string, example: number): SchemaOf<number> {
  return describing({ type: 'number', description, examples: [example] });
}

export const MODE = oneOfTexts<string>(['test', 'live'], 'The mode of the key; the two share nothing');

export const METADATA_LIMITS = {
  additionalProperties: { type: 'string', maxLength: METADATA_VALUE_LENGTH },
  propertyNames: { pattern: METADATA_KEY_PATTERN.source },
  maxProperties: METADATA_KEYS_LIMIT,
};

export const METADATA = describing<Readonly<Record<string, string>>>({
  type: 'object',
  description: 'Your own short strings, given back on every read and delivery',
  ...METADATA_LIMITS,
  examples: [{ order: '42' }],
});
