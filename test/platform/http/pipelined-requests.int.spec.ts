import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { ask, sendRaw } from './exchange';
import { startTestApp, type TestApp } from './http-test-app';

const CONNECTIONS = 60;
const REQUESTS = 40;
const REQUEST = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.app.close());

describe('a client that sends many requests at once over many connections', () => {
  let sockets: readonly Socket[];
  let answers: number;

  beforeEach(async () => {
    answers = 0;
    sockets = await Promise.all(
      Array.from({ length: CONNECTIONS }, () => {
        return new Promise<Socket>(resolve => {
          const socket: Socket = connect(app.port, '127.0.0.1', () => resolve(socket));
          socket.on('data', chunk => (answers += chunk.toString().split('HTTP/1.1 200').length - 1));
        });
      }),
    );
  });

  afterEach(() => sockets.forEach(socket => socket.destroy()));

  it('has an answer to each, and another client has its own long before', async () => {
    // The connection stands already, as a merchant's does.
    expect((await ask(app, 'GET /healthz', { key: null })).status).toBe(200);
    for (const socket of sockets) socket.write(REQUEST.repeat(REQUESTS));
    expect((await ask(app, 'GET /healthz', { key: null })).status).toBe(200);
    expect(answers).toBeLessThan((CONNECTIONS * REQUESTS) / 4);
    for (const deadline = Date.now() + 15_000; answers < CONNECTIONS * REQUESTS && Date.now() < deadline;)
      await pause(20);
    expect(answers).toBe(CONNECTIONS * REQUESTS);
  });

  it('loses a connection over which it sends more than may wait, and nobody else does', async () => {
    const [flood, ...others] = sockets as [Socket, ...Socket[]];
    const closed = new Promise(resolve => flood.once('close', resolve));
    flood.write(REQUEST.repeat(1_000));
    for (const socket of others) socket.write(REQUEST);
    await closed;
    for (const deadline = Date.now() + 15_000; answers < others.length && Date.now() < deadline;) await pause(20);
    expect(others.every(socket => !socket.destroyed)).toBe(true);
    const { head } = await sendRaw(app, 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(head).toContain('200 OK');
  });
});
