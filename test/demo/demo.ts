import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Customer, merchantWallet } from '../support/customer';
import { Merchant, type QuotedPayment } from '../support/merchant';
import { eventually, freePort, runCli, ServiceProcess } from '../support/service-process';
import { WebhookReceiver } from '../support/webhook-receiver';
import { describeHistory, say, type HistoryEvent } from './story';

const STEP_LIMIT_MS = 30_000;

/** The main job from end to end, on real parts, told a line a step. Exits 0 only when every step held. */
async function main(): Promise<void> {
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'quittance-demo-'));
  const receiver = await WebhookReceiver.start();
  const service = await ServiceProcess.start({ dataFolder, port: await freePort() });
  try {
    say('service', `runs at ${service.baseUrl} on its embedded engines, with a local sandbox chain`);
    await tell(dataFolder, service, receiver);
  } finally {
    await service.kill('SIGTERM');
    await runCli(dataFolder, ['sandbox', 'stop']);
    await receiver.close();
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

async function tell(dataFolder: string, service: ServiceProcess, receiver: WebhookReceiver): Promise<void> {
  const merchant = await Merchant.register(dataFolder, service.baseUrl);
  say('merchant', `${merchant.id} is registered, with a test key`);
  await merchant.listenWith(receiver);
  say('webhooks', `go to ${receiver.url}, checked with our client and with the published stripe library`);
  const wallet = await merchant.verifyWallet('base');
  say('wallet', `${merchantWallet.address} is ${wallet.status}: it signed the challenge itself`);
  if (merchant.codes.waitMs > 0) {
    say('route', `waits ${Math.ceil(merchant.codes.waitMs / 1_000)} s: each one-time code is good for one change only`);
  }
  await merchant.routeTo('USDC', 'base');
  say('route', 'USDC on Base lands in that wallet');

  const customer = Customer.onSandbox(dataFolder, 'base');
  try {
    const payment = await pay(merchant, customer, receiver);
    await proveByReplay(dataFolder, payment);
  } finally {
    customer.close();
  }
}

async function pay(merchant: Merchant, customer: Customer, receiver: WebhookReceiver): Promise<QuotedPayment> {
  const intent = await merchant.createIntent('2500', 'EUR');
  say('intent', `${intent.id}: 25.00 EUR, ${intent.status}`);
  const quoted = await merchant.selectMethod(intent.id, 'usdc-base');
  const method = quoted.payment_method;
  say('quote', `${quoted.status}: pay exactly ${method.token_amount} USDC (rates: ${method.rate_sources.join(', ')})`);
  say('pay uri', String(method.pay_uri));
  const hash = await customer.pay(
    String(method.token_contract),
    String(method.address),
    String(method.token_amount_base_units),
  );
  say('customer', `sent it from their own wallet: ${hash}`);
  for (const status of ['detected', 'confirming', 'confirmed']) {
    // Blocks come once a second by themselves; waiting out the depth would only be slower.
    if (status === 'confirmed') await customer.mine(12);
    const event = await receiver.waitFor(`payment.${status}`, intent.id, STEP_LIMIT_MS);
    say(status, `webhook ${event.id} arrived and its signature holds`);
  }
  const paid = await merchant.payment(intent.id);
  if (paid.status !== 'confirmed' || paid.received_amount !== '2500')
    throw new Error(`not as told: ${JSON.stringify(paid)}`);
  say('credited', `${paid.received_amount} of ${String(paid.amount)} minor units, once`);
  if (receiver.refused > 0) throw new Error(`${receiver.refused} webhooks did not verify`);
  return paid;
}

async function proveByReplay(dataFolder: string, payment: QuotedPayment): Promise<void> {
  const replay = await runCli(dataFolder, ['replay', `test.payment_intent-${payment.id}`]);
  for (const line of describeHistory(replay.events as readonly HistoryEvent[])) say('replay', line);
  if (replay.chain_intact !== true) throw new Error('the hash chain of the replayed stream is broken');
  say('replay', 'the hash chain holds from the first event to the last');
  const before = await fingerprints(dataFolder);
  await runCli(dataFolder, ['projections', 'rebuild']);
  const after = await fingerprints(dataFolder);
  if (after !== before) throw new Error(`the read models were ${before} and came back as ${after}`);
  say('rebuild', 'the read models were built anew from the log and the old ones dropped');
  for (const line of after.split('\n')) say('the same', line);
}

/** A line a read model: its name and the SHA-256 over all its documents, once it has followed the log to its end. */
function fingerprints(dataFolder: string): Promise<string> {
  return eventually('read models that equal the log', STEP_LIMIT_MS, async () => {
    const { projections } = await runCli(dataFolder, ['projections', 'verify']);
    const rows = projections as readonly {
      projection: string;
      documents: number;
      equal: boolean;
      sha256_live: string;
    }[];
    if (!rows.every(({ equal }) => equal)) return null;
    const kept = rows.filter(({ documents }) => documents > 0);
    return kept.map(row => `${row.projection.padEnd(18)} ${row.sha256_live}`).join('\n');
  });
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
