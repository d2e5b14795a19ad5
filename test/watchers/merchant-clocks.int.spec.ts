import { HOUR_MS, isoTime, MINUTE_MS } from '../../src/kernel/clock';
import type { NetworkWatcher } from '../../src/watchers/network-watcher';
import { MERCHANT, PaymentFixture } from '../support/payment-fixture';

const PI = 'pi_00000000000000000000000001';
const HASH = `0x${'11'.repeat(32)}`;
const DEPTH = 12;
const QUOTE_MS = 15 * MINUTE_MS;

/** The moment is the block's time as on a testnet, or the first sight as on a local chain. */
describe.each([
  ['a testnet', false],
  ['a local chain', true],
])('payments of a merchant whose clock is advanced, on %s', (_, matchAtFirstSight) => {
  let fixture: PaymentFixture;
  let watcher: NetworkWatcher;

  beforeEach(async () => {
    fixture = new PaymentFixture({ matchAtFirstSight });
    fixture.mineEmpty(20);
    watcher = await fixture.watcher();
    await watcher.tick();
  });

  const status = async (): Promise<string> => (await fixture.payment(PI)).status;

  /** The events that merchants’ clocks date, with the wall's time of their recording beside them. */
  async function recorded(type: string) {
    const { metadata } = (await fixture.events(PI)).find(event => event.type === type) ?? {};
    return { occurred: metadata?.occurred_at, recorded: metadata?.recorded_at };
  }

  it('are found, and dated by that clock', async () => {
    fixture.clock.advance(MERCHANT, 48 * HOUR_MS);
    const due = await fixture.quoted(PI);
    fixture.chain.mine(fixture.transfer(HASH, due));
    fixture.mineEmpty(DEPTH);
    await watcher.tick();
    expect(await status()).toBe('confirmed');
    const wallMs = fixture.clock.now();
    const dated = { occurred: isoTime(wallMs + 48 * HOUR_MS), recorded: isoTime(wallMs) };
    expect(await recorded('TransferDetected')).toStrictEqual(dated);
    expect(await recorded('PaymentConfirmed')).toStrictEqual(dated);
  });

  it('expire once the chain is covered past the moment at which that clock passed the deadline', async () => {
    const sweeper = fixture.sweeper();
    await fixture.quoted(PI);
    fixture.mineEmpty(1);
    await watcher.tick();
    fixture.clock.advance(MERCHANT, QUOTE_MS);
    await sweeper.sweepMerchant(MERCHANT);
    expect(await status()).toBe('awaiting_payment');
    fixture.mineEmpty(2);
    await watcher.tick();
    await sweeper.sweepMerchant(MERCHANT);
    expect(await status()).toBe('expired');
    expect(await recorded('QuoteExpired')).toMatchObject({ occurred: isoTime(fixture.clock.now() + QUOTE_MS) });
  });

  it('are in time when their block came before the advance', async () => {
    const due = await fixture.quoted(PI);
    fixture.chain.mine(fixture.transfer(HASH, due));
    fixture.clock.timeMs += 2_000;
    if (matchAtFirstSight) await watcher.tick();
    fixture.clock.advance(MERCHANT, QUOTE_MS + 25 * HOUR_MS);
    fixture.mineEmpty(DEPTH);
    await watcher.tick();
    await fixture.sweeper().sweepMerchant(MERCHANT);
    expect(await status()).toBe('confirmed');
  });

  it('are none after the last moment of the amount, by that clock', async () => {
    const due = await fixture.quoted(PI);
    await watcher.tick();
    fixture.clock.advance(MERCHANT, QUOTE_MS + 25 * HOUR_MS);
    fixture.mineEmpty(5);
    fixture.chain.mine(fixture.transfer(HASH, due));
    fixture.mineEmpty(DEPTH);
    await watcher.tick();
    await fixture.sweeper().sweepMerchant(MERCHANT);
    expect(await status()).toBe('expired');
    expect(await fixture.eventTypes(PI)).not.toContain('TransferDetected');
  });
});
