import type { ClassConstructor } from 'class-transformer';
import type { Schema } from '../../docs/api-document';

/** An optional field may be left out. A nullable field may be null as well, which has the same meaning. */
export type Presence = 'required' | 'optional' | 'nullable';

type DocumentedField = { readonly name: string; readonly schema: Schema; readonly isRequired: boolean };

const FIELDS = Symbol('documented fields of a body');
const CLASS_SUFFIX = /Dto$/;

/** Keeps a field of a body's class for the document, behind the fields that are kept already. */
export function documentField(prototype: object, name: string, schema: Schema, presence: Presence): void {
  const shown = presence === 'nullable' ? orNull(schema) : schema;
  const added: DocumentedField = { name, schema: shown, isRequired: presence === 'required' };
  Reflect.defineMetadata(FIELDS, [...fieldsOf(prototype), added], prototype);
}

/** The schema of a body's class, by its fields. A field that the class does not name is refused. */
export function bodySchema({ name, prototype }: ClassConstructor<object>): Schema {
  const fields = fieldsOf(prototype as object);
  const required = fields.filter(({ isRequired }) => isRequired).map(each => each.name);
  return {
    title: requestName(name),
    type: 'object',
    properties: Object.fromEntries(fields.map(each => [each.name, each.schema])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** The name of a class's component: `register_wallet_request` for `RegisterWalletDto`. */
function requestName(className: string): string {
  return className
    .replace(CLASS_SUFFIX, '')
    .replace(/[A-Z]/g, (letter, at: number) => `${at > 0 ? '_' : ''}${letter.toLowerCase()}`)
    .concat('_request');
}

function fieldsOf(prototype: object): readonly DocumentedField[] {
  return (Reflect.getMetadata(FIELDS, prototype) ?? []) as readonly DocumentedField[];
}

function orNull(schema: Schema): Schema {
  if (typeof schema.type !== 'string') return { oneOf: [schema, { type: 'null' }] };
  const values = Array.isArray(schema.enum) ? { enum: [...(schema.enum as readonly unknown[]), null] } : {};
  return { ...schema, type: [schema.type, 'null'], ...values };
}
