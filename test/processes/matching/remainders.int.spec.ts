import { paymentIntentsProjection } from '../../../projections/payment-intents/payment-intents.projection';
import { TOKENS } from '../../../src/kernel/tokens';
import type { QuotedPaymentIntent } from '../../../src/modules/payment-intents/payment-intent.state';
import { hash, MatchingFixture, pi } from './matching-fixture';

const SENDER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
const { attributionToleranceBaseUnits: TOLERANCE, stepBaseUnits: STEP } = TOKENS['usdc-base'];

describe('the rest of a short payment', () => {
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
    return found.body;
  }

  /** What is asked for now. */
  async function rest(): Promise<{ readonly amount: bigint; readonly untilMs: number }> {
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
    const { amount } = await rest();
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
    const first = await rest();
    await fixture.pay(2, 20n * fixture.cent);
    await fixture.name(pi(1), hash(2));
    await fixture.confirm();
    const second = await rest();
    expect(second.amount - TOLERANCE).toBeGreaterThanOrEqual(30n * fixture.cent);
    expect(second.amount).toBeLessThan(31n * fixture.cent);
    expect(await fixture.payments.eventTypes(pi(1))).toContain('RemainderReserved');
    await fixture.pay(3, first.amount);
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('confirmed');
  });

  it('is kept apart from the quotes of others near it, and theirs from it', async () => {
    const { payments } = fixture;
    const neighbours = new Map<string, bigint>();
    for (let number = 100; number < 140; number++) neighbours.set(pi(number), await payments.quoted(pi(number), '50'));
    // As much is missing as each of the others costs: 0.50 EUR.
    await payShort(540_000n);
    const { amount } = await rest();
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
    const { amount, untilMs } = await rest();
    await passTo(untilMs + offMs);
    const id = await fixture.pay(2, amount, SENDER);
    await fixture.confirm();
    expect(await fixture.status(1)).toBe(expected);
    if (expected === 'confirmed') return;
    expect((await fixture.candidates(id))[0]).toBe(pi(1));
    // Nothing is lost by it: who knows whose it is says so.
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

  async function remainders(): Promise<readonly string[]> {
    const found: string[] = [];
    const reading = new AbortController();
    const { store } = fixture.payments;
    for await (const { events, live } of store.subscribe({ types: ['AmountReserved'] }, -1, reading.signal)) {
      for (const { data } of events) if (data.purpose === 'remainder') found.push(String(data.amount_base_units));
      if (live) reading.abort();
    }
    return found;
  }
});
