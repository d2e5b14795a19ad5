import { NOON, PaymentFixture } from '../support/payment-fixture';
import { ScriptedChain } from '../support/scripted-chain';

const PI = 'pi_00000000000000000000000001';
const [HASH, LATE_HASH] = ['11'.repeat(32), '22'.repeat(32)] as [string, string];

/** Its network has stopped to call its blocks final. */
class HaltedFinality extends ScriptedChain {
  finalHeight: number | null = 40;

  override async finalizedHeight(): Promise<number> {
    const height = await super.finalizedHeight();
    return this.finalHeight ?? height;
  }
}

test('blocks that were left out hold the end of a quote that was paid in them', async () => {
  const chain = new HaltedFinality(NOON);
  const fixture = new PaymentFixture({ mode: 'test', network: 'tron', chain });
  const pass = (blocks: number): void => {
    chain.mineEmpty(blocks);
    fixture.clock.timeMs += blocks * 1_000;
  };
  const pay = (hash: string, value: bigint): void => {
    chain.mine(fixture.transfer(hash, value));
    fixture.clock.timeMs += 1_000;
  };
  pass(60);
  const watcher = await fixture.watcher();
  await watcher.tick();
  const due = await fixture.quoted(PI);
  pay(HASH, due);
  // The watcher was away, and finds more blocks than it reads one by one.
  pass(4_500);
  await watcher.tick();
  pay(LATE_HASH, due);
  await watcher.tick();
  expect((await fixture.payment(PI)).status).toBe('awaiting_payment');
  chain.finalHeight = null;
  await watcher.tick();
  pass(30);
  await watcher.tick();
  expect((await fixture.payment(PI)).status).toBe('overpaid');
});
