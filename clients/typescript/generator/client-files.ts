import { camel, kebab, pascal, typeName } from './names';
import { jsonSchema, resolve, type OpenApiDocument, type Schema } from './open-api';
import { clientMethods, type ClientMethod } from './operations';
import { declaration, docComment, typeOf } from './schema-types';

const SHARED = 'shared';
const WEBHOOKS = 'webhooks';
const HEADER = '// Generated from the OpenAPI document by `npm run client:generate`; changed there, never here.\n\n';

/** The client's generated files by name, as yet unformatted. */
export function clientFiles(document: OpenApiDocument): ReadonlyMap<string, string> {
  const methods = clientMethods(document);
  const resources = [...new Set(methods.map(({ resource }) => resource))].sort();
  const places = placeSchemas(document, methods);
  const files = new Map<string, string>();
  for (const resource of resources) {
    const own = methods.filter(method => method.resource === resource);
    files.set(`${kebab(resource)}.ts`, resourceFile(document, places, resource, own));
  }
  for (const place of [WEBHOOKS, SHARED]) {
    const { text, uses } = schemaBlock(document, places, place, place === WEBHOOKS ? eventTypes(document) : []);
    if (text !== '') files.set(`${place}.ts`, HEADER + imports(places, place, uses) + text);
  }
  files.set('resources.ts', resourcesFile(resources, [...files.keys()]));
  files.set('error-code.ts', errorCodeFile(document));
  files.set('api-version.ts', apiVersionFile(document));
  return files;
}

/** The file of each schema: that of the one resource which reaches it, or the shared one. */
function placeSchemas(document: OpenApiDocument, methods: readonly ClientMethod[]): ReadonlyMap<string, string> {
  const sent = Object.values(document.webhooks ?? {}).map(({ post }) => jsonSchema(post?.requestBody) ?? {});
  const reached = [
    ...methods.map(method => ({ place: method.resource, schemas: schemasOf(method) })),
    { place: WEBHOOKS, schemas: sent },
  ];
  const places = new Map<string, string>();
  for (const { place, schemas } of reached) {
    const uses = new Set<string>();
    for (const schema of schemas) typeOf(schema, uses);
    for (const name of uses) {
      typeOf(component(document, name), uses);
      const known = places.get(name) ?? place;
      places.set(name, known === place ? place : SHARED);
    }
  }
  return places;
}

function schemasOf({ query, body, answer }: ClientMethod): readonly Schema[] {
  return [...query.map(({ schema = {} }) => schema), body?.schema ?? {}, answer.schema ?? {}];
}

function component(document: OpenApiDocument, name: string): Schema {
  return resolve<Schema>(document, { $ref: `#/components/schemas/${name}` });
}

type Named = readonly [name: string, schema: Schema];

function schemaBlock(
  document: OpenApiDocument,
  places: ReadonlyMap<string, string>,
  file: string,
  more: readonly Named[] = [],
) {
  const uses = new Set<string>();
  const own = [...places].filter(([, place]) => place === file);
  const named = [...own.map(([name]): Named => [name, component(document, name)]), ...more];
  const text = named.map(([name, schema]) => declaration(name, schema, uses)).join('\n');
  // The types of events stand in this very file, and are no components.
  for (const [name] of more) uses.delete(name);
  return { text, uses };
}

/** A type for each event that the service sends, and their union, which narrows by `type`. */
function eventTypes({ webhooks = {} }: OpenApiDocument): readonly Named[] {
  const events = Object.entries(webhooks).map(([type, { post }]): Named => {
    return [`${type}.event`, { ...jsonSchema(post?.requestBody), description: post?.summary }];
  });
  const anyOf = events.map(([name]) => ({ $ref: `#/components/schemas/${name}` }));
  return events.length === 0 ? [] : [...events, ['delivered_event', { description: 'Any event of a delivery', anyOf }]];
}

function imports(places: ReadonlyMap<string, string>, file: string, uses: ReadonlySet<string>): string {
  const foreign = [...uses].filter(name => places.get(name) !== file).map(typeName);
  return foreign.length > 0 ? `import type { ${foreign.sort().join(', ')} } from './${SHARED}';\n\n` : '';
}

