import type { QuotedPaymentIntent } from '../../src/modules/payment-intents/payment-intent.state';
import { PaymentFollower } from '../../src/watchers/payment-follower';
import { PaymentFixture } from '../support/payment-fixture';

const PI = 'pi_00000000000000000000000002';
const HASH = `0x${'11'.repeat(32)}`;
/** More blocks than a vanished transaction may take to come back on Base. */
const WINDOW = 64;

describe('a watcher that watches again after another process did', () => {
  it('notices that a settled transfer has left the chain meanwhile', async () => {
    const fixture = new PaymentFixture();
    fixture.mineEmpty(30);
    fixture.chain.finalizedHeight = () => Promise.resolve(10);
    const first = await fixture.watcher();
    await watchUntil(first, async () => (await fixture.coverage()) !== null);
    fixture.chain.mine(fixture.transfer(HASH, await fixture.quoted(PI)));
    fixture.clock.timeMs += 1_000;
    fixture.mineEmpty(14);
    await watchUntil(first, async () => (await fixture.payment(PI)).status === 'confirmed');
    const second = await fixture.watcher();
    const scanned = async (): Promise<boolean> => (await fixture.coverage())?.head_number === fixture.chain.height;
    fixture.mineEmpty(1);
    await watchUntil(second, scanned);
    fixture.mineEmpty(1);
    await expect(first.tick()).rejects.toThrow('another watcher has advanced the coverage');
    fixture.chain.reorganise(17, []);
    fixture.mineEmpty(WINDOW);
    // The other process dies before it has looked after the settled payments.
    jest.spyOn(PaymentFollower.prototype, 'follow').mockResolvedValue();
    await watchUntil(second, scanned);
    jest.restoreAllMocks();
    const transfers = async () => ((await fixture.payment(PI)) as QuotedPaymentIntent).ledger.transfers;
    const lost = async (): Promise<boolean> => {
      fixture.mineEmpty(WINDOW);
      return Object.keys(await transfers()).length === 0;
    };
    await watchUntil(first, lost);
    expect(await transfers()).toStrictEqual({});
  });
});

/** Runs the watcher as its turn does, until the condition holds, or for some ticks. */
async function watchUntil(
  watcher: Awaited<ReturnType<PaymentFixture['watcher']>>,
  isDone: () => Promise<boolean>,
): Promise<void> {
  const turn = new AbortController();
  const tick = watcher.tick.bind(watcher);
  let ticks = 0;
  watcher.tick = async signal => {
    await tick(signal).catch(() => undefined);
    if ((await isDone()) || ++ticks > 8) turn.abort();
  };
  await watcher.run(turn.signal);
  watcher.tick = tick;
}
