import { HOUR_MS } from '../../src/kernel/clock';
import { amountSlotId, amountSlots } from '../../src/modules/amount-slots/amount-slot.decider';
import type { QuotedPaymentIntent } from '../../src/modules/payment-intents/payment-intent.state';
import { ADDRESS, PaymentFixture } from '../support/payment-fixture';
import { passMinutes, sweepAll } from './set-aside-stage';

const IDS = ['in_time', 'late', 'too_late', 'unpaid', 'twice'] as const;
type Id = (typeof IDS)[number];
const ENDS: Readonly<Record<Id, string>> = {
  in_time: 'confirmed',
  late: 'paid_late',
  too_late: 'expired',
  unpaid: 'expired',
  twice: 'paid_late',
};

describe('a watcher that was away for thirty hours', () => {
  let fixture: PaymentFixture;
  const dues = new Map<Id, bigint>();
  const slots = new Map<Id, string>();

  function pi(id: Id): string {
    return `pi_0000000000000000000000000${IDS.indexOf(id)}`;
  }

  function pay(id: Id): void {
    const hash = `0x${String(fixture.chain.height).padStart(64, '0')}`;
    fixture.chain.mine(fixture.transfer(hash, dues.get(id) ?? 0n));
    fixture.clock.timeMs += 1_000;
  }

  function pass(hours: number): void {
    passMinutes(fixture, hours * HOUR_MS);
  }

  async function statuses(): Promise<Record<string, string>> {
    const all = await Promise.all(IDS.map(async id => [id, (await fixture.payment(pi(id))).status] as const));
    return Object.fromEntries(all);
  }

  async function isReserved(id: Id): Promise<boolean> {
    const { state } = await fixture.writes.load(amountSlots, 'test', slots.get(id) ?? '');
    return state.reservations.at(-1)?.released === null;
  }

  beforeEach(async () => {
    fixture = new PaymentFixture();
    pass(1);
    await (await fixture.watcher()).tick();
    for (const id of IDS) {
      dues.set(id, await fixture.quoted(pi(id)));
      const { quote } = (await fixture.payment(pi(id))) as QuotedPaymentIntent;
      slots.set(id, amountSlotId('base', ADDRESS, quote.token_id, BigInt(quote.slot)));
    }
    // No watcher runs from here on.
    pay('in_time');
    pass(10);
    pay('late');
    pay('twice');
    pass(16);
    pay('too_late');
    pay('twice');
    pass(4);
  });

  it('expires nobody and frees nothing before it has caught up, though every deadline is long past', async () => {
    expect(fixture.clock.timeMs).toBeGreaterThan(fixture.quoteEndMs + 28 * HOUR_MS);
    await sweepAll(fixture);
    expect(new Set(Object.values(await statuses()))).toStrictEqual(new Set(['awaiting_payment']));
    for (const id of IDS) expect(await isReserved(id)).toBe(true);
  });

  it('credits by the time of the block: in time, late, or to nobody', async () => {
    const watcher = await fixture.watcher();
    await watcher.tick();
    await sweepAll(fixture);
    await watcher.tick();
    await sweepAll(fixture);
    expect(await statuses()).toStrictEqual(ENDS);
    for (const id of IDS) expect(await isReserved(id)).toBe(false);
    const { ledger } = (await fixture.payment(pi('twice'))) as QuotedPaymentIntent;
    expect(Object.values(ledger.transfers)).toHaveLength(1);
  });

  it('comes to the same where the sweeper does not wait for its end', async () => {
    const { chain } = fixture;
    const inRange = chain.transfersInRange.bind(chain);
    const inBlock = chain.transfersInBlock.bind(chain);
    let sweeps = 0;
    const swept = async <T>(read: () => Promise<T>): Promise<T> => {
      sweeps += 1;
      await sweepAll(fixture);
      return read();
    };
    chain.transfersInRange = (...question) => swept(() => inRange(...question));
    chain.transfersInBlock = (...question) => swept(() => inBlock(...question));
    await (await fixture.watcher()).tick();
    await sweepAll(fixture);
    expect(sweeps).toBeGreaterThan(10);
    expect(await statuses()).toStrictEqual(ENDS);
  });

  it('frees an amount only where the coverage has passed its time', async () => {
    const watcher = await fixture.watcher();
    fixture.chain.isAgreed = false;
    await watcher.tick();
    await sweepAll(fixture);
    for (const id of IDS) expect(await isReserved(id)).toBe(true);
    expect((await statuses()).unpaid).toBe('awaiting_payment');
  });
});