function resourceFile(
  document: OpenApiDocument,
  places: ReadonlyMap<string, string>,
  resource: string,
  methods: readonly ClientMethod[],
): string {
  const { text, uses } = schemaBlock(document, places, resource);
  const queries = methods.filter(({ query }) => query.length > 0).map(method => queryType(method, uses));
  const bodies = methods.map(method => methodText(method, uses));
  const runtime = [
    methods.some(({ answer }) => answer.form === 'list') ? "import type { List } from '../list';\n" : '',
    methods.some(({ answer }) => answer.form === 'file') ? "import type { Rows } from '../rows';\n" : '',
    "import type { Requester } from '../requester';\nimport type { RequestOptions } from '../request-options';\n",
    methods.some(({ path }) => path.includes('{')) ? "import { urlPath } from '../url-path';\n" : '',
  ].join('');
  return [
    HEADER + runtime + imports(places, resource, uses),
    text,
    ...queries,
    `export class ${className(resource)} {\nreadonly #requester: Requester;\n\nconstructor(requester: Requester) {\nthis.#requester = requester;\n}\n\n${bodies.join('\n\n')}\n}\n`,
  ].join('\n');
}

/** The class's name differs from the schemas' names, one of which may be the resource's own. */
function className(resource: string): string {
  return `${pascal(resource)}Resource`;
}

function queryName({ resource, name }: ClientMethod): string {
  return `${pascal(resource)}${pascal(name)}Query`;
}

function queryType(method: ClientMethod, uses: Set<string>): string {
  const members = method.query.map(({ name, description, required, schema = {} }) => {
    const type = typeOf(schema, uses);
    const text = type === 'unknown' ? 'string | number | boolean' : type;
    return `${docComment(description)}readonly ${name}${required ? '' : '?'}: ${text};`;
  });
  return `export interface ${queryName(method)} {\n${members.join('\n')}\n}\n`;
}

const CALLS = { list: ['List', 'list'], file: ['Rows', 'rows'], object: ['Promise', 'send'] } as const;

function methodText(method: ClientMethod, uses: Set<string>): string {
  const { name, httpMethod, path, description, query, body, answer } = method;
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, id]) => camel(id as string));
  const needsQuery = query.some(({ required }) => required);
  const parameters = [
    ...ids.map(id => `${id}: string`),
    ...(body ? [`body${body.required ? '' : '?'}: ${typeOf(body.schema, uses)}`] : []),
    ...(query.length > 0 ? [`query${needsQuery ? '' : '?'}: ${queryName(method)}`] : []),
    'options?: RequestOptions',
  ];
  const item = answer.schema ? typeOf(answer.schema, uses) : 'unknown';
  const [result, call] = CALLS[answer.form];
  const url =
    ids.length > 0 ? `urlPath\`${path.replace(/\{(\w+)\}/g, (_, id: string) => `\${${camel(id)}}`)}\`` : `'${path}'`;
  const request = [
    ...(answer.form === 'object' ? [`method: '${httpMethod.toUpperCase()}'`] : []),
    `path: ${url}`,
    ...(body ? ['body'] : []),
    ...(query.length > 0 ? ['query'] : []),
  ];
  return `${docComment(description)}${name}(${parameters.join(', ')}): ${result}<${item}> {\nreturn this.#requester.${call}({ ${request.join(', ')} }, options);\n}`;
}

function resourcesFile(resources: readonly string[], fileNames: readonly string[]): string {
  const lines = (line: (resource: string) => string): string => resources.map(line).join('\n');
  return `${HEADER}import type { Requester } from '../requester';
${lines(resource => `import { ${className(resource)} } from './${kebab(resource)}';`)}

/** Every resource of the API. */
export class Resources {
${lines(resource => `readonly ${resource}: ${className(resource)};`)}

constructor(requester: Requester) {
${lines(resource => `this.${resource} = new ${className(resource)}(requester);`)}
}
}

${fileNames.map(name => `export * from './${name.replace(/\.ts$/, '')}';`).join('\n')}
`;
}

function errorCodeFile(document: OpenApiDocument): string {
  const code = component(document, 'Error').properties?.error?.properties?.code;
  if (!code?.enum) throw new Error('the document does not list the error codes');
  return `${HEADER}/** The codes known when this client was made; new ones are added over time, so fall back on the error's class. */
export type ErrorCode = ${typeOf(code, new Set())};
`;
}

function apiVersionFile({ info }: OpenApiDocument): string {
  return `${HEADER}/** The version of the API whose shapes these types are. */\nexport const API_VERSION = ${JSON.stringify(info.version)};\n`;
}
