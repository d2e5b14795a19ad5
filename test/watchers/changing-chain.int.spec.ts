import { isRefusal } from '../../src/vocabulary/errors';
import type { NetworkWatcher } from '../../src/watchers/network-watcher';
import { NOON, PaymentFixture } from '../support/payment-fixture';
import { ScriptedChain } from '../support/scripted-chain';
import { typesOf, unreadBlocks } from './set-aside-stage';

const PI = 'pi_00000000000000000000000001';
const HASH = `0x${'11'.repeat(32)}`;

/**
 * A chain whose providers follow another chain while one range is read, and this one again before the next question.
 */
class WaveringChain extends ScriptedChain {
  /** Takes the chain elsewhere; null while it stands firm. */
  wave: (() => void) | null = null;
  /** Takes the chain elsewhere for good, as the end of the next range is asked for; null while none does. */
  turn: (() => void) | null = null;

  override async agreedBlock(height: number) {
    const { turn } = this;
    this.turn = null;
    turn?.();
    return super.agreedBlock(height);
  }

  override async transfersInRange(from: number, to: number, contract: string, recipients: readonly string[]) {
    const { wave } = this;
    const back = wave && this.branch();
    this.wave = null;
    wave?.();
    const reading = await super.transfersInRange(from, to, contract, recipients);
    back?.();
    return reading;
  }
}

let chain: WaveringChain;
let fixture: PaymentFixture;
let watcher: NetworkWatcher;
let due: bigint;

beforeEach(async () => {
  chain = new WaveringChain(NOON);
  fixture = new PaymentFixture({ mode: 'live', network: 'bnb', chain });
  pass(60);
  watcher = await fixture.watcher();
  await watcher.tick();
  due = await fixture.quoted(PI);
});

/** Seconds, on the chain and the wall. */
function pass(count: number): void {
  chain.mineEmpty(count);
  fixture.clock.timeMs += count * 1_000;
}

function pay() {
  fixture.clock.timeMs += 1_000;
  return chain.mine(fixture.transfer(HASH, due));
}

/** An outage ends a tick, as a watcher that runs takes it. */
async function tick(): Promise<void> {
  await watcher.tick().catch((error: unknown) => {
    if (!isRefusal(error, 'provider_response_invalid')) throw error;
  });
}

async function passQuote(): Promise<void> {
  for (let round = 0; round < 60; round++) {
    pass(20);
    await tick();
    await watcher.retrySetAside();
  }
  await fixture.sweeper().sweep('quote');
}

test('a hole is not read by the reading of the block that stands in its place for a moment', async () => {
  const unread = unreadBlocks(chain);
  const block = pay();
  unread.add(block.hash);
  for (let round = 0; round < 4; round++) {
    pass(20);
    await tick();
  }
  expect(await typesOf(fixture, 'coverage_hole')).toStrictEqual(['CoverageHoleOpened']);
  unread.clear();
  chain.wave = () => chain.reorganise(chain.height - block.number + 1);
  await watcher.retrySetAside();
  expect(await typesOf(fixture, 'coverage_hole')).toStrictEqual(['CoverageHoleOpened']);
  await watcher.retrySetAside();
  await passQuote();
  expect((await fixture.payment(PI)).status).toBe('confirmed');
});

test('coverage does not pass a block by the reading of another one', async () => {
  // One provider alone leaves the transfer out as the block is first seen.
  const inBlock = chain.transfersInBlock.bind(chain);
  const { hash, number } = pay();
  chain.transfersInBlock = async (asked, ...rest) => {
    const reading = await inBlock(asked, ...rest);
    return asked === hash ? { transfers: [], unread: [] } : reading;
  };
  await tick();
  pass(20);
  chain.wave = () => chain.reorganise(chain.height - number + 1);
  await tick();
  await passQuote();
  expect((await fixture.payment(PI)).status).toBe('confirmed');
});

test('a long absence is not made good by the reading of another chain', async () => {
  const { number } = pay();
  pass(600);
  chain.wave = () => chain.reorganise(chain.height - number + 1);
  watcher = await fixture.watcher();
  await tick();
  await passQuote();
  expect((await fixture.payment(PI)).status).toBe('confirmed');
});

test('what replaced agreed blocks is not scanned by the reading of a third chain', async () => {
  pass(30);
  await tick();
  const covered = (await fixture.coverage())?.number ?? 0;
  const depth = chain.height - covered + 10;
  chain.reorganise(depth, [fixture.transfer(HASH, due)], 5);
  pass(1);
  chain.wave = () => chain.reorganise(depth + 1);
  await tick();
  await passQuote();
  expect((await fixture.payment(PI)).status).toBe('confirmed');
});

test('what replaces the cursor’s block as a range is begun is read, before the cursor passes the range', async () => {
  pass(30);
  await tick();
  const covered = (await fixture.coverage())?.number ?? 0;
  pass(600);
  watcher = await fixture.watcher();
  chain.turn = () => chain.reorganise(chain.height - covered + 10, [fixture.transfer(HASH, due)], 5);
  await tick();
  expect(chain.turn).toBeNull();
  await passQuote();
  expect((await fixture.payment(PI)).status).toBe('confirmed');
});
