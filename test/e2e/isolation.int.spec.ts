import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SandboxShop } from '../support/sandbox-shop';
import { ServiceInProcess } from '../support/service-in-process';

const LIMIT_MS = 60_000;
/** A wait for a source of rates takes ten seconds, and a wait for a check of readiness five. */
const QUICK_MS = 4_000;

const babbles: RequestListener = (_, response) => void response.end('<html>Welcome</html>');

/** Takes every question and answers none. */
class Silence {
  asked = 0;
  /** Questions that were taken back: each one after ten seconds. */
  givenUp = 0;

  readonly listener: RequestListener = request => {
    this.asked += 1;
    request.on('close', () => (this.givenUp += 1));
  };
}

let servers: Server[];
let service: ServiceInProcess;
let shop: SandboxShop;
const silence = { chain: new Silence(), rates: new Silence() };
let atStart: readonly { readonly asked: number; readonly givenUp: number }[];

async function urlOf(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function timed<T>(call: () => Promise<T>): Promise<readonly [T, number]> {
  const startedAt = Date.now();
  const answer = await call();
  return [answer, Date.now() - startedAt];
}

/**
 * TRON's provider never answers, BNB's says nothing that can be read, no source of live rates answers; Base has its
 * local chain.
 */
beforeAll(async () => {
  servers = [];
  const silentRates = await urlOf(silence.rates.listener);
  const settings = {
    MODES: 'test,live',
    SANDBOX_CHAINS: 'on',
    TRON_TEST_RPC_URLS: await urlOf(silence.chain.listener),
    BNB_TEST_RPC_URLS: await urlOf(babbles),
    LIVE_RATE_SOURCES: 'coinbase,kraken',
    COINBASE_URL: silentRates,
    KRAKEN_URL: silentRates,
  };
  service = await ServiceInProcess.start(settings);
  atStart = [silence.chain, silence.rates].map(({ asked, givenUp }) => ({ asked, givenUp }));
  shop = await SandboxShop.openOnEvm(service, 'Corner Shop', 5);
}, LIMIT_MS);

afterAll(async () => {
  for (const server of servers) server.closeAllConnections();
  await service?.stop();
  await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))));
}, LIMIT_MS);

describe('while the providers of two networks and all live rates are away', () => {
  it(
    'the service has started while its first questions were open, and is ready, and behind nowhere before five minutes',
    async () => {
      expect(atStart.map(({ asked, givenUp }) => [asked > 0, givenUp])).toStrictEqual([
        [true, 0],
        [true, 0],
      ]);
      const [{ status, body }, tookMs] = await timed(() => service.ask('GET /readyz'));
      expect([status, body.status]).toStrictEqual([200, 'ok']);
      expect(tookMs).toBeLessThan(QUICK_MS);
      expect([body.checks.coverage, body.alarms]).toStrictEqual(['ok', []]);
    },
    LIMIT_MS,
  );

  it(
    'a payment of the third network goes its way',
    async () => {
      const id = await shop.quote();
      await shop.play(id, 'exact');
      expect(await shop.status(id)).toBe('confirmed');
    },
    LIMIT_MS,
  );

  it('no request waits for a source of rates: what cannot be priced is refused at once', async () => {
    const terms = { amount: '2500', currency: 'EUR' };
    const [created, tookMs] = await timed(() =>
      service.ask('POST /v1/payment_intents', { key: shop.liveKey, body: terms }),
    );
    expect([created.status, created.body.error.code]).toStrictEqual([402, 'currency_not_quotable']);
    expect(tookMs).toBeLessThan(QUICK_MS);
    const [listed, listedInMs] = await timed(() => service.ask('GET /v1/exchange_rates', { key: shop.liveKey }));
    expect(listed.status).toBe(200);
    expect(listedInMs).toBeLessThan(QUICK_MS);
  });

  it('no quote is given on a network that nobody watches yet', async () => {
    const { id } = await shop.create();
    const choice = { token_id: 'usdt-bnb', wallet_id: 'wal_00000000000000000000000000' };
    const answer = await shop.ask(`POST /v1/payment_intents/${id}/select_method`, choice);
    expect(answer.body.error.code).toBe('unsupported_network');
  });
});
