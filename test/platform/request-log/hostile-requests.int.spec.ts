import { setImmediate as nextTurn } from 'node:timers/promises';
import { timedId } from '../../../src/vocabulary/ids';
import { loggedRequest, type SeenRequest } from '../../../src/platform/request-log/logged-request';
import { RequestLog } from '../../../src/platform/request-log/request-log';
import { longestHold } from '../../support/longest-hold';
import { MemoryDocuments } from '../../support/memory-documents';
import { ManualClock, NOON, RecordingLog } from '../../support/payment-fixture';

/** Some hundred times as long as a cut text takes. */
const HOLD_LIMIT_MS = 500;
/** As long as Node lets a request's head be. */
const HEAD_BYTES = 16_000;
const BODY_BYTES = 65_536;
/** Each letter after a sign could begin the scheme of a URL with credentials. */
const MANY_SCHEMES = '+a'.repeat(BODY_BYTES / 2);

function seen(number: number, part: Partial<SeenRequest>): SeenRequest {
  return {
    requestId: timedId('req', NOON, new Uint8Array(10).fill(number)),
    merchantId: null,
    mode: null,
    keyId: null,
    method: 'GET',
    route: null,
    target: '/nope',
    status: 404,
    code: 'unknown_route',
    ms: 1,
    headers: {},
    requestBody: null,
    responseBody: null,
    ip: '127.0.0.1',
    receivedMs: NOON,
    ...part,
  };
}

const text = (length: number) => `://${MANY_SCHEMES.slice(0, length)}`;

it.each<[string, number, Partial<SeenRequest>]>([
  ['paths of strangers', 64, { target: `/${text(HEAD_BYTES)}` }],
  ['queries of strangers', 64, { target: `/nope?a=${text(HEAD_BYTES)}` }],
  ['headers of strangers', 64, { headers: { 'user-agent': text(HEAD_BYTES) } }],
  ['names of headers', 64, { headers: { [text(HEAD_BYTES)]: 'x' } }],
  ['bodies', 6, { merchantId: 'mch_1', requestBody: JSON.stringify({ a: text(BODY_BYTES - 16) }) }],
  ['names of fields', 6, { merchantId: 'mch_1', requestBody: JSON.stringify({ [text(BODY_BYTES - 16)]: 1 }) }],
])('keeps hostile %s without holding up everybody else', async (_, count, part) => {
  const requests = await RequestLog.open(new MemoryDocuments(), new ManualClock(NOON), new RecordingLog());
  for (let number = 0; number < count; number++) requests.note(seen(number, part));
  expect(await longestHold(() => requests.flush())).toBeLessThan(HOLD_LIMIT_MS);
});

it('gives others their turn after each request', async () => {
  const requests = await RequestLog.open(new MemoryDocuments(), new ManualClock(NOON), new RecordingLog());
  const looked: number[] = [];
  for (let number = 0; number < 8; number++) {
    const request = seen(number, {});
    const headers = {};
    Object.defineProperty(headers, 'accept', { enumerable: true, get: () => (looked.push(number), 'x') });
    requests.note({ ...request, merchantId: 'mch_1', headers });
  }
  const seenAtTurn: number[] = [];
  let isOver = false;
  const others = (async () => {
    do {
      seenAtTurn.push(looked.length);
      await nextTurn();
    } while (!isOver);
    seenAtTurn.push(looked.length);
  })();
  await requests.flush().finally(() => (isOver = true));
  await others;
  const steps = seenAtTurn.map((count, index) => count - (seenAtTurn[index - 1] ?? 0));
  expect(Math.max(...steps)).toBe(1);
});

it('looks at no more of a text than is kept of it', () => {
  const late = 'x'.repeat(9_000);
  const { request_body } = loggedRequest(seen(1, { requestBody: `{"a":"${late}","b":` }));
  expect(request_body).toMatch(/^\{"a":"x+"?[\]}]*… \(cut\)$/);
});

it.each([
  ['in a text', `{"first":1,"note":"${'x'.repeat(9_000)}"}`, /^\{"first":1,"note":"x+"?[\]}]*… \(cut\)$/],
  ['in a list', `{"list":[${'{"a":[1,2]},'.repeat(900)}{}]}`, /^\{"list":\[(?:\{"a":\[1,2\]\},?)+.{0,20}… \(cut\)$/],
  ['in a name', `{"a":{"b":[1,true]},"${'n'.repeat(9_000)}":1}`, /^\{"a":\{"b":\[1,true\]\}\}… \(cut\)$/],
  ['in an escape', `{"a":"${'\\u0041'.repeat(2_000)}"}`, /^\{"a":"A+"\}… \(cut\)$/],
  ['after a backslash', `{"ab":"${'\\"'.repeat(9_000)}"}`, /^\{"ab":"(?:\\")+\\?"?\}?… \(cut\)$/],
  ['in a number', `{"a":"b","c":${'1'.repeat(9_000)}}`, /^\{"a":"b"\}… \(cut\)$/],
  ['in blanks', `{"a":"b",${' '.repeat(9_000)}"c":1}`, /^\{"a":"b"\}… \(cut\)$/],
])('keeps the beginning of a long body that is cut %s', (_, requestBody, shown) => {
  expect(loggedRequest(seen(1, { requestBody })).request_body).toMatch(shown);
});

it('takes secrets out of the beginning of a long body', () => {
  const requestBody = JSON.stringify({ password: 'CANARY', token: ['CANARY'], rest: 'x'.repeat(9_000) });
  const { request_body } = loggedRequest(seen(1, { requestBody }));
  expect(request_body).toMatch(/^\{"password":"\[redacted\]","token":"\[redacted\]","rest":"x+"?[\]}]*… \(cut\)$/);
});

it('keeps nothing of a long body whose beginning is no JSON', () => {
  const requestBody = `{"a":1,,"b":"CANARY${'x'.repeat(9_000)}"}`;
  expect(loggedRequest(seen(1, { requestBody })).request_body).toBe(`[not JSON, ${requestBody.length} bytes]`);
});

it.each([
  ['between escapes', '/%41'],
  ['inside an escape', '/a%41'],
  ['inside a character', '/%E2%82%AC'],
])('decodes a long path that is cut %s', (_, start) => {
  const target = `/v1${start}${'%E2%82%AC'.repeat(900)}`;
  expect(loggedRequest(seen(1, { target })).path).toMatch(/^\/v1\/.*€… \(cut\)$/);
});
