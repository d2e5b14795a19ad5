import fc from 'fast-check';
import { API_VERSIONS, NEWEST_API_VERSION } from '../../src/vocabulary/api-versions';
import {
  operationsOf,
  resolve,
  type ApiDocument,
  type LocatedOperation,
  type Parameter,
} from '../../src/platform/docs/api-document';
import { known } from './field-hints';
import { character, hostileKey, hostileText, hostileValue } from './hostile-values';
import { SchemaValues } from './schema-values';

/** The texts hold references such as `{{pi.0}}`, which the world fills in. */
export type FuzzedRequest = {
  /** Null where path or method are not those of an operation any more. */
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'LOCK'];
/** The resource that the path names by its first segment behind /v1. */
const KINDS: Readonly<Record<string, string>> = {
  payment_intents: 'pi', wallets: 'wal', api_keys: 'key', webhook_endpoints: 'we', webhook_events: 'evt', unmatched_transfers: 'tr',
  payment_links: 'plink', invoices: 'inv',
}; // prettier-ignore
const LONE_SURROGATE = /\p{Surrogate}/gu;
const NOT_A_HEADER_TEXT = /[^\t\x20-\x7e\x80-\xff]/g;

const often = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>, percent = 85): fc.Arbitrary<T> =>
  fc.oneof({ weight: percent, arbitrary: usual }, { weight: 100 - percent, arbitrary: odd });
/** Encoded as a client would; a lone surrogate cannot be. */
const encoded = (text: string): string =>
  encodeURIComponent(text.replace(LONE_SURROGATE, '')).replace(/%7B%7B(\w+\.\w+)%7D%7D/g, '{{$1}}');

export function fuzzedRequest(document: ApiDocument): fc.Arbitrary<FuzzedRequest> {
  const values = new SchemaValues(document.components);
  return fc.oneof(...operationsOf(document).map(located => requestOf(document, values, located)));
}

function requestOf(document: ApiDocument, values: SchemaValues, { method, path, operation }: LocatedOperation) {
  const parameters = operation.parameters.map(parameter => resolve<Parameter>(document.components, parameter));
  const schema = operation.requestBody?.content['application/json'].schema;
  const target = often(pathOf(path), oddPath(path), 94);
  const drawn = fc.record({
    method: often(fc.constant(method.toUpperCase()), fc.constantFrom(...METHODS), 96),
    target,
    query: queryOf(values, parameters),
    headers: headersOf(parameters),
    body: schema ? often(values.body(schema), rawBody, 90) : often(fc.constant(null), rawBody, 85),
  });
  return drawn.map(({ method: drawnMethod, target: { text, isOwn }, query, headers, body }): FuzzedRequest => {
    const isOwnMethod = drawnMethod === method.toUpperCase();
    const sendsBody = body !== null && drawnMethod !== 'TRACE';
    return {
      operation: isOwn && isOwnMethod ? operation.operationId : null,
      method: drawnMethod,
      path: query === '' ? text : `${text}?${query}`,
      headers: sendsBody ? { 'content-type': 'application/json', ...headers } : withoutContent(headers),
      body: sendsBody ? body : null,
    };
  });
}

function withoutContent(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('content-')));
}

type Target = { readonly text: string; readonly isOwn: boolean };

function pathOf(path: string): fc.Arbitrary<Target> {
  const [, , resource = ''] = path.split('/');
  const kind = KINDS[resource] ?? 'pi';
  const unknownId = fc.constantFrom(`${kind}_00000000000000000000000000`, `${kind}_`, kind);
  const others = fc.oneof(...Object.values(KINDS).map(known));
  const odd = hostileText.filter(text => text !== '' && text !== '.' && text !== '..').map(encoded);
  const id = fc.oneof(
    { weight: 7, arbitrary: known(kind) },
    { weight: 1, arbitrary: unknownId },
    { weight: 1, arbitrary: others },
    { weight: 1, arbitrary: odd },
  );
  const segments = path.split('/').map(segment => (segment.startsWith('{') ? id : fc.constant(segment)));
  return fc.tuple(...segments).map(parts => ({ text: parts.join('/'), isOwn: true }));
}

/** Not one of the contract's, or one whose parameter is lost. */
function oddPath(path: string): fc.Arbitrary<Target> {
  const filled = path.replace(/\{\w+\}/g, '{{pi.0}}');
  const changes: readonly string[] = [
    `${filled}/`, filled.replace('/v1', ''), filled.replace('/v1', '/v2'), filled.toUpperCase(), `/${filled}`, filled.replace('/v1/', '/v1//'),
    `${filled}/../x`, `${filled};a=b`, `${filled}%00`, `${filled}%`, `${filled}%ff`, `${filled}%2f`, `${filled}#x`, path.replace(/\{\w+\}/g, ''),
    path.replace(/\{\w+\}/g, 'undefined'), path.replace(/\{\w+\}/g, 'x'.repeat(9_000)), '*', '/', '//', '/v1', '/.well-known/x', 'http://x/v1/settings',
  ]; // prettier-ignore
  return fc.constantFrom(...changes).map(text => ({ text, isOwn: false }));
}

