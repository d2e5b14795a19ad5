import type { Receipt } from '../../src/kernel/ports/chain';
import type { NetworkWatcher } from '../../src/watchers/network-watcher';
import { NOON, PaymentFixture } from '../support/payment-fixture';
import { ScriptedChain } from '../support/scripted-chain';

const pi = (number: number): string => `pi_${String(number).padStart(26, '0')}`;
const hash = (number: number): string => `0x${String(number).padStart(64, '0')}`;

/** A chain whose transactions are so large that each receipt takes a while. */
class SlowChain extends ScriptedChain {
  receipts = 0;
  onReceipt: () => void = () => undefined;

  override receipt(txHash: string): Promise<Receipt | null> {
    this.receipts += 1;
    this.onReceipt();
    return super.receipt(txHash);
  }
}

let chain: SlowChain;
let fixture: PaymentFixture;
let watcher: NetworkWatcher;

beforeEach(async () => {
  chain = new SlowChain(NOON);
  fixture = new PaymentFixture({ mode: 'live', network: 'bnb', chain });
  pass(60);
  watcher = await fixture.watcher();
  await watcher.tick();
});

function pass(blocks: number): void {
  chain.mineEmpty(blocks);
  fixture.clock.timeMs += blocks * 1_000;
}

const statusOf = async (number: number): Promise<string> => (await fixture.payment(pi(number))).status;

test('a transaction with many transfers is asked for once a tick', async () => {
  const transfers = [];
  for (let payment = 1; payment <= 3; payment++) {
    const due = await fixture.quoted(pi(payment), '2000');
    for (let count = 0; count < 20; count++) transfers.push(fixture.transfer(hash(1), due));
  }
  chain.mine(...transfers);
  pass(1);
  await watcher.tick();
  chain.receipts = 0;
  pass(20);
  await watcher.tick();
  expect(chain.receipts).toBe(1);
  expect(await Promise.all([1, 2, 3].map(statusOf))).toStrictEqual(['overpaid', 'overpaid', 'overpaid']);
});

test('payments that take long to follow hold up the scan for a few seconds, and each has its turn', async () => {
  const payments = Array.from({ length: 12 }, (_, index) => index + 1);
  for (const payment of payments)
    chain.mine(fixture.transfer(hash(payment), await fixture.quoted(pi(payment), String(2_000 + payment))));
  pass(20);
  chain.onReceipt = () => (fixture.clock.timeMs += 1_000);
  for (let tick = 0; tick < 6; tick++) {
    const beganMs = fixture.clock.timeMs;
    await watcher.tick();
    expect(fixture.clock.timeMs - beganMs).toBeLessThanOrEqual(4_000);
    pass(1);
  }
  expect(new Set(await Promise.all(payments.map(statusOf)))).toStrictEqual(new Set(['confirmed']));
});
