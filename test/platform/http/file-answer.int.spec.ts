import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { RateLimits } from '../../../src/platform/rate-limits/rate-limits';
import { eventually } from '../../contracts/contract-support';
import { beginDownload } from '../../support/download';
import { MemoryDocuments } from '../../support/memory-documents';
import { ManualClock, NOON } from '../../support/payment-fixture';
import { ask } from './exchange';
import { KEYS, NOW, startTestApp, type TestApp } from './http-test-app';

const UNDER_WAY_LIMIT = 32;
const RATES = { write: 100, read: 10_000, address: 100 };

let app: TestApp;

beforeEach(async () => {
  const rateLimits = await RateLimits.open(new MemoryDocuments(), new ManualClock(NOON), RATES);
  app = await startTestApp(['test'], { rateLimits });
});
afterEach(() => app.app.close());

const begin = () => beginDownload({ port: app.port, path: '/v1/file', key: KEYS.full });
const statusOf = async (path: string): Promise<number> => (await ask(app, `GET ${path}`)).status;

it('is a request under way until its client leaves, and ends then', async () => {
  const files = await Promise.all(Array.from({ length: UNDER_WAY_LIMIT }, begin));
  expect(new Set(files.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  expect(await statusOf('/v1/any_key')).toBe(429);
  expect(app.slow.ended).toBe(0);
  files[0]?.destroy();
  await eventually(async () => (await statusOf('/v1/any_key')) === 200);
  for (const file of files) file.destroy();
  await eventually(() => app.slow.ended === UNDER_WAY_LIMIT);
});

it('ends as well where its client has left before it began', async () => {
  let open: () => void = () => undefined;
  app.slow.gate = new Promise(resolve => (open = resolve));
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${KEYS.full}` };
  const left = Array.from({ length: UNDER_WAY_LIMIT }, () =>
    fetch(`${app.url}/v1/file`, { headers, signal: leaving.signal }).catch(() => null),
  );
  await eventually(() => app.slow.reached === UNDER_WAY_LIMIT);
  leaving.abort();
  await Promise.all(left);
  open();
  await eventually(() => app.slow.ended === UNDER_WAY_LIMIT);
  await eventually(async () => (await statusOf('/v1/any_key')) === 200);
});

describe('whose connection has stood still for its time', () => {
  async function begun() {
    const accepted = once(app.app.getHttpServer() as Server, 'connection') as Promise<[Socket]>;
    const file = await begin();
    const [socket] = await accepted;
    return { file, socket };
  }

  it('goes on where its client waits for the next part', async () => {
    let speak: () => void = () => undefined;
    app.slow.silence = new Promise(resolve => (speak = resolve));
    const { file, socket } = await begun();
    let taken = 0;
    file.on('data', (part: Buffer) => (taken += part.length));
    file.on('error', () => undefined);
    await eventually(() => taken > 0 && socket.writableLength === 0);
    const before = taken;
    socket.emit('timeout');
    speak();
    await eventually(() => taken > before || file.destroyed);
    expect(file.destroyed).toBe(false);
    file.destroy();
  });

  it('is cut off where its client takes nothing', async () => {
    const { file, socket } = await begun();
    file.on('error', () => undefined);
    await eventually(() => socket.writableNeedDrain);
    socket.emit('timeout');
    await eventually(() => app.slow.ended === 1);
    expect(socket.destroyed).toBe(true);
    file.destroy();
  });
});

it('leaves turns to others while a client takes it', async () => {
  const file = await begin();
  let taken = 0;
  file.on('data', (part: Buffer) => (taken += part.length));
  await eventually(() => taken > 1_000_000);
  expect(await statusOf('/v1/any_key')).toBe(200);
  file.destroy();
});

it('begins no file for HEAD', async () => {
  const headers = { authorization: `Bearer ${KEYS.full}` };
  const { status } = await fetch(`${app.url}/v1/file`, { method: 'HEAD', headers });
  expect(status).toBe(200);
  await eventually(() => app.slow.ended === app.slow.reached);
});

it('is cut with its connection where the service closes', async () => {
  await app.app.close();
  app = await startTestApp(['test'], { clock: { now: () => NOW, wait: () => Promise.resolve() } });
  const file = await begin();
  const broken = new Promise(done => file.once('error', done));
  file.resume();
  const closing = app.app.close();
  expect(await broken).toMatchObject({ code: 'ECONNRESET' });
  await closing;
});
