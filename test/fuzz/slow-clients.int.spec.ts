import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { answersIn } from './raw-exchange';
import { Contract } from './contract';
import { World } from './world';

const SETUP_LIMIT_MS = 60_000;
const TEST_LIMIT_MS = 40_000;
/** The service's own times are shortened here by as much as a test can wait; how often they are looked at is not. */
const HEAD_TIMEOUT_MS = 400;
const REQUEST_TIMEOUT_MS = 800;
const CUT_WITHIN_MS = 10_000;
const TRICKLE_MS = 50;

const HEAD =
  'POST /v1/payment_intents HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {{key.full}}\r\nContent-Type: application/json\r\n';

/** The bytes that are sent at once, and those that then trickle in, one by one, for as long as the connection lasts. */
const SLOW: readonly (readonly [name: string, atOnce: string, trickle: string])[] = [
  ['says nothing', '', ''],
  ['stops in the middle of its head', HEAD.slice(0, 40), ''],
  ['sends its head byte by byte', '', 'GET /v1/wallets HTTP/1.1\r\n'.padEnd(10_000, 'X: y\r\n')],
  ['never ends its head', HEAD, 'X: y\r\n'.repeat(2_000)],
  ['stops before its body', `${HEAD}Content-Length: 34\r\n\r\n`, ''],
  ['sends its body byte by byte', `${HEAD}Content-Length: 20000\r\n\r\n`, ' '.repeat(20_000)],
  ['never ends its chunks', `${HEAD}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'.repeat(2_000)],
  ['stops in the middle of a second request', `GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n${HEAD}`, ''],
];

describe('clients that take their time', () => {
  let world: World;
  let contract: Contract;

  beforeAll(async () => {
    world = await World.open();
    contract = new Contract(world.document);
  }, SETUP_LIMIT_MS);

  afterAll(() => world.close());

  it('have 10 seconds for a head and 30 for a request', () => {
    const { headersTimeout, requestTimeout } = world.instance.app.getHttpServer();
    expect([headersTimeout, requestTimeout]).toEqual([10_000, 30_000]);
  });

  it(
    'are cut off then, each of them, while others are served',
    async () => {
      const server = world.instance.app.getHttpServer();
      Object.assign(server, { headersTimeout: HEAD_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS });
      const cut = Promise.all(SLOW.map(([, atOnce, trickle]) => held(world.fill(atOnce), trickle)));
      let served = 0;
      let isOver = false;
      const others = async (): Promise<void> => {
        while (!isOver) {
          const { status } = await world.instance.caller.send({ method: 'GET', path: '/healthz' });
          expect(status).toBe(200);
          served++;
          await pause(TRICKLE_MS);
        }
      };
      const serving = others();
      const received = await cut.finally(() => (isOver = true));
      await serving;
      expect(served).toBeGreaterThan(5);
      for (const [index, bytes] of received.entries()) {
        const faults = answersIn(bytes).map(answer =>
          contract.faultOf({ operation: null, method: 'GET', headers: {} }, answer),
        );
        expect([SLOW[index]?.[0], ...faults.filter(fault => fault !== null)]).toEqual([SLOW[index]?.[0]]);
        expect(
          answersIn(bytes).every(answer =>
            [undefined, 'request_aborted'].includes(contract.codeOf(answer) ?? undefined),
          ),
        ).toBe(true);
      }
    },
    TEST_LIMIT_MS,
  );

  /** Resolves with every byte that came once the other side has closed; rejects where it does not. */
  function held(atOnce: string, trickle: string): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let sent = 0;
      const socket = connect(world.instance.port, '127.0.0.1', () => socket.write(atOnce));
      const dripping = setInterval(
        () => socket.writable && sent < trickle.length && socket.write(trickle.charAt(sent++)),
        TRICKLE_MS,
      );
      const limit = setTimeout(() => socket.destroy(new Error('it was not cut off')), CUT_WITHIN_MS);
      socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      socket.on('error', (error: NodeJS.ErrnoException) => (error.code === undefined ? reject(error) : undefined));
      socket.on('close', () => {
        clearInterval(dripping);
        clearTimeout(limit);
        resolve(Buffer.concat(chunks));
      });
    });
  }
});
