import { NETWORKS } from '../../src/vocabulary/networks';
import { DAY_MS } from '../../src/kernel/clock';
import { amountSlotId, amountSlots } from '../../src/modules/amount-slots/amount-slot.decider';
import type { QuotedPaymentIntent } from '../../src/modules/payment-intents/payment-intent.state';
import { ADDRESS, PAYER, PaymentFixture, NOON } from '../support/payment-fixture';

const DEPTH = NETWORKS.base.finality.test.standard.confirmations;
const WINDOW = NETWORKS.base.reinclusionBlocks;
const PI = 'pi_00000000000000000000000001';
const HASH = `0x${'11'.repeat(32)}`;

describe('a payment on a chain', () => {
  let fixture: PaymentFixture;

  /** No payment is quoted on a network before its watcher has begun. */
  beforeEach(async () => {
    fixture = new PaymentFixture();
    fixture.mineEmpty(20);
    await (await fixture.watcher()).tick();
  });

  async function status(id = PI): Promise<string> {
    return (await fixture.payment(id)).status;
  }

  it('goes from detected over confirming to confirmed, one event a fact', async () => {
    const watcher = await fixture.watcher();
    const due = await fixture.quoted(PI);
    await watcher.tick();
    expect(await status()).toBe('awaiting_payment');
    fixture.chain.mine(fixture.transfer(HASH, due));
    await watcher.tick();
    expect(await status()).toBe('detected');
    fixture.mineEmpty(1);
    await watcher.tick();
    expect(await status()).toBe('confirming');
    fixture.mineEmpty(DEPTH - 2);
    await watcher.tick();
    expect(await status()).toBe('confirming');
    fixture.mineEmpty(1);
    await watcher.tick();
    expect(await fixture.eventTypes(PI)).toStrictEqual([
      'PaymentIntentCreated',
      'MethodSelected',
      'TransferDetected',
      'ConfirmationSeen',
      'PayerScreened',
      'DepthReached',
      'PaymentConfirmed',
    ]);
    await watcher.tick();
    expect(await fixture.eventTypes(PI)).toHaveLength(7);
  });

  it('is found by a watcher that starts after it was paid', async () => {
    const due = await fixture.quoted(PI);
    fixture.chain.mine(fixture.transfer(HASH, due));
    fixture.mineEmpty(DEPTH);
    const restarted = await fixture.watcher();
    await restarted.tick();
    expect(await status()).toBe('confirmed');
  });

  it('is found after an outage longer than what is remembered of the chain', async () => {
    const due = await fixture.quoted(PI);
    fixture.chain.mine(fixture.transfer(HASH, due));
    fixture.mineEmpty(1_500);
    const restarted = await fixture.watcher();
    await restarted.tick();
    expect(await status()).toBe('confirmed');
  });

  it('takes an amount that is off by what wallets round away, and no other', async () => {
    const watcher = await fixture.watcher();
    const due = await fixture.quoted(PI);
    fixture.chain.mine(fixture.transfer(`0x${'22'.repeat(32)}`, due - 5n));
    await watcher.tick();
    expect(await status()).toBe('awaiting_payment');
    fixture.chain.mine(fixture.transfer(HASH, due - 4n));
    await watcher.tick();
    expect(await status()).toBe('detected');
  });

  it('adds up two transfers to one amount', async () => {
    const watcher = await fixture.watcher();
    const due = await fixture.quoted(PI);
    fixture.chain.mine(fixture.transfer(HASH, due), fixture.transfer(`0x${'33'.repeat(32)}`, due));
    fixture.mineEmpty(DEPTH);
    await watcher.tick();
    expect(await status()).toBe('overpaid');
  });

  it('waits while its payer cannot be screened, and is held when the payer is a risk', async () => {
    const watcher = await fixture.watcher();
    const due = await fixture.quoted(PI);
    fixture.verdicts.set(PAYER, 'silent');
    fixture.chain.mine(fixture.transfer(HASH, due));
    fixture.mineEmpty(DEPTH);
    await watcher.tick();
    await watcher.tick();
    expect(await fixture.eventTypes(PI)).toStrictEqual(expect.arrayContaining(['DepthReached']));
    expect(await status()).toBe('confirming');
    fixture.verdicts.set(PAYER, 'high_risk');
    fixture.mineEmpty(60);
    await watcher.tick();
    expect((await fixture.eventTypes(PI)).slice(-2)).toStrictEqual(['PayerScreened', 'HoldPlaced']);
    expect(await status()).toBe('confirming');
  });

  it('waits with all others of its network, of whom none costs its own time-out, while a screening hangs', async () => {
    const watcher = await fixture.watcher();
    const ids = Array.from({ length: 20 }, (_, index) => `pi_000000000000000000000001${10 + index}`);
    const dues = await Promise.all(ids.map(id => fixture.quoted(id)));
    fixture.chain.mine(...dues.map((due, index) => fixture.transfer(`0x${String(index).padStart(64, '4')}`, due)));
    const asked = jest.spyOn(fixture.verdicts, 'get').mockImplementation(() => {
      fixture.clock.timeMs += 5_000;
      return 'silent';
    });
    await watcher.tick();
    fixture.mineEmpty(DEPTH);
    await watcher.tick();
    expect(asked.mock.calls.length).toBeLessThanOrEqual(2);
    asked.mockRestore();
    fixture.mineEmpty(60);
    await watcher.tick();
    const statuses = await Promise.all(ids.map(async id => (await fixture.payment(id)).status));
    expect(statuses).toStrictEqual(ids.map(() => 'confirmed'));
  });

  describe('in a reorganisation', () => {
    it('comes back in another block and starts its depth anew', async () => {
      const watcher = await fixture.watcher();
      const due = await fixture.quoted(PI);
      fixture.chain.mine(fixture.transfer(HASH, due));
      fixture.mineEmpty(3);
      await watcher.tick();
      fixture.chain.reorganise(4, [fixture.transfer(HASH, due)]);
      await watcher.tick();
      expect(await fixture.eventTypes(PI)).toStrictEqual([
        'PaymentIntentCreated',
        'MethodSelected',
        'TransferDetected',
        'ConfirmationSeen',
        'PayerScreened',
        'TransferDetected',
      ]);
      fixture.mineEmpty(DEPTH);
      await watcher.tick();
      expect(await status()).toBe('confirmed');
    });

    it('fails only after its time to come back has passed', async () => {
      const watcher = await fixture.watcher();
      const due = await fixture.quoted(PI);
      fixture.chain.mine(fixture.transfer(HASH, due));
      await watcher.tick();
      fixture.chain.reorganise(1);
      await watcher.tick();
      fixture.mineEmpty(WINDOW - 1);
      await watcher.tick();
      expect(await status()).toBe('detected');
      fixture.mineEmpty(1);
      await watcher.tick();
      expect(await status()).toBe('failed');
    });

    it('that crosses the end of its quote changes nothing: who was seen in time is paid', async () => {
      const watcher = await fixture.watcher();
      const due = await fixture.quoted(PI);
      fixture.mineEmpty(15 * 60 - 3);
      fixture.chain.mine(fixture.transfer(HASH, due));
      await watcher.tick();
      fixture.chain.reorganise(1);
      fixture.mineEmpty(10);
      await watcher.tick();
      await fixture.sweeper().sweep('quote');
      expect(await status()).toBe('detected');
      fixture.chain.mine(fixture.transfer(HASH, due));
      fixture.mineEmpty(DEPTH);
      await watcher.tick();
      expect(await status()).toBe('confirmed');
    });

    it('that crosses the end of the day frees no amount while its transfer may come back', async () => {
      const watcher = await fixture.watcher();
      const due = await fixture.quoted(PI);
      fixture.mineEmpty(16 * 60);
      await watcher.tick();
      await fixture.sweeper().sweep('quote');
      const untilEndMs = fixture.quoteEndMs + DAY_MS - fixture.clock.timeMs - 20_000;
      fixture.chain.skipTime(untilEndMs);
      fixture.clock.timeMs += untilEndMs;
      fixture.chain.mine(fixture.transfer(HASH, due));
      await watcher.tick();
      fixture.chain.reorganise(1);
      fixture.mineEmpty(50);
      await watcher.tick();
      await fixture.sweeper().sweep('reservation');
      const { quote } = (await fixture.payment(PI)) as QuotedPaymentIntent;
      const slot = amountSlotId('base', ADDRESS, quote.token_id, BigInt(quote.slot));
      const { state } = await fixture.writes.load(amountSlots, 'test', slot);
      expect(fixture.clock.timeMs).toBeGreaterThan(Date.parse(quote.reserved_until));
      expect(state.reservations.at(-1)?.released).toBeNull();
      fixture.chain.mine(fixture.transfer(HASH, due));
      fixture.mineEmpty(DEPTH);
      await watcher.tick();
      expect(await status()).toBe('paid_late');
    });

    it('is not confirmed on a block that has left the chain', async () => {
      const watcher = await fixture.watcher();
      const due = await fixture.quoted(PI);
      fixture.chain.mine(fixture.transfer(HASH, due));
      fixture.mineEmpty(DEPTH - 1);
      await watcher.tick();
      fixture.chain.reorganise(DEPTH);
      fixture.mineEmpty(1);
      await watcher.tick();
      expect(await status()).toBe('confirming');
    });

    it('is not confirmed where it leaves the chain between its depth and its settlement', async () => {
      const watcher = await fixture.watcher();
      const due = await fixture.quoted(PI);
      fixture.verdicts.set(PAYER, 'silent');
      fixture.chain.mine(fixture.transfer(HASH, due));
      fixture.mineEmpty(DEPTH);
      await watcher.tick();
      expect(await fixture.eventTypes(PI)).toContain('DepthReached');
      fixture.chain.reorganise(DEPTH + 1);
      fixture.verdicts.set(PAYER, 'clear');
      fixture.mineEmpty(60);
      await watcher.tick();
      await watcher.tick();
      expect(await status()).toBe('confirming');
    });

    it('fails when it comes back with another value', async () => {
      const watcher = await fixture.watcher();
      const due = await fixture.quoted(PI);
      fixture.chain.mine(fixture.transfer(HASH, due));
      await watcher.tick();
      fixture.chain.reorganise(1, [fixture.transfer(HASH, due / 2n)]);
      fixture.mineEmpty(DEPTH - 1);
      await watcher.tick();
      expect(await status()).toBe('detected');
      fixture.mineEmpty(1);
      await watcher.tick();
      expect(await status()).toBe('failed');
    });
  });

  describe('and its deadline', () => {
    it('expires only once the chain is covered past it', async () => {
      const watcher = await fixture.watcher();
      const sweeper = fixture.sweeper();
      await fixture.quoted(PI);
      await watcher.tick();
      fixture.clock.timeMs = fixture.quoteEndMs + 60_000;
      await sweeper.sweep('quote');
      expect(await status()).toBe('awaiting_payment');
      fixture.chain.mineEmpty(16 * 60);
      await watcher.tick();
      await sweeper.sweep('quote');
      expect(await status()).toBe('expired');
    });

    it('does not pass over one who paid in time while nobody watched', async () => {
      const due = await fixture.quoted(PI);
      fixture.chain.mine(fixture.transfer(HASH, due));
      fixture.mineEmpty(20 * 60);
      const watcher = await fixture.watcher();
      await fixture.sweeper().sweep('quote');
      expect(await status()).toBe('awaiting_payment');
      await watcher.tick();
      await fixture.sweeper().sweep('quote');
      expect(await status()).toBe('confirmed');
    });

    it('still leads to paid_late within a day', async () => {
      const watcher = await fixture.watcher();
      const due = await fixture.quoted(PI);
      await watcher.tick();
      fixture.mineEmpty(16 * 60);
      await watcher.tick();
      await fixture.sweeper().sweep('quote');
      fixture.chain.mine(fixture.transfer(HASH, due));
      await watcher.tick();
      expect(await status()).toBe('expired');
      fixture.mineEmpty(DEPTH);
      await watcher.tick();
      expect(await status()).toBe('paid_late');
      expect(fixture.clock.timeMs).toBeGreaterThan(NOON);
    });
  });

  it('is not troubled by dust, which is counted and told now and then', async () => {
    const watcher = await fixture.watcher();
    const dust = (tag: string, value: bigint) => fixture.transfer(`0x${tag.repeat(32)}`, value);
    fixture.chain.mine(dust('44', 0n), dust('55', 9_999n), dust('66', 10_000n));
    await watcher.tick();
    watcher.tellIgnored();
    watcher.tellIgnored();
    const told = fixture.log.lines.filter(({ message }) => message === 'dust was ignored');
    expect(told).toMatchObject([{ facts: { mode: 'test', network: 'base', in_all: 2 } }]);
  });

  it('stands still while its provider is down, and goes on where it was', async () => {
    const watcher = await fixture.watcher();
    const due = await fixture.quoted(PI);
    fixture.chain.mine(fixture.transfer(HASH, due));
    fixture.chain.down = true;
    await expect(watcher.tick()).rejects.toMatchObject({ code: 'provider_unavailable' });
    fixture.chain.down = false;
    fixture.mineEmpty(DEPTH);
    await watcher.tick();
    expect(await status()).toBe('confirmed');
  });
});
