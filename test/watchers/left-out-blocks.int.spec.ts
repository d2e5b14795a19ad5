import { refuse } from '../../src/vocabulary/errors';
import { BlockUnanswered } from '../../src/kernel/ports/chain';
import { NOON, PaymentFixture } from '../support/payment-fixture';
import { ScriptedChain } from '../support/scripted-chain';

const PI = 'pi_00000000000000000000000001';
const [HASH, LATE_HASH] = ['11'.repeat(32), '22'.repeat(32)] as [string, string];

/** A network that has stopped to call its blocks final. */
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
  await fixture.sweeper().sweep('quote');
  expect((await fixture.payment(PI)).status).toBe('awaiting_payment');
  chain.finalHeight = null;
  await watcher.tick();
  pass(30);
  await watcher.tick();
  expect((await fixture.payment(PI)).status).toBe('overpaid');
});

/** A chain whose providers tell of all blocks but these. */
class UnansweredChain extends ScriptedChain {
  readonly unanswered = new Set<number>();

  override async blockAt(height: number) {
    if (!this.unanswered.has(height)) return super.blockAt(height);
    throw refuse('provider_response_invalid', { cause: new BlockUnanswered(`block ${height}`) });
  }

  override async agreedBlock(height: number) {
    return this.unanswered.has(height) ? null : super.agreedBlock(height);
  }

  override async agreedHash(height: number) {
    return this.unanswered.has(height) ? null : super.agreedHash(height);
  }
}

test('the newest blocks are seen above some that nobody tells of, and coverage waits for these', async () => {
  const chain = new UnansweredChain(NOON);
  const fixture = new PaymentFixture({ mode: 'live', network: 'bnb', chain });
  const pass = (blocks: number): void => {
    chain.mineEmpty(blocks);
    fixture.clock.timeMs += blocks * 1_000;
  };
  pass(60);
  const watcher = await fixture.watcher();
  await watcher.tick();
  const covered = (await fixture.coverage())?.number ?? 0;
  const due = await fixture.quoted(PI);
  for (const height of [61, 62, 63]) chain.unanswered.add(height);
  pass(17);
  chain.mine(fixture.transfer(HASH, due));
  fixture.clock.timeMs += 1_000;
  // The last block that is agreed on is one of them.
  await watcher.tick();
  expect((await fixture.payment(PI)).status).toBe('detected');
  expect((await fixture.coverage())?.number).toBe(60);
  expect(covered).toBeLessThan(60);
  chain.unanswered.clear();
  pass(30);
  await watcher.tick();
  expect((await fixture.payment(PI)).status).toBe('confirmed');
  expect((await fixture.coverage())?.number).toBe(chain.height - 15);
});
