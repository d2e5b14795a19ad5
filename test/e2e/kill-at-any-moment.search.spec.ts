import { randomInt, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ConnectionError, RefusedError } from '../../clients/typescript/src';
import type { RecordedEvent } from '../../src/kernel/event';
import { EvmChain } from '../../src/platform/chains/evm/evm-chain';
import { SystemClock } from '../../src/platform/clock/system-clock';
import { EmbeddedFile } from '../../src/platform/embedded-file/embedded-file';
import { EmbeddedEventStore } from '../../src/platform/event-store/embedded/embedded-event-store';
import { TOKENS } from '../../src/vocabulary/tokens';
import { searchSize } from '../levels/search-size';
import { Customer } from '../support/customer';
import { runCli } from '../support/command-line';
import type { Merchant, QuotedPayment } from '../support/merchant';
import { recordedEvents } from '../support/recorded-events';
import { eventually, pause } from '../support/service-process';
import { WebhookReceiver } from '../support/webhook-receiver';
import { KilledService } from './killed-service';

/** `STORMS=20000 npx jest test/e2e/kill-at-any-moment -t storm` for a night's run. */
const STORMS = searchSize('STORMS', { small: 1, full: 15 });
/** Every third storm meets the end of the process, at a moment within which all of a storm happens here. */
const KILL_EVERY = 3;
const LONGEST_STORM_MS = 60;
const MOST_DUPLICATES = 50;

const KILLS = searchSize('KILLS', { small: 1, full: 20 });
/** A small search kills the service once, during a payment. */
const KILLS_EACH_STEP = KILLS > 1;
/** About as long as a payment takes from its creation to its last webhook here. */
const LONGEST_PAYMENT_MS = 4_000;

const OUTCOMES = ['exact', 'late', 'short'] as const;
/** The first so many of them. A small search kills the service amid a payment alone: each start costs seconds. */
const TRIED = OUTCOMES.slice(0, searchSize('SANDBOX_KILLS', { small: 0, full: OUTCOMES.length }));
const CONTRACT = TOKENS['usdc-base'].contract.test;
const LIMIT_MS = 60_000;

type Answer = { readonly text: string; readonly replayed: boolean };

let service: KilledService;
let merchant: Merchant;

beforeAll(async () => {
  service = await KilledService.start();
  ({ merchant } = service);
}, 2 * LIMIT_MS);

afterAll(() => service.stop(), LIMIT_MS);

describe('storms of duplicates', () => {
  /** Every storm's one answer, by its key. */
  const storms = new Map<string, string>();

  /**
   * The behaviour of a client: it sends the same request under the same key until an answer comes, whatever happens
   * between.
   */
  function create(key: string): Promise<Answer> {
    return eventually('an answer', LIMIT_MS, async () => {
      const answer = await fetch(`${service.baseUrl}/v1/payment_intents`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${merchant.key}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify({ amount: '2500', currency: 'EUR', metadata: { storm: key } }),
        signal: AbortSignal.timeout(LIMIT_MS),
      }).catch(() => null);
      const text = await answer?.text().catch(() => null);
      if (!answer || typeof text !== 'string') return null;
      if (answer.status === 200) return { text, replayed: answer.headers.get('idempotent-replayed') === 'true' };
      const { error } = JSON.parse(text) as { error: { code: string } };
      if (error.code === 'idempotency_key_in_use' || answer.status >= 500) return null;
      throw new Error(`${answer.status}: ${text}`);
    });
  }

  async function createdEvents(): Promise<readonly RecordedEvent[]> {
    const file = EmbeddedFile.open(service.dataFolder, { role: 'tool' });
    const store = new EmbeddedEventStore(file, new SystemClock());
    const created = await recordedEvents(store, 'payment_intent', 'PaymentIntentCreated');
    await store.close();
    file.close();
    return created;
  }

  it.each(Array.from({ length: STORMS }, (_, n) => [n + 1, n % KILL_EVERY === 1, randomInt(2, MOST_DUPLICATES + 1)]))(
    'storm %i, process killed: %s, %i duplicates: one answer',
    async (_, killed, duplicates) => {
      const key = randomUUID();
      const clients = Array.from({ length: Number(duplicates) }, () => create(key));
      const [answers] = await Promise.all([
        Promise.all(clients),
        killed ? service.killAndRestart(randomInt(LONGEST_STORM_MS)) : null,
      ]);
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      // Only the request that worked has an answer that is no replay; that request may have lost its connection.
      expect(answers.filter(({ replayed }) => !replayed).length).toBeLessThanOrEqual(1);
      storms.set(key, answers[0]?.text ?? '');
    },
    2 * LIMIT_MS,
  );

  it('left one effect each, which is the one that was answered', async () => {
    const created = await createdEvents();
    expect(created.length).toBe(STORMS);
    for (const [key, text] of storms) {
      const [event, ...others] = created.filter(({ data }) => (data.metadata as { storm: string }).storm === key);
      expect(others).toStrictEqual([]);
      const { id } = JSON.parse(text) as { id: string };
      expect(event?.stream).toBe(`test.payment_intent-${id}`);
    }
  });

  it('are answered a day long: a late duplicate of each has the same answer', async () => {
    for (const [key, text] of storms) {
      expect(await create(key)).toStrictEqual({ text, replayed: true });
    }
  });
});

