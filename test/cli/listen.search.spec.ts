import 'reflect-metadata';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runProgram } from '../../src/cli/program';
import { STATUS_BY_OUTCOME } from '../../src/cli/commands/trigger';
import { SANDBOX_OUTCOMES } from '../../src/vocabulary/sandbox-outcomes';
import { searchSize } from '../levels/search-size';
import { SandboxShop } from '../support/sandbox-shop';
import { ServiceInProcess } from '../support/service-in-process';
import { eventually } from '../support/service-process';
import { WebhookReceiver } from '../support/webhook-receiver';

const LIMIT_MS = 60_000;
const STEP_LIMIT_MS = 20_000;
const AWAY = 'http://127.0.0.1:9';
const SETTINGS = { SANDBOX_CHAINS: 'on', BNB_TEST_RPC_URLS: AWAY, TRON_TEST_RPC_URLS: AWAY };
const GIVEN = `whsec_${'a1-_'.repeat(10)}xyz`;

let service: ServiceInProcess;
let shop: SandboxShop;
let receiver: WebhookReceiver;
beforeAll(async () => {
  service = await ServiceInProcess.start(SETTINGS);
  shop = await SandboxShop.openOnEvm(service, 'Corner Shop', 5);
}, LIMIT_MS);
beforeEach(async () => (receiver = await WebhookReceiver.start()));
afterEach(() => receiver.close());
afterAll(() => service?.stop(), LIMIT_MS);

/** The program as a developer runs it: with the address of the service and a test key, on no data. */
class Running {
  readonly written = { out: '', err: '' };
  private readonly interruption = new AbortController();
  readonly ended: Promise<number>;

  constructor(args: readonly string[], env: Readonly<Record<string, string>> = { QUITTANCE_API_KEY: shop.key }) {
    this.ended = runProgram(args, {
      env,
      out: text => void (this.written.out += text),
      err: text => void (this.written.err += text),
      user: 'alice',
      isInteractive: false,
      readLine: () => Promise.resolve(''),
      signal: this.interruption.signal,
    });
  }

  get lines(): readonly string[] {
    return this.written.out.trimEnd().split('\n');
  }

  async ready(): Promise<this> {
    await eventually('the listener', STEP_LIMIT_MS, () => this.written.err.includes('Listening at') || null);
    return this;
  }

  interrupt(): Promise<number> {
    this.interruption.abort(new Error('interrupted'));
    return this.ended;
  }
}

const listen = (...args: readonly string[]) =>
  new Running(['listen', '--url', service.url, '--forward-to', receiver.url, ...args]).ready();
const trigger = async (...args: readonly string[]) => {
  const running = new Running(['trigger', '--url', service.url, ...args]);
  return { exitCode: await running.ended, ...running.written };
};

async function ended(...args: readonly string[]): Promise<readonly [number, string]> {
  const running = new Running(args);
  return [await running.ended, running.written.err];
}

