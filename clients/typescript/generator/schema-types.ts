import { typeName } from './names';
import { refName, type Schema } from './open-api';

/** Columns of a comment's text: with its indentation a line stays within 120 columns. */
const COMMENT_COLUMNS = 106;

/** The TypeScript type of a schema; an empty schema is unknown. `uses` gathers the components that the type names. */
export function typeOf(schema: Schema, uses: Set<string>): string {
  const type = plainType(schema, uses);
  return schema.nullable && type !== 'unknown' ? `${type} | null` : type;
}

function plainType(schema: Schema, uses: Set<string>): string {
  const name = refName(schema);
  if (name !== null) {
    uses.add(name);
    return typeName(name);
  }
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map(value => JSON.stringify(value)));
  if (schema.oneOf ?? schema.anyOf) return union((schema.oneOf ?? schema.anyOf ?? []).map(one => typeOf(one, uses)));
  if (schema.allOf) return schema.allOf.map(part => `(${typeOf(part, uses)})`).join(' & ');
  if (Array.isArray(schema.type))
    return union((schema.type as readonly string[]).map(type => plainType({ ...schema, type }, uses)));
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `readonly (${typeOf(schema.items ?? {}, uses)})[]`;
    case 'object':
      return objectType(schema, uses);
    default:
      return schema.properties ? objectType(schema, uses) : 'unknown';
  }
}

function union(types: readonly string[]): string {
  return [...new Set(types)].map(type => (type.includes(' & ') ? `(${type})` : type)).join(' | ');
}

function objectType(schema: Schema, uses: Set<string>): string {
  const rest = schema.additionalProperties;
  if (schema.properties) return members(schema, uses);
  return `Readonly<Record<string, ${typeof rest === 'object' ? typeOf(rest, uses) : 'unknown'}>>`;
}

function members({ properties = {}, required = [] }: Schema, uses: Set<string>): string {
  const lines = Object.entries(properties).map(([name, schema]) => {
    const key = /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
    return `${docComment(descriptionOf(schema))}readonly ${key}${required.includes(name) ? '' : '?'}: ${typeOf(schema, uses)};`;
  });
  return `{\n${lines.join('\n')}\n}`;
}

/** The description of a field that may be null is in its other alternative. */
function descriptionOf({ description, oneOf = [] }: Schema): string | undefined {
  return description ?? oneOf.find(alternative => alternative.description !== undefined)?.description;
}

/** `export interface` for an object, so that editors show the name and not the members. */
export function declaration(name: string, schema: Schema, uses: Set<string>): string {
  const type = typeOf(schema, uses);
  const isInterface = schema.properties !== undefined && type.startsWith('{') && !schema.nullable;
  const head = docComment(schema.description);
  return isInterface
    ? `${head}export interface ${typeName(name)} ${type}\n`
    : `${head}export type ${typeName(name)} = ${type};\n`;
}

export function docComment(text: string | undefined): string {
  const lines = (text ?? '').replaceAll('*/', '* /').trim().split('\n').flatMap(wrapped);
  if (lines.length > 1) return `/**\n${lines.map(line => ` * ${line}`).join('\n')}\n */\n`;
  return lines[0] ? `/** ${lines[0]} */\n` : '';
}

function wrapped(line: string): readonly string[] {
  const lines = [''];
  for (const word of line.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last === '') lines[lines.length - 1] = word;
    else if (last.length + 1 + word.length <= COMMENT_COLUMNS) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
