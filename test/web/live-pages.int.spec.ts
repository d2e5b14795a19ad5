import { once } from 'node:events';
import { createServer, get, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { RecordingLog } from '../support/fixture-doubles';
import { LivePages } from '../../web/http/live-pages';

let server: Server;
let live: LivePages;
let position = 0;
let head: number | null = null;
/** How often each of them was asked for. */
const reads = { position: 0, heads: 0 };
let version = 'v1';
let looks = 0;
let reader = '10.0.0.1';
let page = 'pi_1';
/** Reached before a request asks for its stream. */
let before: (response: ServerResponse) => Promise<void>;
let log: RecordingLog;
const clock = {
  timeMs: 0,
  now: () => clock.timeMs,
  wait: () => new Promise<void>(resolve => setImmediate(resolve)),
};

beforeEach(async () => {
  [position, head, reads.position, reads.heads] = [1, null, 0, 0];
  [version, looks, reader, page, clock.timeMs] = ['v1', 0, '10.0.0.1', 'pi_1', 60_000];
  before = () => Promise.resolve();
  log = new RecordingLog();
  const changes = {
    lastPosition: () => Promise.resolve((reads.position++, position)),
    heads: () => Promise.resolve((reads.heads++, [head, 7])),
  };
  live = new LivePages(changes, clock, log);
  server = createServer((_, response) => {
    const name = page;
    const look = () => {
      looks++;
      return version === '' || name.startsWith('broken') ? Promise.reject(new Error('away')) : Promise.resolve(version);
    };
    const asked = { page: name, version: look, address: reader, headers: {} };
    void before(response).then(() => {
      if (!live.open(response, asked)) response.writeHead(204).end();
    });
  }).listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
});
afterEach(async () => {
  await live.onModuleDestroy();
  server.close();
});

type Stream = {
  readonly answer: IncomingMessage;
  readonly text: () => string;
  readonly until: (part: string) => Promise<void>;
};

function open(): Promise<Stream> {
  const { port } = server.address() as AddressInfo;
  return new Promise(resolve => {
    get({ port, host: '127.0.0.1' }, answer => {
      let received = '';
      answer.on('data', chunk => (received += String(chunk)));
      answer.on('error', () => undefined);
      const until = async (part: string) => {
        while (!received.includes(part)) await new Promise(next => setImmediate(next));
      };
      resolve({ answer, text: () => received, until });
    });
  });
}

test('a stream first says where the page stands, then each other state once', async () => {
  const { answer, until, text } = await open();
  expect(answer.headers['content-type']).toContain('text/event-stream');
  await until('data: v1\n\n');
  [version, position] = ['v2', 2];
  await until('data: v2\n\n');
  position = 3;
  clock.timeMs += 10_000;
  version = 'v3';
  await until('data: v3\n\n');
  expect(text()).toBe('retry: 1000\n\nid: v1\ndata: v1\n\nid: v2\ndata: v2\n\nid: v3\ndata: v3\n\n');
});

test('a page is looked at when something has changed, and after a time', async () => {
  const { until } = await open();
  await until('v1');
  const before = looks;
  for (let turn = 0; turn < 20; turn++) await new Promise(next => setImmediate(next));
  expect(looks).toBe(before);
  version = 'v2';
  clock.timeMs += 10_000;
  await until('v2');
});

test('a page follows a head, and one look of five asks for the heads', async () => {
  const { until } = await open();
  await until('v1');
  [version, head] = ['v2', 1];
  await until('v2');
  for (let turn = 0; turn < 50; turn++) await new Promise(next => setImmediate(next));
  expect(reads.position).toBeGreaterThan(5);
  expect(reads.heads).toBe(Math.ceil(reads.position / 5));
});

test('a page that cannot be looked at keeps its stream', async () => {
  version = '';
  const { until } = await open();
  await until('retry');
  while (log.lines.length === 0) await new Promise(next => setImmediate(next));
  version = 'v1';
  clock.timeMs += 1_000;
  await until('data: v1');
});

test('a reader has four streams of a page, and another reader has its own', async () => {
  const streams = await Promise.all(Array.from({ length: 5 }, open));
  expect(streams.map(({ answer }) => answer.statusCode).sort()).toStrictEqual([200, 200, 200, 200, 204]);
  reader = '10.0.0.2';
  expect((await open()).answer.statusCode).toBe(200);
  [reader, page] = ['10.0.0.1', 'pi_2'];
  expect((await open()).answer.statusCode).toBe(200);
});

test('a closed stream makes room', async () => {
  const streams = await Promise.all(Array.from({ length: 4 }, open));
  streams[0]?.answer.destroy();
  for (let status = 204; status === 204;) status = (await open()).answer.statusCode ?? 0;
});

test('a reader who has left before the stream opens takes no place', async () => {
  for (let visit = 0; visit < 4; visit++) {
    await new Promise<void>(resolve => {
      before = async response => {
        left.destroy();
        await new Promise(closed => response.once('close', closed));
        setImmediate(resolve);
      };
      const left = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
      left.on('error', () => undefined);
    });
  }
  before = () => Promise.resolve();
  expect((await open()).answer.statusCode).toBe(200);
});

test('an answer that waits behind another one has no stream, nor has HEAD', async () => {
  const { port } = server.address() as AddressInfo;
  const asked = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
  const opened: boolean[] = [];
  const openOf = live.open.bind(live);
  jest.spyOn(live, 'open').mockImplementation((...given) => opened[opened.push(openOf(...given)) - 1] as boolean);
  const socket = connect(port, '127.0.0.1', () => socket.write(asked.repeat(3)));
  const head = request({ port, host: '127.0.0.1', method: 'HEAD' }).end();
  const [answer] = (await once(head, 'response')) as [IncomingMessage];
  while (opened.length < 4) await new Promise(next => setImmediate(next));
  expect([answer.statusCode, opened.filter(Boolean)]).toStrictEqual([204, [true]]);
  socket.destroy();
});

test('a stream has the headers of every answer', async () => {
  const { headers } = (await open()).answer;
  expect(headers).toMatchObject({
    'cache-control': 'no-store, no-transform',
    'strict-transport-security': 'max-age=31536000',
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
  });
});

test('a reader has 64 streams in all, and an address of IPv6 counts by its network', async () => {
  const statuses = [];
  for (let number = 0; number < 65; number++) {
    [page, reader] = [`pi_${number}`, `2001:db8::${number}`];
    statuses.push((await open()).answer.statusCode);
  }
  expect(statuses.filter(status => status === 200)).toHaveLength(64);
  [page, reader] = ['pi_other', '2001:db8:0:1::1'];
  expect((await open()).answer.statusCode).toBe(200);
});

test('pages that cannot be looked at hold up no others, and leave one warning a turn', async () => {
  for (let number = 0; number < 60; number++) {
    page = `broken_${number}`;
    await open();
  }
  page = 'pi_1';
  const { until } = await open();
  await until('data: v1');
  [version, position] = ['v2', 2];
  await until('data: v2');
  const [looksBefore, warned] = [looks, log.lines.length];
  clock.timeMs += 1_000;
  while (looks < looksBefore + 60) await new Promise(next => setImmediate(next));
  expect(log.lines.length - warned).toBeLessThanOrEqual(3);
});

test('quiet streams get comments, and end after an hour', async () => {
  const { until, answer } = await open();
  await until('v1');
  clock.timeMs += 15_000;
  await until(': \n\n');
  const ended = new Promise(resolve => answer.once('end', resolve));
  clock.timeMs += 3_600_000;
  await ended;
});

test('all streams end as the service stops', async () => {
  const { answer, until } = await open();
  await until('v1');
  const ended = new Promise(resolve => answer.once('end', resolve));
  await live.onModuleDestroy();
  await ended;
  expect((await open()).answer.statusCode).toBe(204);
});