describe('listen', () => {
  it(
    'forwards each event of a payment once, in order, as a delivery of the service comes, and tells the answers',
    async () => {
      const listening = await listen('--print-secret');
      receiver.secret = listening.lines[0] ?? '';
      const { id } = await shop.create();
      await receiver.waitFor('payment.created', id, STEP_LIMIT_MS);
      await shop.done(`POST /v1/payment_intents/${id}/cancel`);
      await receiver.waitFor('payment.canceled', id, STEP_LIMIT_MS);
      await eventually('two lines', STEP_LIMIT_MS, () => listening.lines.length === 3 || null);
      expect(await listening.interrupt()).toBe(0);
      expect([receiver.refused, receiver.events.map(({ type }) => type)]).toEqual([
        0,
        ['payment.created', 'payment.canceled'],
      ]);
      expect(receiver.secret).toMatch(/^whsec_[\w-]{43}$/);
      const [, created, canceled] = listening.lines;
      expect(created).toMatch(new RegExp(`^evt_\\w+ {2}payment\\.created +${id} +-> +200 +\\d+ ms$`));
      expect(canceled).toContain('payment.canceled');
    },
    LIMIT_MS,
  );

  it(
    'sends the bytes that the service sends to an endpoint',
    async () => {
      const endpoint = await WebhookReceiver.start();
      const other = await SandboxShop.register(service, 'Other Shop');
      const terms = { url: endpoint.url, enabled_events: ['*'] };
      endpoint.secret = (await other.done('POST /v1/webhook_endpoints', terms, true)).secret;
      const listening = await listen('--secret', GIVEN, '--json', '--api-key', other.key);
      receiver.secret = GIVEN;
      const { id } = await other.create();
      const forwarded = await receiver.waitFor('payment.created', id, STEP_LIMIT_MS);
      const delivered = await endpoint.waitFor('payment.created', id, STEP_LIMIT_MS);
      expect(JSON.stringify(forwarded)).toBe(JSON.stringify(delivered));
      await eventually('a line', STEP_LIMIT_MS, () => listening.written.out || null);
      expect(await listening.interrupt()).toBe(0);
      expect(listening.lines.map(line => JSON.parse(line) as object)).toMatchObject([
        { event: forwarded.id, type: 'payment.created', payment_intent: id, status_code: 200, error: null },
      ]);
      await endpoint.close();
    },
    LIMIT_MS,
  );

  it(
    'forwards the types that are asked for, and tells a receiver that refuses',
    async () => {
      const listening = await listen('--events', 'payment.canceled,payment.expired');
      receiver.secret = GIVEN;
      const { id } = await shop.create();
      await shop.done(`POST /v1/payment_intents/${id}/cancel`);
      await eventually('a line', STEP_LIMIT_MS, () => listening.written.out || null);
      expect(await listening.interrupt()).toBe(0);
      expect(listening.lines).toEqual([expect.stringMatching(/payment\.canceled .*-> {2}400/)]);
      expect(receiver.refused).toBe(1);
    },
    LIMIT_MS,
  );

  it(
    'tries a receiver that takes no connection yet again',
    async () => {
      const tried: string[] = [];
      const starting = createServer((request, response) => {
        tried.push(String(request.url));
        if (tried.length === 1) request.socket.destroy();
        else response.end();
      });
      starting.listen(0, '127.0.0.1');
      await once(starting, 'listening');
      const { port } = starting.address() as AddressInfo;
      const url = `http://127.0.0.1:${port}/webhooks`;
      const listening = await new Running(['listen', '--url', service.url, '--forward-to', url]).ready();
      const { id } = await shop.create();
      await eventually('a line', STEP_LIMIT_MS, () => listening.written.out || null);
      expect(await listening.interrupt()).toBe(0);
      starting.close();
      expect(listening.lines).toEqual([expect.stringMatching(new RegExp(`payment\\.created +${id} +-> +200 `))]);
      expect(tried).toEqual(['/webhooks', '/webhooks']);
    },
    LIMIT_MS,
  );

  it('prints the same secret for the same key, which tells nothing of the key', async () => {
    const [one, other] = [
      new Running(['listen', '--print-secret']),
      new Running(['listen', '--print-secret', '--json']),
    ];
    expect([await one.ended, await other.ended]).toEqual([0, 0]);
    expect(JSON.parse(other.written.out)).toEqual({ signing_secret: one.lines[0] });
    expect(one.written.out).not.toContain(shop.key.slice(-12));
  });

  it.each([
    ['a secret that is none', ['--print-secret', '--secret', 'whsec_short'], 'invalid_signing_secret', '(--secret)'],
    ['a receiver elsewhere', ['--forward-to', 'https://example.com/hooks'], '--forward-to', 'on this machine'],
    ['no receiver', [], '--forward-to', 'missing'],
    [
      'a type that is none',
      ['--print-secret', '--events', 'payment.paid'],
      '--events',
      'There is no type payment.paid.',
    ],
    ['a service in clear text', ['--print-secret', '--url', 'http://example.com'], '--url', 'https'],
    ['a live key', ['--print-secret', '--api-key', 'sk_live_abc'], '--api-key', 'test mode'],
  ])('is misused with %s, and names it', async (_, args, ...parts) => {
    const [exitCode, err] = await ended('listen', ...args);
    expect(exitCode).toBe(2);
    for (const part of parts) expect(err).toContain(part);
    expect(err).not.toContain('sk_live_abc');
  });

  it('is misused without a key, and fails with a key of nobody and where no service is', async () => {
    const keyless = new Running(['listen', '--print-secret'], {});
    expect([await keyless.ended, keyless.written.err]).toEqual([2, expect.stringContaining('QUITTANCE_API_KEY')]);
    const astray = new Running(['listen', '--print-secret'], { QUITTANCE_API_KEY: shop.key, QUITTANCE_URL: 'here' });
    expect([await astray.ended, astray.written.err]).toEqual([2, expect.stringContaining('QUITTANCE_URL')]);
    const args = ['listen', '--forward-to', receiver.url, '--url'];
    const stranger = new Running([...args, service.url, '--api-key', `sk_test_${'a'.repeat(49)}`]);
    expect([await stranger.ended, stranger.written.err]).toEqual([1, expect.stringContaining('invalid_api_key')]);
    const [exitCode, err] = await ended(...args, AWAY);
    expect([exitCode, err]).toEqual([1, expect.stringMatching(/No answer from http:\/\/127\.0\.0\.1:9 .*--url/)]);
  });
});