function queryOf(values: SchemaValues, parameters: readonly Parameter[]): fc.Arbitrary<string> {
  const named = parameters
    .filter(parameter => parameter.in === 'query')
    .map(({ name, schema }) =>
      fc
        .tuple(fc.nat(3), often(values.textOf(name, schema, 0), hostileValue, 75))
        .map(([draw, text]) => (draw === 0 ? [`${name}=${encoded(text.replace(/^"|"$/g, ''))}`] : [])),
    );
  const oddPair = fc.tuple(hostileKey, hostileText).map(([key, text]) => `${encoded(key)}=${encoded(text)}`);
  const odd = fc.oneof(
    oddPair,
    fc.constantFrom(
      'limit=1&limit=2',
      'limit[]=1',
      'limit[gt]=1',
      '&&&',
      '=',
      '?',
      '%',
      '%zz=1',
      'x=%ff',
      'limit',
      'sort=id',
      'a=1;b=2',
    ),
    fc.constantFrom('api_key=sk_test_x1', 'x=rk_live_abc', 'sk_test_abc=1'),
  );
  const extra = often(
    fc.constant<readonly string[]>([]),
    odd.map(pair => [pair]),
    88,
  );
  return fc.tuple(fc.tuple(...named), extra).map(([pairs, odds]) => [...pairs.flat(), ...odds].join('&'));
}

const rawBody: fc.Arbitrary<string> = fc.oneof(
  hostileValue,
  fc.constantFrom(
    '{}',
    '',
    '{',
    '{"a":1}',
    '{"a":1}}',
    '{"a":1} x',
    '{"a":NaN}',
    "{'a':1}",
    '{"a":01}',
    '{"a":1,}',
    '\ufeff{}',
    '[',
    '{"a":"\n"}',
    '//x\n{}',
  ),
  fc.string({ unit: character, maxLength: 60 }),
  fc.nat(70_000).map(length => `{"a":"${'x'.repeat(length)}"}`),
);

const authorization = often(
  fc.constant('Bearer {{key.full}}'),
  fc.oneof(
    fc.constantFrom('reader', 'publishable', 'revoked', 'live', 'other').map(name => `Bearer {{key.${name}}}`),
    fc.constantFrom(
      '', 'Bearer', 'Bearer ', 'bearer {{key.full}}', 'Bearer  {{key.full}}', 'Bearer "{{key.full}}"', 'Basic eDp5', '{{key.full}}',
      'Bearer sk_test_x', 'Bearer {{key.full}}x', 'Bearer {{key.full}} x', `Bearer ${'x'.repeat(300)}`, 'Bearer sk_test_é',
    ), // prettier-ignore
  ),
  88,
);

function headersOf(parameters: readonly Parameter[]): fc.Arbitrary<Readonly<Record<string, string>>> {
  const isHighRisk = parameters.some(({ name }) => name === 'Mfa-Code');
  const maybe = (name: string, percent: number, value: fc.Arbitrary<string>) =>
    often(
      fc.constant({}),
      value.map(text => ({ [name]: text.replace(NOT_A_HEADER_TEXT, '') })),
      100 - percent,
    );
  const drawn = fc.tuple(
    authorization.map(value => ({ authorization: value })),
    maybe(
      'mfa-code',
      isHighRisk ? 80 : 1,
      often(fc.constant('{{mfa.fresh}}'), fc.oneof(hostileText, fc.constant('000000')), 92),
    ),
    maybe('mfa-proof', isHighRisk ? 4 : 1, fc.oneof(hostileText, fc.constant(`mfap_${'x'.repeat(43)}`))),
    maybe('mfa-user', isHighRisk ? 4 : 1, fc.oneof(hostileText, fc.constant('{{usr.0}}'))),
    maybe('idempotency-key', 15, fc.oneof(fc.nat(40).map(String), hostileText, fc.constant('k'.repeat(256)))),
    maybe(
      'api-version',
      90,
      often(fc.constant(NEWEST_API_VERSION), fc.oneof(fc.constantFrom(...API_VERSIONS), hostileText), 92),
    ),
    maybe('content-type', 6, fc.oneof(fc.constantFrom(...CONTENT_TYPES), hostileText)),
    maybe('content-encoding', 1, fc.constantFrom('gzip', 'identity', 'br', 'x')),
    maybe('accept', 2, fc.oneof(fc.constantFrom('text/html', 'application/xml', '*/*;q=0'), hostileText)),
    maybe('x-forwarded-for', 2, fc.oneof(fc.constantFrom('127.0.0.1', '1.2.3.4, 5.6.7.8', 'unknown'), hostileText)),
    maybe('x-http-method-override', 1, fc.constantFrom('DELETE', 'PUT')),
    maybe('cookie', 1, hostileText),
    maybe('range', 1, fc.constant('bytes=0-1')),
    maybe('if-none-match', 1, fc.constant('*')),
  );
  return drawn.map(headers => Object.assign({}, ...headers) as Record<string, string>);
}

const CONTENT_TYPES = [
  'text/plain', 'application/json; charset=utf-8', 'application/json;charset=latin1', 'application/x-www-form-urlencoded', 'APPLICATION/JSON',
  'application/json, text/plain', 'application/json; charset=utf-8; x=y', 'multipart/form-data; boundary=x', 'application/merge-patch+json', 'json',
]; // prettier-ignore
