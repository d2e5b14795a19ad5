import { camel, pascal, singular } from './names';
import { jsonSchema, resolve, type OpenApiDocument, type Operation, type Parameter, type Schema } from './open-api';

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
  /** `schema` is that of one item for a list; null where the document has none. */
  readonly answer: { readonly isList: boolean; readonly schema: Schema | null };
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
  const query = parameters.filter(parameter => parameter.in === 'query');
  const answer = answerOf(document, path, httpMethod, operation);
  const bodySchema = jsonSchema(operation.requestBody);
  return {
    ...names(document, path, httpMethod, answer.isList),
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
  const schemas = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, success]) => jsonSchema(resolve(document, success)) ?? []);
  const schema = schemas.length > 1 ? { anyOf: schemas } : schemas[0];
  if (!schema) return { isList: isRead && `${path}/{id}` in document.paths, schema: null };
  const { properties = {} } = resolve<Schema>(document, schema);
  const items = isRead && properties.has_more && properties.data?.items;
  return items ? { isList: true, schema: items } : { isList: false, schema };
}

type Names = Pick<ClientMethod, 'resource' | 'name'>;

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
  return read !== undefined && !answerOf(document, path, 'get', read).isList;
}
