import fc from 'fast-check';
import type { ApiDocument } from '../../src/platform/docs/api-document';
import { fuzzedRequest, type FuzzedRequest } from './requests';

/** The pieces that are put on one connection; each character is one byte, references aside. */
export type RawMessage = { readonly pieces: readonly string[] };

const AUTHORIZATION = 'Authorization: Bearer {{key.full}}\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';
const ORDER = '{"amount":"2500","currency":"EUR"}';
const PIECES_LIMIT = 4;

const get = (path = '/v1/payment_intents'): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${AUTHORIZATION}\r\n`;
const post = (framing: string, body: string): string =>
  `POST /v1/payment_intents HTTP/1.1\r\nHost: x\r\n${AUTHORIZATION}${JSON_TYPE}${framing}\r\n${body}`;
const sized = `Content-Length: ${ORDER.length}\r\n`;
const chunked = (...chunks: readonly string[]): string =>
  `${chunks.map(chunk => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')}0\r\n\r\n`;
const SMUGGLED = 'GET /v1/wallets HTTP/1.1\r\nHost: x\r\n\r\n';

/** Heads and bodies that two readers may split at two places, and others that no reader should take. */
const ODD: readonly string[] = [
  post(`${sized}Transfer-Encoding: chunked\r\n`, chunked(ORDER)),
  post(`Transfer-Encoding: chunked\r\n${sized}`, `0\r\n\r\n${SMUGGLED}`),
  post(`${sized}Content-Length: 0\r\n`, ORDER),
  post(`Content-Length: 0\r\n${sized}`, ORDER + SMUGGLED),
  post(`Content-Length: ${ORDER.length}, ${ORDER.length}\r\n`, ORDER),
  ...['+34', '-1', '0x22', '34 ', ' 34', '3 4', '034', '1e1', '34abc', '', '99999999999999999999', '٣٤'].map(length =>
    post(`Content-Length: ${length}\r\n`, ORDER),
  ),
  ...['Transfer-Encoding: xchunked', 'Transfer-Encoding : chunked', 'Transfer-Encoding:\tchunked', 'Transfer-Encoding: chunked, identity', 'Transfer-Encoding: gzip, chunked', 'Transfer-Encoding: identity', 'Transfer-Encoding:\x0bchunked', 'X: y\r\n Transfer-Encoding: chunked', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: x', 'transfer-encoding: CHUNKED'].map(
    framing => post(`${framing}\r\n`, chunked(ORDER)),
  ),
  post('Transfer-Encoding: chunked\r\n', chunked(ORDER.slice(0, 7), ORDER.slice(7))),
  post('Transfer-Encoding: chunked\r\n', `22;ext="\r\n${ORDER}\r\n0\r\n\r\n`),
  post('Transfer-Encoding: chunked\r\n', `22;${'e'.repeat(20_000)}\r\n${ORDER}\r\n0\r\n\r\n`),
  post('Transfer-Encoding: chunked\r\n', `FFFFFFFFFFFFFFFFFF\r\n${ORDER}`),
  post('Transfer-Encoding: chunked\r\n', `-1\r\n${ORDER}\r\n0\r\n\r\n`),
  post('Transfer-Encoding: chunked\r\n', `0x22\r\n${ORDER}\r\n0\r\n\r\n`),
  post('Transfer-Encoding: chunked\r\n', `22\n${ORDER}\n0\n\n`),
  post('Transfer-Encoding: chunked\r\n', `${chunked(ORDER).slice(0, -2)}Authorization: Bearer x\r\nContent-Length: 5\r\n\r\n`),
  post('Transfer-Encoding: chunked\r\n', chunked('x'.repeat(70_000))),
  post(`${sized}Expect: 100-continue\r\n`, ORDER),
  post(`${sized}Expect: nonsense\r\n`, ORDER),
  post(`${sized}Connection: close, upgrade\r\nUpgrade: h2c\r\n`, ORDER),
  post(`${sized}Connection: Content-Length\r\n`, ORDER),
  post('Content-Length: 70000\r\n', 'x'.repeat(70_000)),
  post('Content-Length: 999999999\r\n', 'x'),
  post(sized, ORDER + SMUGGLED),
  post('', ORDER),
  get().replace('HTTP/1.1', 'HTTP/1.0'),
  ...['HTTP/1.2', 'HTTP/2.0', 'HTTP/0.9', 'http/1.1', 'HTTP/1.1x', 'HTTP/11', '', 'HTTP/1.1 '].map(version => get().replace('HTTP/1.1', version)),
  ...['/v1/payment intents', '/v1/\x00', '/v1/\x7f', '/v1/\xff', '\\v1', 'v1', '*', 'http://x/v1/payment_intents', 'x:443', '/v1/%', '/v1/%zz', '/%2e%2e/', `/${'x'.repeat(20_000)}`].map(get),
  get().replace('Host: x\r\n', ''),
  get().replace('Host: x', 'Host: x\r\nHost: y'),
  get().replace('Host: x', 'Host : x'),
  get().replace('Host: x', 'Host: x\nX: y'),
  get().replace('Host: x', 'Host: x\rX: y'),
  get().replace('Host: x', 'Host: x\r\n folded'),
  get().replace('Host: x', ': x'),
  get().replace('Host: x', 'X\x00: y'),
  get().replace('Host: x', 'X: \x00'),
  get().replace('Host: x', `X: ${'y'.repeat(20_000)}`),
  get().replace('Host: x', 'X: y\r\n'.repeat(3_000)),
  get().replace(AUTHORIZATION, AUTHORIZATION + AUTHORIZATION),
  get().replace('GET', 'get'), get().replace('GET', 'G\x00T'), get().replace('GET', 'BREW'), get().replace('GET', ' GET'), get().replace('GET ', 'GET\t'),
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', '\r\n\r\n\r\n', 'x',
  'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n', 'TRACE / HTTP/1.1\r\nHost: x\r\n\r\n', get('/v1/wallets?x=\xff'), 'QUIT\r\n', '\x00'.repeat(100),
]; // prettier-ignore

function written({ method, path, headers, body }: FuzzedRequest): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const bytes = body === null ? '' : Buffer.from(body).toString('latin1');
  const length = body === null ? '' : `Content-Length: ${bytes.length}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: x\r\n${lines.join('')}${length}\r\n${bytes}`;
}

type Edit = {
  readonly at: number;
  readonly kind: 'cut' | 'flip' | 'insert' | 'delete' | 'repeat';
  readonly text: string;
};

const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  kind: fc.constantFrom('cut', 'flip', 'insert', 'delete', 'repeat'),
  text: fc.constantFrom('\r\n', '\n', '\r', '\x00', ' ', ':', '\xff', '\r\n\r\n', '0', '\t', ','),
});