describe('a service that is killed at any moment', () => {
  let receiver: WebhookReceiver;
  let customer: Customer;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    // An effect that was answered before a kill is there after it: every later step needs the one before.
    await merchant.listenWith(receiver);
    if (KILLS_EACH_STEP) await service.killAndRestart();
    await merchant.verifyWallet('base');
    if (KILLS_EACH_STEP) await service.killAndRestart();
    if (KILLS_EACH_STEP) {
      await merchant.routeTo('USDC', 'base');
      await service.killAndRestart();
    } else {
      // The command line needs no one-time code, and the fourth of a merchant is half a minute away.
      await runCli(service.dataFolder, ['route', 'set', 'USDC', 'base', merchant.walletId]);
    }
    customer = Customer.onSandbox(service.dataFolder, 'base');
  }, 2 * LIMIT_MS);

  afterAll(async () => {
    customer.close();
    await receiver.close();
  });

  /**
   * A client asks again where a connection breaks, and where a service that is starting says so. Any other reply is an
   * answer.
   */
  function persistently<T>(what: string, act: () => Promise<T>): Promise<T> {
    return eventually(what, LIMIT_MS, async () => {
      try {
        return await act();
      } catch (error) {
        const isStarting = error instanceof RefusedError && error.status === 503;
        if (!isStarting && !(error instanceof ConnectionError)) throw error;
        return null;
      }
    });
  }

  async function selectMethod(id: string): Promise<QuotedPayment> {
    try {
      return await persistently('a quote', () => merchant.selectMethod(id, 'usdc-base'));
    } catch (error) {
      // The answer was lost, not the quote: it is there to be read.
      if (error instanceof RefusedError && error.code === 'invalid_state_transition')
        return persistently('the quote', () => merchant.payment(id));
      throw error;
    }
  }

  async function payment(): Promise<string> {
    const { id } = await persistently('an intent', () => merchant.createIntent('2500', 'EUR'));
    const { payment_method: method } = await selectMethod(id);
    await customer.pay(String(method.token_contract), String(method.address), String(method.token_amount_base_units));
    await pause(randomInt(1_000));
    await customer.mine(13);
    await receiver.waitFor('payment.confirmed', id, LIMIT_MS);
    return id;
  }

  it.each(Array.from({ length: KILLS }, (_, round) => [round + 1, randomInt(LONGEST_PAYMENT_MS)]))(
    'kill %d, after %d ms: confirmed, credited once, every webhook delivered',
    async (_, delayMs) => {
      const [id] = await Promise.all([payment(), service.killAndRestart(delayMs)]);
      const paid = await persistently('the payment', () => merchant.payment(id));
      expect(paid).toMatchObject({ status: 'confirmed', received_amount: '2500' });
      expect(paid.transfers.map(transfer => transfer.status)).toStrictEqual(['credited']);
      const { data: history } = await merchant.api.paymentIntents.events(id).firstPage();
      const types = history.map(({ type }) => type);
      expect(new Set(types).size).toBe(types.length);
      for (const type of ['payment.created', 'payment.detected', 'payment.confirming', 'payment.confirmed']) {
        await receiver.waitFor(type, id, LIMIT_MS);
        const ids = receiver.events.filter(event => event.type === type && event.data.id === id).map(event => event.id);
        expect(new Set(ids).size).toBe(1);
      }
      expect(receiver.refused).toBe(0);
    },
    2 * LIMIT_MS,
  );
});

