import type { AdminAction } from '../../../src/modules/administration/api/admin-action';
import type { Schema } from '../../../src/platform/docs/api-document';
import { bodySchema } from '../../../src/platform/http/fields/body-schema';
import type { FormBody } from '../../../src/platform/http/form-body';
import type { JsonObject, JsonValue } from '../../../src/vocabulary/json';

/** A field of an action's body, as its form asks for it. */
export type ActionField = {
  readonly name: string;
  readonly hint: string | null;
  readonly isOptional: boolean;
  readonly maxLength: number | null;
} & ({ readonly kind: 'text' | 'whole' | 'list' } | { readonly kind: 'choice'; readonly values: readonly string[] });

/** The approval's id is the service's own to fill in. */
const HIDDEN = 'approval_id';
const WHOLE = /^-?\d{1,15}$/;
const BETWEEN = /[\s,]+/;

/** The fields of an action's form, in the order of its body's class. */
export function fieldsOf({ body }: Pick<AdminAction, 'body'>): readonly ActionField[] {
  const { properties = {}, required = [] } = bodySchema(body) as ObjectSchema;
  return Object.entries(properties).flatMap(([name, schema]) =>
    name === HIDDEN ? [] : [fieldOf(name, schema, !required.includes(name))],
  );
}

type ObjectSchema = {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
};

function fieldOf(name: string, schema: Schema, isOptional: boolean): ActionField {
  const { type, description, maxLength, enum: values } = schema as Readonly<Record<string, unknown>>;
  const common = {
    name,
    isOptional,
    hint: typeof description === 'string' ? description : null,
    maxLength: typeof maxLength === 'number' ? maxLength : null,
  };
  const types = [type].flat();
  if (Array.isArray(values)) return { ...common, kind: 'choice', values: values.filter(each => each !== null) };
  if (types.includes('integer')) return { ...common, kind: 'whole' };
  return { ...common, kind: types.includes('array') ? 'list' : 'text' };
}

/** The body that a form's texts stand for. A text that is no number stays as it is, for the body's rules to refuse. */
export function bodyOf(fields: readonly ActionField[], form: FormBody): JsonObject {
  const pairs = fields.flatMap(field => {
    const value = valueOf(field, (form[field.name] ?? '').trim());
    return value === undefined ? [] : [[field.name, value] as const];
  });
  return Object.fromEntries(pairs);
}

/** Undefined for a field that was left out. */
function valueOf({ kind, isOptional }: ActionField, text: string): JsonValue | undefined {
  if (kind === 'list') return text === '' ? [] : text.split(BETWEEN);
  if (text === '') return isOptional ? undefined : text;
  return kind === 'whole' && WHOLE.test(text) ? Number(text) : text;
}
