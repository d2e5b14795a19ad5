/** A JSON Schema as an OpenAPI document holds it, of 3.0 or 3.1. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly nullable?: boolean;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
};

export type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
};

type Content = { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> };

export type Operation = {
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses?: Readonly<Record<string, Content | { readonly $ref: string }>>;
};

export type OpenApiDocument = {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

const SCHEMA_REF = '#/components/schemas/';

/** The component's name where the schema is nothing but a reference to one. */
export function refName(schema: Schema): string | null {
  return schema.$ref?.startsWith(SCHEMA_REF) ? schema.$ref.slice(SCHEMA_REF.length) : null;
}

/** The component that a `$ref` names. Throws Error when there is no such component. */
export function resolve<T extends object>(document: OpenApiDocument, value: T | { readonly $ref: string }): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T;
  const [root, section, kind, name] = value.$ref.split('/');
  const found = root === '#' && section === 'components' && document.components?.[kind ?? '']?.[name ?? ''];
  if (!found) throw new Error(`the document has no ${value.$ref}`);
  return found as T;
}

/** The schema of a row of an answer that is a file of lines of JSON; null for another answer. */
export function rowSchema(content: Content): Schema | null {
  return content.content?.['application/x-ndjson']?.schema ?? null;
}

/** The schema of a body or an answer in JSON; null where the document has none. */
export function jsonSchema(content: Content | undefined): Schema | null {
  return content?.content?.['application/json']?.schema ?? null;
}