describe('trigger', () => {
  // The outcome `late` moves the clock of the merchant.
  const outcomes = [...SANDBOX_OUTCOMES]
    .sort((one, other) => Number(one === 'late') - Number(other === 'late'))
    .slice(0, searchSize('TRIGGERED_OUTCOMES', { small: 2, full: 7 }));

  it('is misused with an outcome or a payment that is none, and tells the allowed ones', async () => {
    expect(await ended('trigger', 'paid')).toEqual([2, expect.stringMatching(/'paid'.*exact, short, over, late/)]);
    expect(await ended('trigger', 'exact', '--payment', 'pay_1')).toEqual([2, expect.stringContaining('--payment')]);
  });

  it('fails with the code of the API, for a payment of nobody and a token without a route', async () => {
    const none = await trigger('exact', '--payment', 'pi_00000000000000000000000001');
    expect([none.exitCode, none.err]).toEqual([1, expect.stringContaining('payment_not_found')]);
    const routeless = await trigger('exact', '--token', 'usdt-tron');
    expect([routeless.exitCode, routeless.err]).toEqual([1, expect.stringMatching(/no_route_configured.*--token/)]);
    const tiny = await trigger('exact', '--amount', '0');
    expect([tiny.exitCode, tiny.err]).toEqual([1, expect.stringMatching(/amount_too_small.*\(amount\)/)]);
  });

  it(
    'takes a payment that waits, and tells each step',
    async () => {
      const id = await shop.quote();
      const { exitCode, out, err } = await trigger('exact', '--payment', id);
      expect([exitCode, err]).toEqual([0, '']);
      expect(out.trimEnd().split('\n')).toEqual([
        `${id} of 2500 EUR is awaiting_payment`,
        expect.stringMatching(/^it asks for [\d.]+ USDC on base$/),
        `${service.url.replace('127.0.0.1', 'localhost')}/checkout/${id}`,
        expect.stringMatching(/^the customer sent [\d.]+: 0x[0-9a-f]{64}$/),
        `${id} is confirmed`,
      ]);
      const again = await trigger('exact', '--payment', id);
      expect([again.exitCode, again.err]).toEqual([1, expect.stringContaining('invalid_state_transition')]);
    },
    LIMIT_MS,
  );

  it.each(outcomes)(
    'brings a new payment to the state of %s',
    async outcome => {
      const { exitCode, out } = await trigger(outcome, '--json');
      const told = JSON.parse(out) as { readonly payment_intent: string };
      const status = STATUS_BY_OUTCOME[outcome];
      expect({ exitCode, ...told }).toMatchObject({ exitCode: 0, outcome, status, expected: status });
      expect(await shop.status(told.payment_intent)).toBe(status);
    },
    LIMIT_MS,
  );
});
