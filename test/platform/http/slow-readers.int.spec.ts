import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { IDLE_MS } from '../../../src/platform/http/http-app';
import { startTestApp, type TestApp } from './http-test-app';

/** Long enough that a busy machine alone is not taken for a slow client. */
const SHORT_MS = 4_000;
const LIMIT_MS = 60_000;
const REQUEST = 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n';
/** Fewer than a connection may let wait. */
const AT_ONCE = 16;

let app: TestApp;
let client: Socket | undefined;

beforeEach(async () => {
  app = await startTestApp();
});
afterEach(async () => {
  client?.destroy();
  await app.app.close();
});

it(
  'cuts off a client that takes nothing of its answers',
  async () => {
    const server = app.app.getHttpServer() as Server;
    expect(server.timeout).toBe(IDLE_MS);
    server.timeout = SHORT_MS;
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    client = connect(app.port, '127.0.0.1').pause();
    client.on('error', () => undefined);
    const [socket] = await accepted;
    let [untaken, sent, answered] = [0, 0, 0];
    server.on('request', (_, response: ServerResponse) => response.once('finish', () => answered++));
    socket.once('timeout', () => (untaken = socket.writableLength));
    // The system's buffers take the first megabytes.
    while (!socket.destroyed) {
      if (answered === sent) {
        client.write(REQUEST.repeat(AT_ONCE));
        sent += AT_ONCE;
      }
      await new Promise(resolve => setTimeout(resolve, 10));
    }
    expect(untaken).toBeGreaterThan(0);
  },
  LIMIT_MS,
);
