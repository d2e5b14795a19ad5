import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fastify from 'fastify';
import { HttpCaller } from './http-caller';
import { ReadOnce } from './read-once';
import { RoundTrips } from './round-trips';

const SOON_MS = 20;
const WALLET = 'live.wallet-wal_1';

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

/** A server whose routes read a wallet once or twice, or wait between, and one whose gate answers first. */
async function staged() {
  const trips = new RoundTrips();
  const log = trips.log({ readStream: () => pause(1).then(() => []) } as never);
  const clock = trips.waits({ wait: (ms: number) => pause(ms) }, ['wait']);
  const server = fastify({ forceCloseConnections: true });
  server.addHook('onRequest', async (request, reply) => {
    if (request.url === '/barred') await reply.code(429).send();
  });
  const readOnce = new ReadOnce({ getHttpAdapter: () => ({ getInstance: () => server }) } as never);
  const twice = async (between: () => unknown) => {
    await log.readStream(WALLET);
    await between();
    await log.readStream(WALLET);
    return {};
  };
  const apart = { work: () => log.readStream(WALLET) };
  trips.setOff(apart, 'work');
  server.post('/twice', () => twice(() => undefined));
  server.get('/slowly', () => twice(() => pause(SOON_MS)));
  server.get('/waited', () => twice(() => clock.wait(1)));
  server.get('/once', async () => {
    await apart.work();
    return log.readStream(WALLET);
  });
  server.get('/barred', () => twice(() => undefined));
  server.get('/gone', (_, reply) => reply.redirect('/dashboard/sign-in', 303));
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as { port: number };
  return { server, readOnce, clock, caller: new HttpCaller(port, readOnce) };
}

let stage: Awaited<ReturnType<typeof staged>>;
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'routes-'));
  process.env['COUNTED_ROUTES'] = folder;
  stage = await staged();
});
afterEach(() => stage.server.close());

const get = (at: string) => stage.caller.send({ method: 'GET', path: at });

function counted(): string {
  const file = path.join(folder, 'counted');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

it('tells of a request that reads twice, also where its body was read in between', async () => {
  const sent = { method: 'POST', path: '/twice', headers: { 'content-type': 'application/json' }, body: '{}' };
  await expect(stage.caller.send(sent)).rejects.toThrow(`has read twice: readStream wallet ${WALLET}`);
  await expect(get('/slowly')).rejects.toThrow('has read twice');
});

it('takes what is read after a wait of its own for read anew, and not after one of somebody else', async () => {
  await expect(get('/waited')).resolves.toMatchObject({ status: 200 });
  const pausing = setInterval(() => void stage.clock.wait(1), 1);
  await expect(get('/slowly')).rejects.toThrow('has read twice');
  clearInterval(pausing);
});

it('tells requests at the same time apart, and what a request sets off', async () => {
  const replies = await Promise.all([get('/once'), get('/once'), get('/barred'), get('/once')]);
  expect(replies.map(({ status }) => status)).toStrictEqual([200, 200, 429, 200]);
  await expect(Promise.all([get('/once'), get('/slowly')])).rejects.toThrow('GET /slowly');
});

it('lets a request read anew that says so', async () => {
  await expect(stage.readOnce.anew(() => get('/slowly'))).resolves.toMatchObject({ status: 200 });
  expect(counted()).toBe('');
});

it('counts the route of an answer, and of none that failed, that leads to the sign-in, or that never came', async () => {
  await get('/once');
  await get('/gone');
  await get('/barred');
  await stage.server.close();
  await expect(get('/waited')).rejects.toThrow();
  expect(counted()).toBe('GET /once\n');
});
