import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { CLOSING_MS } from '../../../src/platform/http/bounded-closing';
import { eventually } from '../../contracts/contract-support';
import { KEYS, NOW, startTestApp, type TestApp } from './http-test-app';

const HEAD = 'POST /v1/orders HTTP/1.1\r\nHost: a\r\n';
const BODY_BEGUN = `${HEAD}Authorization: Bearer ${KEYS.full}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`;

let app: TestApp;
let sockets: Socket[];
let agent: Agent;
let waits: { readonly delayMs: number; readonly end: () => void }[];
let answer: () => void;

beforeEach(async () => {
  [sockets, waits, agent] = [[], [], new Agent({ keepAlive: true })];
  const wait = (delayMs: number, signal?: AbortSignal) =>
    new Promise<void>(end => {
      waits.push({ delayMs, end });
      signal?.addEventListener('abort', () => end());
    });
  app = await startTestApp(['test'], { clock: { now: () => NOW, wait } });
  app.slow.gate = new Promise(resolve => (answer = resolve));
});
afterEach(() => {
  answer();
  for (const socket of sockets) socket.destroy();
  agent.destroy();
});

/** Resolves once the server has the connection and the bytes. */
async function hold(bytes: string): Promise<Socket> {
  const server = app.app.getHttpServer();
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const socket = connect(app.port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  const [accepting] = await accepted;
  socket.write(bytes);
  await eventually(() => accepting.bytesRead === bytes.length);
  return socket;
}

async function ask(path: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${KEYS.full}` };
  const request = get({ port: app.port, path, agent, headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  return response;
}

/** A request whose handler waits for `answer`: null where its connection ends without one. */
async function askSlowly(): Promise<{ readonly asked: Promise<IncomingMessage | null> }> {
  const asked = ask('/v1/slow').catch(() => null);
  await eventually(() => app.slow.reached === 1);
  return { asked };
}

const closingWait = () => waits.find(({ delayMs }) => delayMs === CLOSING_MS);

it.each([
  ['has sent nothing', ''],
  ['stops in the middle of a head', HEAD],
])('closes at once a connection that %s', async (_, bytes) => {
  await hold(bytes);
  await app.app.close();
  expect(closingWait()).toBeDefined();
});

it('closes at once a connection that a client keeps alive', async () => {
  expect((await ask('/healthz')).statusCode).toBe(200);
  await app.app.close();
});

it('answers a request under way, and closes its connection then, though the client would keep it', async () => {
  const { asked } = await askSlowly();
  const closing = app.app.close();
  await eventually(() => closingWait() !== undefined);
  answer();
  expect((await asked)?.statusCode).toBe(200);
  await closing;
});

it.each([
  ['whose answer never comes', () => askSlowly()],
  ['whose body never comes', () => hold(BODY_BEGUN)],
])('cuts off a request %s, at the end of the time', async (_, begin) => {
  await begin();
  const closing = app.app.close();
  await eventually(() => closingWait() !== undefined);
  closingWait()?.end();
  await closing;
});