// The wallet and the route are those of the payments before.
if (TRIED.length > 0) describe('a sandbox transfer whose process is killed before it answers', () => {
  let chain: EvmChain;

  beforeAll(() => {
    const record = JSON.parse(readFileSync(path.join(service.dataFolder, 'sandbox-base.json'), 'utf8')) as {
      port: number;
    };
    chain = new EvmChain({ network: 'base', mode: 'test', urls: [`http://127.0.0.1:${record.port}`] });
  });

  function send(payment: QuotedPayment, outcome: string): Promise<Response> {
    return fetch(`${service.baseUrl}/v1/sandbox/transfers`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${merchant.key}`,
        'content-type': 'application/json',
        'idempotency-key': `transfer-${payment.id}`,
      },
      body: JSON.stringify({ payment_intent: payment.id, outcome }),
    });
  }

  /** Transfers to the payment's address since it was quoted, by their hashes. */
  async function sent(payment: QuotedPayment, since: number): Promise<readonly string[]> {
    const found: string[] = [];
    for (let height = (await chain.head()).number; height >= since; height--) {
      const block = await chain.blockAt(height);
      if (!block) continue;
      const { transfers } = await chain.transfersInBlock(block.hash, CONTRACT, [payment.payment_method.address]);
      found.push(...transfers.map(({ txHash }) => txHash));
    }
    return found;
  }

  test.each(TRIED)(
    'is sent once, with the outcome %s',
    async outcome => {
      const { id } = await merchant.createIntent('2500', 'EUR');
      const payment = await merchant.selectMethod(id, 'usdc-base');
      const since = (await chain.head()).number;
      const lost = send(payment, outcome).then(
        answer => answer.status,
        () => 'lost',
      );
      await eventually('the transfer', LIMIT_MS, async () => ((await sent(payment, since)).length > 0 ? true : null));
      await service.kill();
      expect(await lost).toBe('lost');
      await service.restart();
      const answer = await send(payment, outcome);
      const body = (await answer.json()) as { tx_hash: string };
      expect([answer.ok, body.tx_hash]).toEqual([true, expect.stringMatching(/^0x/)]);
      expect(await sent(payment, since)).toEqual([body.tx_hash]);
      const ended = { exact: 'confirmed', late: 'paid_late', short: 'underpaid' }[outcome];
      expect((await merchant.payment(id)).status).toBe(ended);
    },
    2 * LIMIT_MS,
  );
}); // prettier-ignore

it(
  'all of these leave a log whose every hash holds, and read models that are what the log says',
  async () => {
    const audit = await runCli(service.dataFolder, ['audit', 'verify']);
    expect(audit).toMatchObject({ intact: true });
    const verified = await eventually('equal read models', LIMIT_MS, async () => {
      const { projections } = await runCli(service.dataFolder, ['projections', 'verify']);
      const rows = projections as readonly { readonly name: string; readonly equal: boolean }[];
      return rows.every(({ equal }) => equal) ? rows : null;
    });
    expect(verified.length).toBeGreaterThan(5);
  },
  LIMIT_MS,
);