function edited(message: string, { at, kind, text }: Edit): string {
  const index = Math.floor(at * message.length);
  const [before, after] = [message.slice(0, index), message.slice(index)];
  switch (kind) {
    case 'cut':
      return before;
    case 'flip':
      return before + String.fromCharCode((after.charCodeAt(0) || 0) ^ (1 << (index % 8))) + after.slice(1);
    case 'insert':
      return before + text + after;
    case 'delete':
      return before + after.slice(1 + (index % 5));
    case 'repeat':
      return before + after.slice(0, 40) + after;
  }
}

export function rawMessage(document: ApiDocument): fc.Arbitrary<RawMessage> {
  const sound = fuzzedRequest(document)
    .filter(({ method }) => method !== 'HEAD')
    .map(written);
  const odd = fc.constantFrom(...ODD);
  const broken = fc
    .tuple(fc.oneof(sound, odd), fc.array(edit, { minLength: 1, maxLength: 3 }))
    .map(([message, edits]) => edits.reduce(edited, message));
  const pipelined = fc
    .array(fc.oneof(fc.constant(get()), sound, odd), { minLength: 2, maxLength: 4 })
    .map(messages => messages.join(''));
  const noise = fc.uint8Array({ maxLength: 80 }).map(bytes => Buffer.from(bytes).toString('latin1'));
  const message = fc.oneof(
    { weight: 2, arbitrary: sound },
    { weight: 4, arbitrary: odd },
    { weight: 5, arbitrary: broken },
    { weight: 2, arbitrary: pipelined },
    { weight: 1, arbitrary: noise },
  );
  return fc.tuple(message, fc.nat(PIECES_LIMIT)).map(([text, cuts]) => ({ pieces: inPieces(text, cuts + 1) }));
}

function inPieces(text: string, count: number): readonly string[] {
  const length = Math.ceil(text.length / count) || 1;
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  );
}
