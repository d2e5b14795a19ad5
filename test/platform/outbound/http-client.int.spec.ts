import { inspect } from 'node:util';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { ask, bytesOf, type HttpRequest } from '../../../src/platform/outbound/http-client';
import { fetchText } from '../../../src/platform/outbound/fetch-text';
import {
  ANSWER_LIMIT_MS,
  AnsweringServer,
  answerWith,
  cutOff,
  neverAnswer,
  SILENCE_MS,
  stallAfter,
} from '../rates/answering-server';
import { eventually } from '../../support/service-process';

let server: AnsweringServer;

beforeEach(async () => {
  server = await AnsweringServer.start();
});

afterEach(() => server.stop());

async function asked(request: Partial<HttpRequest> = {}, read = bytesOf): Promise<string> {
  const limits = { timeoutMs: ANSWER_LIMIT_MS, mostBytes: 1_000, statuses: [200] };
  return (await ask({ url: `${server.url}/v1`, ...limits, ...request }, read)).toString('utf8');
}

const faultOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (error: unknown) => error,
  );

test('a question without a body is a GET, and one with a body posts it as JSON', async () => {
  const methods: string[] = [];
  const bodies: string[] = [];
  server.answer = (request, response) => {
    methods.push(`${request.method} ${request.headers['content-type']}`);
    request.on('data', chunk => bodies.push(String(chunk)));
    request.on('end', () => response.end('{}'));
  };
  await asked();
  await asked({ body: { asked: 1 }, headers: { 'x-key': 'k' } });
  expect(methods).toStrictEqual(['GET undefined', 'POST application/json']);
  expect(bodies).toStrictEqual(['{"asked":1}']);
  expect(server.headers).toMatchObject({ 'x-key': 'k', accept: 'application/json' });
});

test('a redirect is not followed', async () => {
  server.answer = answerWith('', 302, { location: `${server.url}/elsewhere` });
  expect(await faultOf(asked())).toMatchObject({ name: 'NoAnswer' });
  expect(server.requests).toStrictEqual(['/v1']);
});

test.each([
  ['of another status', answerWith('busy', 503), { name: 'OtherStatus', status: 503 }],
  ['of too many requests', answerWith('', 429), { name: 'PauseWanted', pauseMs: null, status: 429 }],
  ['that names a pause', answerWith('', 503, { 'retry-after': '7' }), { name: 'PauseWanted', pauseMs: 7_000 }],
  ['that is longer than is read', answerWith('x'.repeat(1_001)), { name: 'ResponseTooLarge' }],
  ['that breaks off', cutOff, { name: 'NoAnswer' }],
])('an answer %s is a fault of its own kind', async (_, answer, fault) => {
  server.answer = answer;
  expect(await faultOf(asked())).toMatchObject(fault);
});

test('an answer of as many bytes as are read is read', async () => {
  server.answer = answerWith('x'.repeat(1_000));
  expect(await asked()).toHaveLength(1_000);
});

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
])('an answer that is compressed by %s is read, up to as many bytes as it holds', async (coding, compress) => {
  const compressed = compress('x'.repeat(1_000));
  server.answer = (_, response) => response.writeHead(200, { 'content-encoding': coding }).end(compressed);
  expect(await asked()).toBe('x'.repeat(1_000));
  expect(await faultOf(asked({ mostBytes: 999 }))).toMatchObject({ name: 'ResponseTooLarge' });
  server.answer = (_, response) => response.writeHead(200, { 'content-encoding': coding }).end('x'.repeat(1_000));
  expect(await faultOf(asked())).toMatchObject({ name: 'NoAnswer' });
});

test('questions use one connection after another, and an answer that is left closes its own', async () => {
  const ports = new Set<unknown>();
  server.answer = (request, response) => {
    ports.add(request.socket.remotePort);
    response.end('x'.repeat(1_000));
  };
  for (let questions = 0; questions < 3; questions++) await asked();
  expect(ports.size).toBe(1);
  expect(await faultOf(asked({ mostBytes: 10 }))).toMatchObject({ name: 'ResponseTooLarge' });
  await asked();
  expect(ports.size).toBe(2);
});

test('a switch of protocols is no answer', async () => {
  const switched = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n';
  server.answer = (_, response) => void response.socket?.write(switched);
  expect(await faultOf(asked())).toMatchObject({ name: 'NoAnswer', code: 'ECONNRESET' });
});

test('an answer that its reader leaves unread closes its connection', async () => {
  let open = 0;
  server.answer = (request, response) => {
    open += 1;
    request.socket.once('close', () => (open -= 1));
    response.write('x'.repeat(1_000));
  };
  expect(await asked({}, () => Promise.resolve(Buffer.from('unread')))).toBe('unread');
  await eventually('the end of the connection', ANSWER_LIMIT_MS, () => (open === 0 ? true : null));
});

test('nobody is asked once the caller has left', async () => {
  expect(await faultOf(asked({ signal: AbortSignal.abort() }))).toMatchObject({ name: 'NoAnswer', code: 'AbortError' });
  expect(server.requests).toStrictEqual([]);
});

test.each([
  ['no server', 'http://127.0.0.1:9', 'ECONNREFUSED'],
  ['no URL', 'nowhere', 'ERR_INVALID_URL'],
])('%s is no answer', async (_, url, code) => {
  expect(await faultOf(asked({ url }))).toMatchObject({ name: 'NoAnswer', code });
});

test.each([
  ['that never comes', neverAnswer],
  ['that falls silent', stallAfter('{"a":')],
])('an answer %s is given up after its time', async (_, answer) => {
  server.answer = answer;
  const fault = await faultOf(asked({ timeoutMs: SILENCE_MS, mostTimeouts: 30 }));
  expect(fault).toMatchObject({ name: 'NoAnswer', code: 'TimeoutError' });
});

test('whoever asked can leave before the answer', async () => {
  server.answer = neverAnswer;
  const leaving = new AbortController();
  const fault = faultOf(asked({ signal: leaving.signal }));
  leaving.abort();
  expect(await fault).toMatchObject({ name: 'NoAnswer', code: 'AbortError' });
});

test('what reads the answer is told of as it is', async () => {
  const limits = { timeoutMs: ANSWER_LIMIT_MS, mostBytes: 10, statuses: [200] };
  const read = () => Promise.reject(new SyntaxError('not what was asked for'));
  expect(await faultOf(ask({ url: server.url, ...limits }, read))).toBeInstanceOf(SyntaxError);
});

test('no error names the address that was asked, which may hold a key', async () => {
  const url = server.url.replace('http://', 'http://reader:verysecretkey@');
  const fault = await faultOf(fetchText({ source: 'a source', url: `${url}/v1?key=verysecretkey` }));
  expect(fault).toMatchObject({ code: 'provider_unavailable', message: 'a source gave no complete answer.' });
  expect(inspect(fault, { depth: Infinity })).not.toContain('verysecretkey');
});
