/**
 * A JSON Schema of the dialect 2020-12, as OpenAPI 3.1 takes it. A schema with a `title` becomes a component of that
 * name.
 */
export type Schema = { readonly [keyword: string]: unknown };

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
};

export type Reference = { readonly $ref: string };

export type MediaType = {
  readonly schema: Schema;
  /** Recorded from the service. */
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Reference>>;
};

/** The types of answers in text. A list as a file comes in the last two; the schema of lines of JSON is that of one. */
export const MEDIA_TYPES = ['application/json', 'text/csv', 'application/x-ndjson'] as const;
/** And those of documents that people have sent. */
export type MediaTypeName = (typeof MEDIA_TYPES)[number] | 'application/pdf' | 'image/png' | 'image/jpeg';

export type Response = {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content: { readonly [Name in MediaTypeName]?: MediaType };
};

export type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  /** The scope that the key must have; absent where any key may call, or none is needed. */
  readonly 'x-required-scope'?: string;
  /** The permission that the administrator's role must have; absent where any role may call. */
  readonly 'x-required-permission'?: string;
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly required: boolean; readonly content: { readonly 'application/json': MediaType } };
  readonly responses: Readonly<Record<string, Response>>;
};

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof METHODS)[number];

export type PathItem = { readonly [method in Method]?: Operation };

export type Components = {
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly headers: Readonly<Record<string, { readonly description: string; readonly schema: Schema }>>;
  readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
  readonly securitySchemes: Readonly<Record<string, Schema>>;
};

export type WebhookItem = { readonly post: Omit<Operation, 'responses' | 'security'> & { readonly responses: Schema } };

/** The parts of the OpenAPI 3.1 document that the service writes and reads. */
export type ApiDocument = {
  readonly openapi: '3.1.0';
  readonly jsonSchemaDialect: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly contact: { readonly name: string; readonly url: string };
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string; readonly description?: string }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks: Readonly<Record<string, WebhookItem>>;
  readonly components: Components;
};

export type LocatedOperation = { readonly method: Method; readonly path: string; readonly operation: Operation };

/** Every operation with its place, in the document's order. */
export function operationsOf({ paths }: Pick<ApiDocument, 'paths'>): readonly LocatedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap(method => {
      const operation = item[method];
      return operation ? [{ method, path, operation }] : [];
    }),
  );
}

/** The component that a reference names; any other value is returned unchanged. */
export function resolve<T extends object>(components: Components, value: T | Reference): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T;
  const [kind, name] = value.$ref.split('/').slice(-2) as [keyof Components, string];
  return components[kind][name] as unknown as T;
}
