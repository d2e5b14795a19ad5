import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ConnectionError, RefusedError } from '../../clients/typescript/src';
import { searchSize } from '../levels/search-size';
import { Customer } from '../support/customer';
import { runCli } from '../support/command-line';
import { Merchant, type QuotedPayment } from '../support/merchant';
import { eventually, freePort, pause, ServiceProcess } from '../support/service-process';
import { WebhookReceiver } from '../support/webhook-receiver';

const KILLS = searchSize('KILLS', { small: 1, full: 20 });
/** A small search kills the service once, during a payment. */
const KILLS_EACH_STEP = KILLS > 1;
/** About as long as a payment takes from its creation to its last webhook here. */
const LONGEST_DELAY_MS = 4_000;
const LIMIT_MS = 60_000;
const AWAY = 'http://127.0.0.1:9';
/** The other networks have no local chain, and their providers do not answer. */
const BASE_ALONE = { BNB_TEST_RPC_URLS: AWAY, TRON_TEST_RPC_URLS: AWAY };

describe('a service that is killed at any moment', () => {
  let dataFolder: string;
  let port: number;
  let service: ServiceProcess;
  let receiver: WebhookReceiver;
  let merchant: Merchant;
  let customer: Customer;

  beforeAll(async () => {
    dataFolder = mkdtempSync(path.join(tmpdir(), 'quittance-kill-'));
    port = await freePort();
    receiver = await WebhookReceiver.start();
    service = await ServiceProcess.start({ dataFolder, port, env: BASE_ALONE });
    merchant = await Merchant.register(dataFolder, service.baseUrl);
    // An effect that was answered before a kill is there after it: every later step needs the one before.
    await merchant.listenWith(receiver);
    if (KILLS_EACH_STEP) await killAndRestart(0);
    await merchant.verifyWallet('base');
    if (KILLS_EACH_STEP) await killAndRestart(0);
    await merchant.routeTo('USDC', 'base');
    if (KILLS_EACH_STEP) await killAndRestart(0);
    customer = Customer.onSandbox(dataFolder, 'base');
  }, 2 * LIMIT_MS);

  afterAll(async () => {
    customer.close();
    await service.kill('SIGTERM');
    await runCli(dataFolder, ['sandbox', 'stop']);
    await receiver.close();
    rmSync(dataFolder, { recursive: true, force: true });
  }, LIMIT_MS);

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

  async function killAndRestart(delayMs: number): Promise<void> {
    await pause(delayMs);
    await service.kill('SIGKILL');
    service = await ServiceProcess.start({ dataFolder, port, env: BASE_ALONE });
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

  it.each(Array.from({ length: KILLS }, (_, round) => [round + 1, randomInt(LONGEST_DELAY_MS)]))(
    'kill %d, after %d ms: confirmed, credited once, every webhook delivered',
    async (_, delayMs) => {
      const [id] = await Promise.all([payment(), killAndRestart(delayMs)]);
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

  it(
    'leaves a log whose every hash holds, and read models that are what the log says',
    async () => {
      const audit = await runCli(dataFolder, ['audit', 'verify']);
      expect(audit).toMatchObject({ intact: true });
      const verified = await eventually('equal read models', LIMIT_MS, async () => {
        const { projections } = await runCli(dataFolder, ['projections', 'verify']);
        const rows = projections as readonly { readonly name: string; readonly equal: boolean }[];
        return rows.every(({ equal }) => equal) ? rows : null;
      });
      expect(verified.length).toBeGreaterThan(5);
    },
    LIMIT_MS,
  );
});
