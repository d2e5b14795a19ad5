import { resolve, type Components, type Schema } from './api-document';

/** A field of an object, with the object that it is, may be, or is a list of. */
type SchemaField = {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly inner: Schema | null;
};

/** The fields of the object that a schema is, may be, or is a list of; null where it is none. */
export function fieldsOf(components: Components, schema: Schema): readonly SchemaField[] | null {
  const object = objectWithin(components, schema);
  if (!object) return null;
  const required = (object.required ?? []) as readonly string[];
  const fields = Object.entries(object.properties as Readonly<Record<string, Schema>>);
  return fields.map(([name, field]) => ({
    name,
    type: typeOf(components, field),
    description: (resolve(components, field).description ?? '') as string,
    isRequired: required.includes(name),
    inner: objectWithin(components, field),
  }));
}

/** Null where no such object has fields of its own. */
function objectWithin(components: Components, schema: Schema): Schema | null {
  const found = resolve(components, schema);
  if (found.properties) return found;
  if (found.items) return objectWithin(components, found.items as Schema);
  const choices = (found.oneOf ?? found.allOf ?? []) as readonly Schema[];
  return choices.map(choice => objectWithin(components, choice)).find(inner => inner !== null) ?? null;
}

export function typeOf(components: Components, schema: Schema): string {
  const found = resolve(components, schema);
  if (typeof found.const === 'string') return `"${found.const}"`;
  if (Array.isArray(found.enum)) return found.enum.map(value => (value === null ? 'null' : `"${value}"`)).join(' | ');
  if (Array.isArray(found.oneOf)) return found.oneOf.map((choice: Schema) => typeOf(components, choice)).join(' | ');
  if (Array.isArray(found.allOf)) return 'object';
  if (found.type === 'array') return `list of ${typeOf(components, found.items as Schema)}`;
  return [found.type ?? 'any'].flat().join(' | ');
}
