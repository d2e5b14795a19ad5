import { connect, type Socket } from 'node:net';
import { RateLimits } from '../../../src/platform/rate-limits/rate-limits';
import { CONNECTIONS_BY_ADDRESS_LIMIT as LIMIT } from '../../../src/platform/http/connection-limit';
import { MemoryDocuments } from '../../support/memory-documents';
import { ManualClock, NOON } from '../../support/payment-fixture';
import { startTestApp, type TestApp } from './http-test-app';

const REQUEST = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';

let app: TestApp;
let sockets: Socket[] = [];

async function start(trustedProxies = 0): Promise<void> {
  const rates = { write: 100, read: 100, address: 100 };
  const rateLimits = await RateLimits.open(new MemoryDocuments(), new ManualClock(NOON), rates);
  app = await startTestApp(['test'], { rateLimits, trustedProxies });
}

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await app.app.close();
});

/** `answered`, or `closed` where the server ended the connection without an answer. */
function ask(localAddress = '127.0.0.1'): Promise<string> {
  return new Promise(resolve => {
    const socket = connect({ port: app.port, host: '127.0.0.1', localAddress }, () => socket.write(REQUEST));
    sockets.push(socket);
    socket.once('data', () => resolve('answered'));
    socket.on('error', () => resolve('closed')).on('close', () => resolve('closed'));
  });
}

async function outcomes(count: number): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const outcome of await Promise.all(Array.from({ length: count }, () => ask())))
    found[outcome] = (found[outcome] ?? 0) + 1;
  return found;
}

it('serves so many connections of an address, leaves others room, and takes more once some are closed', async () => {
  await start();
  expect(await outcomes(LIMIT)).toEqual({ answered: LIMIT });
  expect(await outcomes(20)).toEqual({ closed: 20 });
  expect(await ask('127.0.0.2')).toBe('answered');
  const [first] = sockets as [Socket];
  const closed = new Promise(resolve => first.once('close', resolve));
  first.destroy();
  await closed;
  let again = await ask();
  while (again === 'closed') again = await ask();
  expect(again).toBe('answered');
});

it('counts none behind a proxy, from which all of them come', async () => {
  await start(1);
  expect(await outcomes(LIMIT + 20)).toEqual({ answered: LIMIT + 20 });
});
