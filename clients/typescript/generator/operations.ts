import { camel, pascal, singular } from './names';
import {
  jsonSchema,
  resolve,
  rowSchema,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type Schema,
} from './open-api';

const HTTP_METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

/** One method of the client. */
export type ClientMethod = {
  readonly resource: string;
  readonly name: string;
  readonly httpMethod: HttpMethod;
  readonly path: string;
  readonly description: string | undefined;
  readonly query: readonly Parameter[];
  readonly body: { readonly schema: Schema; readonly required: boolean } | null;
  /** `schema` is that of one item of a list, or of one row of a file; null where the document has none. */
  readonly answer: { readonly form: 'list' | 'file' | 'object'; readonly schema: Schema | null };
};

const PREFIX = '/v1/';

/** A method for each operation of the API, in the document's order. Throws Error where two would get the same name. */
export function clientMethods(document: OpenApiDocument): readonly ClientMethod[] {
  const methods = Object.entries(document.paths).flatMap(([path, item]) =>
    HTTP_METHODS.flatMap(httpMethod => {
      const operation = path.startsWith(PREFIX) && item[httpMethod];
      return operation ? [clientMethod(document, path, httpMethod, operation)] : [];
    }),
  );
  const names = new Set<string>();
  for (const { resource, name, httpMethod, path } of methods) {
    if (names.has(`${resource}.${name}`)) throw new Error(`${httpMethod} ${path}: ${resource}.${name} exists already`);
    names.add(`${resource}.${name}`);
  }
  return methods;
}

function clientMethod(
  document: OpenApiDocument,
  path: string,
  httpMethod: HttpMethod,
  operation: Operation,
): ClientMethod {
  const parameters = (operation.parameters ?? []).map(parameter => resolve<Parameter>(document, parameter));
  const answer = answerOf(document, path, httpMethod, operation);
  // The client reads lines of JSON, and says so by itself.
  const isGiven = ({ name }: Parameter): boolean => answer.form === 'file' && name === 'format';
  const query = parameters.filter(parameter => parameter.in === 'query' && !isGiven(parameter));
  const bodySchema = jsonSchema(operation.requestBody);
  return {
    ...(answer.form === 'file' ? fileNames(path) : names(document, path, httpMethod, answer.form === 'list')),
    httpMethod,
    path,
    description: operation.summary ?? operation.description,
    query,
    body: bodySchema && {
      schema: bodySchema,
      required: (resolve<Schema>(document, bodySchema).required ?? []).length > 0,
    },
    answer,
  };
}

/**
 * An answer in pages is a list. Where the document leaves the answer's schema out, a path with objects below it is a
 * list too.
 */
function answerOf(
  document: OpenApiDocument,
  path: string,
  httpMethod: HttpMethod,
  { responses = {} }: Operation,
): ClientMethod['answer'] {
  const isRead = httpMethod === 'get';
  const successes = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, success]) => resolve(document, success));
  const [row] = successes.flatMap(success => rowSchema(success) ?? []);
  if (row) return { form: 'file', schema: row };
  const schemas = successes.flatMap(success => jsonSchema(success) ?? []);
  const schema = schemas.length > 1 ? { anyOf: schemas } : schemas[0];
  if (!schema) return { form: isRead && `${path}/{id}` in document.paths ? 'list' : 'object', schema: null };
  const { properties = {} } = resolve<Schema>(document, schema);
  const items = isRead && properties.has_more && properties.data?.items;
  return items ? { form: 'list', schema: items } : { form: 'object', schema };
}

type Names = Pick<ClientMethod, 'resource' | 'name'>;

/** Files belong to the resource before the last word of their path, which is their name. */
function fileNames(path: string): Names {
  const words = path.slice(PREFIX.length).split('/');
  return { resource: camel(words.slice(0, -1).join('_')), name: camel(words.at(-1) ?? '') };
}

/**
 * The names come from the path: its words up to the first parameter are the resource, and the words after it are the
 * action. A word behind a path that is served itself is an action too, so `/v1/fees/balance` belongs to `fees`.
 * `/v1/mfa/proofs` is a resource of its own.
 */
function names(document: OpenApiDocument, path: string, httpMethod: HttpMethod, isList: boolean): Names {
  const words = path.slice(PREFIX.length).split('/');
  const isParameter = (word: string | undefined): boolean => word?.startsWith('{') ?? false;
  const firstParameter = words.findIndex(isParameter);
  const fixed = firstParameter === -1 ? words : words.slice(0, firstParameter);
  const served = fixed.findIndex((_, end) => PREFIX + fixed.slice(0, end + 1).join('/') in document.paths);
  const resourceWords = served === -1 ? fixed : fixed.slice(0, served + 1);
  const resource = camel(resourceWords.join('_'));
  const action = words.slice(resourceWords.length).filter(word => !isParameter(word));
  if (action.length === 0) return { resource, name: plainName(document, path, httpMethod, isList) };
  // A call that makes another resource below this one is named by its action.
  const makes = httpMethod === 'post' && PREFIX + action.join('/') in document.paths;
  return { resource, name: makes ? `create${pascal(singular(action.join('_')))}` : camel(action.join('_')) };
}

function plainName(document: OpenApiDocument, path: string, httpMethod: HttpMethod, isList: boolean): string {
  switch (httpMethod) {
    case 'get':
      return isList ? 'list' : 'retrieve';
    case 'post':
      return path.endsWith('}') || isSingleton(document, path) ? 'update' : 'create';
    case 'put':
      return 'set';
    case 'patch':
      return 'update';
    case 'delete':
      return 'delete';
  }
}

/** A resource that is read at the same path where it is changed, such as the settings. */
function isSingleton(document: OpenApiDocument, path: string): boolean {
  const read = document.paths[path]?.get;
  return read !== undefined && answerOf(document, path, 'get', read).form === 'object';
}
