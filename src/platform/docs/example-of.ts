import { resolve, type Components, type Schema } from './api-document';

/** Deeper than any object of the API; a schema that refers to itself ends there. */
const DEPTH_LIMIT = 12;

/** A value that the schema describes: its own example, or otherwise an example made of its parts. */
export function exampleOf(components: Components, schema: Schema, depth = DEPTH_LIMIT): unknown {
  const found = resolve(components, schema);
  if (depth === 0) return null;
  const [example] = (found.examples ?? []) as readonly unknown[];
  if (example !== undefined) return example;
  if ('const' in found) return found.const;
  if ('default' in found) return found.default;
  const [first] = (found.enum ?? []) as readonly unknown[];
  if (first !== undefined) return first;
  if (Array.isArray(found.oneOf)) return exampleOf(components, found.oneOf[0] as Schema, depth - 1);
  if (Array.isArray(found.allOf)) return merged(components, found.allOf as readonly Schema[], depth - 1);
  return byType(components, found, depth - 1);
}

function merged(components: Components, parts: readonly Schema[], depth: number): unknown {
  return parts.map(part => exampleOf(components, part, depth)).reduce(withMembersOf, {});
}

/** The first value with the members of the second, which decides where both have a value that is no object. */
function withMembersOf(base: unknown, more: unknown): unknown {
  if (!isObject(base) || !isObject(more)) return more;
  const members = Object.entries(more).map(([name, value]) => [name, withMembersOf(base[name], value)] as const);
  return { ...base, ...Object.fromEntries(members) };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function byType(components: Components, schema: Schema, depth: number): unknown {
  const [type] = [schema.type].flat();
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return schema.minimum ?? 0;
  if (type === 'array') return [exampleOf(components, schema.items as Schema, depth)];
  if (type === 'string') return '…';
  const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>);
  return Object.fromEntries(properties.map(([name, property]) => [name, exampleOf(components, property, depth)]));
}
