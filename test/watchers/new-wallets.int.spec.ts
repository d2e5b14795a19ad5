import { walletsProjection } from '../../projections/wallets.projection';
import type { NetworkWatcher } from '../../src/watchers/network-watcher';
import { ADDRESS, NOON, PaymentFixture } from '../support/payment-fixture';
import { ScriptedChain } from '../support/scripted-chain';

const PAYMENTS = 30;
const pi = (number: number): string => `pi_${String(number).padStart(26, '0')}`;

let chain: ScriptedChain;
let fixture: PaymentFixture;
let watcher: NetworkWatcher;

beforeEach(async () => {
  chain = new ScriptedChain(NOON);
  fixture = new PaymentFixture({ mode: 'live', network: 'bnb', chain });
  pass(60);
  watcher = await fixture.watcher();
  await watcher.tick();
  for (let number = 1; number <= PAYMENTS; number++) {
    const due = await fixture.quoted(pi(number), String(2_000 + number));
    chain.mine(fixture.transfer(`0x${String(number).padStart(64, '1')}`, due));
    pass(4);
  }
  await watcher.tick();
  pass(20);
  await watcher.tick();
});

function pass(blocks: number): void {
  chain.mineEmpty(blocks);
  fixture.clock.timeMs += blocks * 1_000;
}

async function addWallet(): Promise<void> {
  const wallets = await fixture.documents.open(walletsProjection);
  const place = { mode: 'live', network_id: 'bnb', status: 'verified', address: `${ADDRESS.slice(0, -1)}1` };
  const body = { merchant_id: 'mch_other', ...place, created: '2026-11-01T12:00:00.000Z' };
  await wallets.put({ id: 'wal_other', version: 1, body });
}

test('a wallet that is verified makes nobody look again at what is settled', async () => {
  const asked = jest.spyOn(chain, 'blockAt');
  await addWallet();
  pass(1);
  await watcher.tick();
  expect((await fixture.payment(pi(1))).status).toBe('confirmed');
  expect(asked.mock.calls.length).toBeLessThan(PAYMENTS);
});

test('what is replaced as a wallet is verified is seen all the same', async () => {
  const due = await fixture.quoted(pi(99), '5000');
  const paid = fixture.transfer(`0x${'99'.repeat(32)}`, due);
  chain.mine(paid);
  pass(10);
  await watcher.tick();
  const depth = chain.height - (chain.blockOf(paid.txHash)?.number ?? 0) + 1;
  chain.reorganise(depth, [paid], 2);
  await addWallet();
  pass(1);
  await watcher.tick();
  pass(20);
  await watcher.tick();
  expect((await fixture.payment(pi(99))).status).toBe('confirmed');
});
