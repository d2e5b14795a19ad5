import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Mode } from '../../../src/vocabulary/modes';
import { HttpImageSource } from '../../../src/platform/webhooks/http-image-source';
import { selfSigned } from './certificates';
import { DnsServer } from './dns-server';

const HOST = 'logos.merchant.example';
const MOST_BYTES = 1_024;
const own = selfSigned(HOST);
const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map(resource => resource.close()));
});

/** A server of logos; `source` fetches from it. */
async function serve(listener: RequestListener, timeoutMs?: number) {
  const sockets = new Set<Socket>();
  const server = createTlsServer(own, listener);
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const dns = await DnsServer.start((_, type) => (type === 'A' ? ['127.0.0.1'] : []));
  open.push(dns, {
    close: async () => {
      sockets.forEach(socket => socket.destroy());
      server.close();
      await once(server, 'close');
    },
  });
  const source = new HttpImageSource({
    allowedSubnets: ['127.0.0.0/8'],
    ports: [443],
    dnsServers: [dns.address],
    ca: own.cert,
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  const { port } = server.address() as AddressInfo;
  const fetch = (path = '/logo.png', mode: Mode = 'test') =>
    source.fetch({ mode, url: path.includes('://') ? path : `https://${HOST}:${port}${path}`, mostBytes: MOST_BYTES });
  return { fetch, port };
}

it('takes the very bytes of one GET, to the last one that is allowed', async () => {
  const seen: unknown[] = [];
  const image = Buffer.alloc(MOST_BYTES, 7);
  const { fetch, port } = await serve(({ method, url, headers }, response) => {
    seen.push({ method, url, headers });
    response.end(image);
  });
  expect(Buffer.from(await fetch('/logo.png?v=2#part'))).toStrictEqual(image);
  const headers = {
    accept: 'image/png, image/jpeg, image/webp',
    'accept-encoding': 'identity',
    'user-agent': 'Quittance-Logos/1',
    host: `${HOST}:${port}`,
    connection: 'close',
  };
  expect(seen).toStrictEqual([{ method: 'GET', url: '/logo.png?v=2', headers }]);
});

it.each<[string, RequestListener]>([
  ['too_large', (_, response) => response.end(Buffer.alloc(MOST_BYTES + 1))],
  ['too_large', (_, response) => endless(response)],
  ['status_404', (_, response) => response.writeHead(404).end()],
  ['status_302', (_, response) => response.writeHead(302, { location: 'https://10.0.0.1/' }).end()],
  [
    'connection_failed',
    (_, response) => response.writeHead(200, { 'content-length': 9 }).write('half', () => response.destroy()),
  ],
  ['connection_failed', (_, response) => response.destroy()],
])('answers %s', async (code, listener) => {
  const { fetch } = await serve(listener);
  await expect(fetch()).rejects.toMatchObject({ name: 'ImageUnavailable', code });
});

it('gives up a server that never ends', async () => {
  const { fetch } = await serve((_, response) => void response.write('half'), 500);
  await expect(fetch()).rejects.toMatchObject({ code: 'timeout' });
});

it('goes to no private address in live mode, by no other scheme than https, and with no password', async () => {
  const { fetch, port } = await serve((_, response) => response.end('x'));
  await expect(fetch('/logo.png', 'live')).rejects.toMatchObject({ code: 'blocked_address' });
  for (const url of [
    `http://127.0.0.1:${port}/`,
    `https://user:secret@${HOST}:${port}/`,
    'https://169.254.169.254/latest/meta-data',
    'https://[::ffff:10.0.0.1]/',
    `https://10.0.0.1:${port}/`,
    'file:///etc/passwd',
    'data:image/png;base64,iVBORw0KGgo=',
    'logo',
  ])
    await expect(fetch(url.includes('://') ? url : `x://${url}`)).rejects.toMatchObject({ code: 'blocked_address' });
});

function endless(response: {
  write(text: string): boolean;
  once(event: string, act: () => void): unknown;
  destroyed?: boolean;
}): void {
  if (response.destroyed) return;
  if (response.write('x'.repeat(64))) setImmediate(() => endless(response));
  else response.once('drain', () => endless(response));
}
