import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TOKENS } from '../../src/vocabulary/tokens';
import { EvmChain } from '../../src/platform/chains/evm/evm-chain';
import { searchSize } from '../levels/search-size';
import { runCli } from '../support/command-line';
import { Merchant, type QuotedPayment } from '../support/merchant';
import { eventually, freePort, ServiceProcess } from '../support/service-process';

const OUTCOMES = ['exact', 'late', 'short'] as const;
/** The first so many of them. */
const TRIED = OUTCOMES.slice(0, searchSize('SANDBOX_KILLS', { small: 1, full: OUTCOMES.length }));
const LIMIT_MS = 60_000;
const AWAY = 'http://127.0.0.1:9';
/** The other networks have no local chain, and their providers do not answer. */
const BASE_ALONE = { BNB_TEST_RPC_URLS: AWAY, TRON_TEST_RPC_URLS: AWAY };
const CONTRACT = TOKENS['usdc-base'].contract.test;

describe('a sandbox transfer whose process is killed before it answers', () => {
  let dataFolder: string;
  let port: number;
  let service: ServiceProcess;
  let merchant: Merchant;
  let chain: EvmChain;

  beforeAll(async () => {
    dataFolder = mkdtempSync(path.join(tmpdir(), 'quittance-sandbox-kill-'));
    port = await freePort();
    service = await ServiceProcess.start({ dataFolder, port, env: BASE_ALONE });
    merchant = await Merchant.register(dataFolder, service.baseUrl);
    await merchant.verifyWallet('base');
    await merchant.routeTo('USDC', 'base');
    const record = JSON.parse(readFileSync(path.join(dataFolder, 'sandbox-base.json'), 'utf8')) as { port: number };
    chain = new EvmChain({ network: 'base', mode: 'test', urls: [`http://127.0.0.1:${record.port}`] });
  }, 2 * LIMIT_MS);

  afterAll(async () => {
    await service.kill('SIGTERM');
    await runCli(dataFolder, ['sandbox', 'stop']);
    rmSync(dataFolder, { recursive: true, force: true });
  }, LIMIT_MS);

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
      await service.kill('SIGKILL');
      expect(await lost).toBe('lost');
      service = await ServiceProcess.start({ dataFolder, port, env: BASE_ALONE });
      const answer = await send(payment, outcome);
      const body = (await answer.json()) as { tx_hash: string };
      expect([answer.ok, body.tx_hash]).toEqual([true, expect.stringMatching(/^0x/)]);
      expect(await sent(payment, since)).toEqual([body.tx_hash]);
      const ended = { exact: 'confirmed', late: 'paid_late', short: 'underpaid' }[outcome];
      expect((await merchant.payment(id)).status).toBe(ended);
    },
    2 * LIMIT_MS,
  );
});
