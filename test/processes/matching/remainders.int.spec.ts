import { paymentIntentsProjection } from '../../../projections/payment-intents.projection';
import { TOKENS } from '../../../src/vocabulary/tokens';
import { unpaidRemainder } from '../../../src/modules/payment-intents/payment-intent.outcome';
import type { QuotedPaymentIntent } from '../../../src/modules/payment-intents/payment-intent.state';
import type { RecordedEvent } from '../../../src/kernel/event';
import { ResolveHold, ResolveHoldHandler } from '../../../src/modules/payment-intents/commands/resolve-hold.command';
import { DyingStore } from './dying-store';
import { DEPTH, hash, MatchingFixture, pi } from './matching-fixture';
import { recordedEvents } from '../../support/recorded-events';

const SENDER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
const { attributionToleranceBaseUnits: TOLERANCE, stepBaseUnits: STEP } = TOKENS['usdc-base'];

describe('the remainder of a short payment', () => {
  let fixture: MatchingFixture;
  let due: bigint;

  beforeEach(async () => {
    fixture = await new MatchingFixture().start();
    due = await fixture.payments.quoted(pi(1));
  });

  /** Pays so much less than is due, by a claim. */
  async function payShort(missing: bigint): Promise<void> {
    await fixture.pay(1, due - missing);
    await fixture.name(pi(1), hash(1));
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('underpaid');
  }

  async function document() {
    const found = await fixture.payments.readModels.get(paymentIntentsProjection, 'test', pi(1));
    if (!found) throw new Error('no payment');
    return { ...found.body, remainder: unpaidRemainder(found.body.state) };
  }

  /** The amount that is asked for now. */
  async function askedFor(): Promise<{ readonly amount: bigint; readonly untilMs: number }> {
    const { remainder } = await document();
    if (remainder === null) throw new Error('nothing is asked for');
    return { amount: BigInt(remainder.due_base_units), untilMs: Date.parse(remainder.reserved_until) };
  }

  /** The next block comes at that moment. */
  async function passTo(timeMs: number): Promise<void> {
    const { chain, clock } = fixture.payments;
    chain.skipTime(timeMs - (await chain.head()).timeMs - 1_000);
    clock.timeMs = timeMs;
  }

  it('has an amount of its own that covers it, and is matched without a word', async () => {
    const missing = 500_003n;
    await payShort(missing);
    const { amount } = await askedFor();
    expect(amount % STEP).toBe(0n);
    expect(amount - TOLERANCE).toBeGreaterThanOrEqual(missing);
    expect(amount - missing).toBeLessThan(fixture.cent);
    await fixture.pay(2, amount - TOLERANCE, SENDER);
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('confirmed');
    expect(await document()).toMatchObject({ remainder: null, received_minor_units: '2500' });
  });

  it('is asked for anew when a part of it has come, and the amount asked for before still counts', async () => {
    await payShort(50n * fixture.cent);
    const first = await askedFor();
    await fixture.pay(2, 20n * fixture.cent);
    await fixture.name(pi(1), hash(2));
    await fixture.confirm();
    const second = await askedFor();
    expect(second.amount - TOLERANCE).toBeGreaterThanOrEqual(30n * fixture.cent);
    expect(second.amount).toBeLessThan(31n * fixture.cent);
    expect(await fixture.payments.eventTypes(pi(1))).toContain('RemainderReserved');
    await fixture.pay(3, first.amount);
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('confirmed');
  });

  it.each([
    ['exactly', 0n, false],
    ['with two tokens more', 200n, true],
  ])('paid %s leaves a surplus or none on the payment', async (_, moreCents, isOver) => {
    await payShort(1_000n * fixture.cent);
    const { amount } = await askedFor();
    const value = isOver ? (1_000n + moreCents) * fixture.cent : amount;
    await fixture.pay(2, value, SENDER);
    if (isOver) await fixture.name(pi(1), hash(2));
    await fixture.confirm();
    const surplus = isOver ? String(moreCents * fixture.cent) : null;
    expect(await document()).toMatchObject({ status: 'confirmed', surplus_base_units: surplus });
  });

  it('is kept apart from the quotes of others near it, and theirs from it', async () => {
    const { payments } = fixture;
    const neighbours = new Map<string, bigint>();
    for (let number = 100; number < 140; number++) neighbours.set(pi(number), await payments.quoted(pi(number), '50'));
    // The remainder equals the price of each other payment: 0.50 EUR.
    await payShort(540_000n);
    const { amount } = await askedFor();
    expect([...neighbours.values()]).not.toContain(amount);
    for (let number = 140; number < 180; number++) neighbours.set(pi(number), await payments.quoted(pi(number), '50'));
    expect([...neighbours.values()]).not.toContain(amount);
    expect(new Set(neighbours.values()).size).toBe(80);
    await fixture.pay(2, amount, SENDER);
    const [[theirs, asked] = ['', 0n]] = neighbours;
    await fixture.pay(3, asked, SENDER);
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('confirmed');
    expect((await payments.payment(theirs)).status).toBe('confirmed');
    const others = [...neighbours.keys()].slice(1);
    for (const id of others) expect((await payments.payment(id)).status).toBe('awaiting_payment');
  });

  it.each([
    ['a second before its last moment', -1_000, 'confirmed'],
    ['at its last moment', 0, 'confirmed'],
    ['a second after it', 1_000, 'underpaid'],
  ])('paid %s: %s ms, %s', async (_, offMs, expected) => {
    await payShort(50n * fixture.cent);
    const { amount, untilMs } = await askedFor();
    await passTo(untilMs + offMs);
    const id = await fixture.pay(2, amount, SENDER);
    await fixture.confirm();
    expect(await fixture.status(1)).toBe(expected);
    if (expected === 'confirmed') return;
    expect((await fixture.candidates(id))[0]).toBe(pi(1));
    // No money is lost: a payer who knows the payment names the transaction.
    await fixture.name(pi(1), hash(2));
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('confirmed');
  });

  it('is asked for once, however often the settlement is tried', async () => {
    fixture.payments.verdicts.set(SENDER, 'silent');
    await payShort(50n * fixture.cent);
    await fixture.pay(2, 20n * fixture.cent, SENDER);
    await fixture.name(pi(1), hash(2));
    await fixture.confirm();
    for (let tries = 0; tries < 3; tries++) await fixture.confirm();
    fixture.payments.verdicts.set(SENDER, 'clear');
    fixture.payments.mineEmpty(120);
    await fixture.settle();
    const { ledger } = (await fixture.payments.payment(pi(1))) as QuotedPaymentIntent;
    expect(Object.values(ledger.transfers).every(({ final }) => final)).toBe(true);
    expect((await remainders()).length).toBe(2);
  });

  it.each([
    ['half an hour', 30 * 60_000, 1],
    ['two hours', 2 * 3_600_000, 2],
    ['two days', 48 * 3_600_000, 2],
  ])('is kept as long as is said where the settlement is tried again after %s', async (_, laterMs, amounts) => {
    const store = new DyingStore();
    fixture = await new MatchingFixture({ store }).start();
    due = await fixture.payments.quoted(pi(1));
    await fixture.pay(1, due - 50n * fixture.cent);
    await fixture.name(pi(1), hash(1));
    store.diesAt = 'AmountReserved';
    fixture.payments.mineEmpty(DEPTH + 1);
    await fixture.watcher?.tick().catch(() => undefined);
    expect(store.isDead).toBe(true);
    store.diesAt = null;
    store.revive();
    await passTo(fixture.payments.clock.now() + laterMs);
    fixture.watcher = await fixture.payments.watcher();
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('underpaid');
    const { remainder } = await document();
    const kept = (await slotEvents('AmountReserved')).find(({ stream }) => stream.endsWith(`:${remainder?.slot}`));
    expect(kept?.data).toMatchObject({ payment_intent: pi(1), reserved_until: remainder?.reserved_until });
    const { untilMs } = await askedFor();
    expect(untilMs - fixture.payments.clock.now()).toBeGreaterThan(22 * 3_600_000);
    expect((await remainders()).length).toBe(amounts);
  });

  describe('after a transfer that counted has left the chain', () => {
    const LOST = 40;

    /** The last blocks go, and their transactions come back as told. */
    async function reorganise(...back: readonly ReturnType<typeof fixture.payments.transfer>[]): Promise<void> {
      const depth = fixture.payments.chain.height - (fixture.payments.chain.blockOf(hash(LOST))?.number ?? 0) + 1;
      fixture.payments.chain.reorganise(depth, back);
      await fixture.settle();
    }

    /** Past the network's window for coming back. */
    async function passWindow(): Promise<void> {
      fixture.payments.mineEmpty(200);
      await fixture.settle();
    }

    async function payPart(value: bigint): Promise<void> {
      await fixture.pay(LOST, value);
      await fixture.name(pi(1), hash(LOST));
      await fixture.confirm();
    }

    /** Short by 50 cents, then by 30, and by 50 again; answers the amounts that were asked for in between. */
    async function loseAPart() {
      await payShort(50n * fixture.cent);
      await payPart(20n * fixture.cent);
      const before = await askedFor();
      await reorganise();
      await passWindow();
      return before;
    }

    it('is asked for anew at the next look, by the remainder at that moment, and never shown too small', async () => {
      const before = await loseAPart();
      // The amount that was asked for is too little now: between the loss and the next look no amount is asked for.
      expect(await document()).toMatchObject({ status: 'underpaid', remainder: null, followed: true });
      await fixture.settle();
      const { amount, untilMs } = await askedFor();
      expect(amount - TOLERANCE).toBeGreaterThanOrEqual(50n * fixture.cent);
      expect(amount).toBeLessThan(51n * fixture.cent);
      expect(amount).not.toBe(before.amount);
      expect(untilMs - fixture.payments.clock.now()).toBeGreaterThan(23 * 3_600_000);
      expect(await document()).toMatchObject({ followed: false });
      await fixture.pay(3, amount, SENDER);
      await fixture.confirm();
      expect(await fixture.status(1)).toBe('confirmed');
    });

    it('takes the smaller amount that was asked for before as a part of it', async () => {
      const before = await loseAPart();
      await fixture.settle();
      await fixture.pay(3, before.amount, SENDER);
      await fixture.confirm();
      expect(await fixture.status(1)).toBe('underpaid');
      const { amount } = await askedFor();
      expect(amount).toBeGreaterThan(19n * fixture.cent);
      expect(amount).toBeLessThan(21n * fixture.cent);
      await fixture.pay(4, amount, SENDER);
      await fixture.confirm();
      expect(await fixture.status(1)).toBe('confirmed');
    });

    it('keeps the amount asked for before from everybody else to its end', async () => {
      const before = await loseAPart();
      await fixture.settle();
      expect(await openReservations()).toContain(before.amount.toString());
      await passTo(before.untilMs - 1_000);
      await fixture.payments.sweeper().sweep('reservation');
      expect(await openReservations()).toContain(before.amount.toString());
    });

    it('is all that is due where nothing counts any more', async () => {
      await fixture.pay(LOST, due - 50n * fixture.cent);
      await fixture.name(pi(1), hash(LOST));
      await fixture.confirm();
      await reorganise();
      await passWindow();
      await fixture.settle();
      const { amount } = await askedFor();
      expect(amount).toBeGreaterThan(due);
      expect(await document()).toMatchObject({ received_base_units: '0' });
      await fixture.pay(3, amount);
      await fixture.confirm();
      expect(await fixture.status(1)).toBe('confirmed');
    });

    it("is asked for anew where the transfer came back with a value that is nobody's, and again with it named", async () => {
      await payShort(50n * fixture.cent);
      await payPart(20n * fixture.cent);
      await reorganise(fixture.payments.transfer(hash(LOST), 10n * fixture.cent));
      await fixture.settle();
      expect((await askedFor()).amount).toBeGreaterThan(50n * fixture.cent);
      await fixture.name(pi(1), hash(LOST));
      await fixture.confirm();
      const { amount } = await askedFor();
      expect(amount).toBeGreaterThan(40n * fixture.cent);
      expect(amount).toBeLessThan(41n * fixture.cent);
    });

    it("is asked for anew where the transfer came back with a value that is the payment's own", async () => {
      await payShort(50n * fixture.cent);
      await payPart(20n * fixture.cent);
      const { amount: own } = await askedFor();
      const { payments } = fixture;
      const depth = payments.chain.height - (payments.chain.blockOf(hash(LOST))?.number ?? 0) + 1;
      payments.chain.reorganise(depth, [payments.transfer(hash(LOST), own)], depth - 1);
      await fixture.settle();
      expect(await document()).toMatchObject({ received_base_units: (due - 50n * fixture.cent).toString() });
      expect((await askedFor()).amount).toBeGreaterThan(50n * fixture.cent);
      await fixture.confirm();
      const { amount } = await askedFor();
      expect(amount).toBeGreaterThan(19n * fixture.cent);
      expect(amount).toBeLessThan(21n * fixture.cent);
    });

    it('asks for the same as before where the transfer only moved to another block', async () => {
      await payShort(50n * fixture.cent);
      await payPart(20n * fixture.cent);
      const before = await askedFor();
      await reorganise(fixture.payments.transfer(hash(LOST), 20n * fixture.cent));
      await fixture.confirm();
      expect(await askedFor()).toStrictEqual(before);
    });

    it.each(['TransferDropped', 'AmountReserved'])('is asked for by who comes after a death at %s, once', async at => {
      const store = new DyingStore();
      fixture = await new MatchingFixture({ store }).start();
      due = await fixture.payments.quoted(pi(1));
      await fixture.pay(LOST, due - 50n * fixture.cent);
      await fixture.name(pi(1), hash(LOST));
      await fixture.confirm();
      await reorganise();
      fixture.payments.mineEmpty(200);
      store.diesAt = at;
      for (let ticks = 0; ticks < 2; ticks++) await fixture.watcher?.tick().catch(() => undefined);
      expect(store.isDead).toBe(true);
      store.diesAt = null;
      store.revive();
      // The runner brings the document to the log's head.
      await fixture.payments.project('', await fixture.payments.events(pi(1)));
      fixture.watcher = await fixture.payments.watcher();
      await fixture.settle();
      await fixture.settle();
      expect((await askedFor()).amount).toBeGreaterThan(due);
      expect((await remainders()).length).toBe(2);
    });

    it('is not asked for of a payment whose payer compliance has rejected', async () => {
      fixture.payments.verdicts.set(SENDER, 'high_risk');
      await payShort(50n * fixture.cent);
      await fixture.pay(LOST, 20n * fixture.cent, SENDER);
      await fixture.name(pi(1), hash(LOST));
      await fixture.confirm();
      const compliance = { role: 'compliance', type: 'admin', id: 'adm_1' } as const;
      const rejection = { type: 'reject_hold', reason: 'a match', proposedBy: 'adm_1', approvedBy: 'adm_2' } as const;
      const context = { ...fixture.payments.context(), merchantId: null, actor: compliance };
      await new ResolveHoldHandler(fixture.payments.writes).execute(new ResolveHold(pi(1), rejection, context));
      await fixture.confirm();
      await fixture.settle();
      expect(await document()).toMatchObject({ status: 'underpaid', remainder: null, followed: false });
      expect((await remainders()).length).toBe(1);
    });
  });

  /** Amounts that nobody else can be asked for now. */
  async function openReservations(): Promise<readonly string[]> {
    const open = new Map<string, string>();
    for (const { type, stream, data } of await slotEvents()) {
      if (type === 'AmountReserved') open.set(stream, String(data.amount_base_units));
      else open.delete(stream);
    }
    return [...open.values()];
  }

  function slotEvents(...types: readonly string[]): Promise<readonly RecordedEvent[]> {
    return recordedEvents(fixture.payments.store, 'amount_slot', ...types);
  }

  async function remainders(): Promise<readonly string[]> {
    const reserved = await slotEvents('AmountReserved');
    return reserved.flatMap(({ data }) => (data.purpose === 'remainder' ? [String(data.amount_base_units)] : []));
  }
});
