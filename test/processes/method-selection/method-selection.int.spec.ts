import { refuse, isRefusal, type ErrorCode } from '../../../src/vocabulary/errors';
import { OutcomeUnknown } from '../../../src/kernel/ports/event-store';
import { amountSlots } from '../../../src/modules/amount-slots/amount-slot.decider';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import type { MethodTerms } from '../../../src/vocabulary/method-terms';
import { MethodSelection } from '../../../src/processes/method-selection/method-selection';
import { SelectionChecks, type PaymentTerms } from '../../../src/processes/method-selection/selection-checks';
import { DyingStore } from '../matching/dying-store';
import { MemoryEventStore } from '../../support/memory-event-store';
import { ADDRESS, PaymentFixture, WALLET } from '../../support/payment-fixture';
import { recordedEvents } from '../../support/recorded-events';
import { termsOf } from '../../support/payment-terms';

const PI = 'pi_00000000000000000000000001';
const OTHER_WALLET = 'wal_00000000000000000000000001';
const OBSERVATIONS = ['1.07', '1.09'].map((rate, index) => {
  const source = `source-${index}`;
  return {
    source,
    family: source,
    asset: 'USDC',
    currency: 'EUR',
    rate,
    observed_at: '2026-11-01T11:59:50.000Z',
  } as const;
});
const terms = termsOf();

/** Each part is in order; each test breaks the part that it is about. */
const inOrder: PaymentTerms = {
  verifiedWallet: () => Promise.resolve({ id: WALLET, network: 'base', address: ADDRESS, dedicated: false }),
  routesOf: () => Promise.resolve(new Map([['usdc-base', WALLET]])),
  sightOf: () => Promise.resolve('in_time'),
  rate: () => ({ rate: '1.08', dollarRate: '1', observations: OBSERVATIONS }),
};

const methodTerms: MethodTerms = {
  enabledTokens: ['usdc-base'],
  stoppedTokens: [],
  toleranceBps: 50,
  walletVelocity: null,
};

/** A part in disorder, of the terms or of the rest. */
type Broken = Partial<PaymentTerms & MethodTerms>;

/** Takes the appends to one category, and never answers. */
class SilentStore extends MemoryEventStore {
  silentOn: string | null = null;
  override async append(...append: Parameters<MemoryEventStore['append']>) {
    const answer = await super.append(...append);
    if (this.silentOn !== null && append[0].includes(`.${this.silentOn}-`)) throw new OutcomeUnknown('no answer');
    return answer;
  }
}

describe('selecting a method', () => {
  let fixture: PaymentFixture;

  beforeEach(async () => {
    fixture = new PaymentFixture();
    await fixture.writes.execute(paymentIntents, PI, { type: 'create', terms }, fixture.context());
  });

  async function select(
    broken: Broken = {},
    token = 'usdc-base',
    id = PI,
    wallet: string | null = WALLET,
  ): Promise<ErrorCode | 'selected'> {
    const selection = new MethodSelection(
      fixture.writes,
      new SelectionChecks({ ...inOrder, ...broken }),
      fixture.reservations,
    );
    try {
      await selection.select(id, token, wallet, { ...methodTerms, ...broken }, fixture.context());
      return 'selected';
    } catch (error) {
      if (isRefusal(error)) return error.code;
      throw error;
    }
  }

  const notEnabled: Broken = { enabledTokens: [] };
  const stopped: Broken = { stoppedTokens: ['usdc-base'] };
  const notWatched: Broken = { sightOf: () => Promise.resolve('none') };
  const notVerified: Broken = { verifiedWallet: () => Promise.reject(refuse('wallet_not_verified')) };
  const notRouted: Broken = { routesOf: () => Promise.resolve(new Map()) };
  const routedElsewhere: Broken = { routesOf: () => Promise.resolve(new Map([['usdc-base', OTHER_WALLET]])) };
  const farBehind: Broken = { sightOf: () => Promise.resolve('late') };
  const noRate: Broken = {
    rate: () => {
      throw refuse('rate_divergence');
    },
  };

  it.each([
    ['unknown_token', { ...notEnabled, ...notWatched }, 'doge', 'pi_00000000000000000000000009'],
    ['asset_token_mismatch', { ...notEnabled, ...notWatched }, 'USDC', 'pi_00000000000000000000000009'],
    ['payment_not_found', { ...notEnabled, ...notWatched }, 'usdc-base', 'pi_00000000000000000000000009'],
    ['token_not_enabled', { ...notEnabled, ...notWatched, ...notVerified, ...notRouted, ...noRate }, 'usdc-base', PI],
    ['token_disabled', { ...stopped, ...notWatched, ...notVerified, ...notRouted, ...noRate }, 'usdc-base', PI],
    ['unsupported_network', { ...notWatched, ...notVerified, ...notRouted, ...noRate }, 'usdc-base', PI],
    ['wallet_not_verified', { ...notVerified, ...notRouted, ...farBehind, ...noRate }, 'usdc-base', PI],
    ['no_route_configured', { ...notRouted, ...farBehind, ...noRate }, 'usdc-base', PI],
    ['no_route_configured', { ...routedElsewhere, ...noRate }, 'usdc-base', PI],
    ['provider_unavailable', { ...farBehind, ...noRate }, 'usdc-base', PI],
    ['rate_divergence', noRate, 'usdc-base', PI],
    ['amount_too_small', { rate: () => ({ rate: '0.0007', dollarRate: '1', observations: [] }) }, 'usdc-base', PI],
    ['selected', {}, 'usdc-base', PI],
  ] as const)('answers %s before what comes later', async (expected, broken, token, id) => {
    expect(await select(broken as Broken, token, id)).toBe(expected);
  });

  it.each([
    [null, 'There is no route for USDC on base: set one with PUT /v1/routes.'],
    [OTHER_WALLET, `The route for USDC on base names ${OTHER_WALLET}, not ${WALLET}.`],
  ])('says of the route to %s which wallet it names', async (routed, message) => {
    const routes = new Map(routed === null ? [] : [['usdc-base' as const, routed]]);
    const terms = { ...inOrder, routesOf: () => Promise.resolve(routes) };
    const selection = new MethodSelection(fixture.writes, new SelectionChecks(terms), fixture.reservations);
    await expect(selection.select(PI, 'usdc-base', WALLET, methodTerms, fixture.context())).rejects.toMatchObject({
      code: 'no_route_configured',
      param: 'wallet_id',
      message,
    });
  });

  it.each([
    ['unsupported_network', { ...notWatched, ...notRouted, ...noRate }],
    ['wallet_not_found', { ...notRouted, ...notVerified, ...farBehind, ...noRate }],
    ['wallet_not_verified', { ...notVerified, ...farBehind, ...noRate }],
    ['provider_unavailable', { ...farBehind, ...noRate }],
  ] as const)('answers %s before what comes later, where the customer names no wallet', async (expected, broken) => {
    expect(await select(broken as Broken, 'usdc-base', PI, null)).toBe(expected);
  });

  it('takes the wallet of the route where the customer names none, and reads the routes once', async () => {
    const routesOf = jest.fn(() => Promise.resolve(new Map([['usdc-base' as const, OTHER_WALLET]])));
    const verifiedWallet: PaymentTerms['verifiedWallet'] = (_mode, _merchant, id, network) =>
      Promise.resolve({ id, network, address: ADDRESS, dedicated: false });
    expect(await select({ routesOf, verifiedWallet }, 'usdc-base', PI, null)).toBe('selected');
    expect(await fixture.payment(PI)).toMatchObject({ quote: { wallet_id: OTHER_WALLET } });
    expect(routesOf).toHaveBeenCalledTimes(1);
  });

  it('leaves no reservation behind where it is refused', async () => {
    const before = await fixture.store.lastPosition();
    await select(noRate);
    await select(farBehind);
    expect(await fixture.store.lastPosition()).toBe(before);
  });

  it('locks what was quoted: price rounded up, a unique amount above it, 15 minutes, the tolerance of now', async () => {
    await select();
    const state = await fixture.payment(PI);
    if (state.status !== 'awaiting_payment') throw new Error(state.status);
    expect(state.quote).toMatchObject({
      price_base_units: '27000000',
      rate: '1.08',
      observations: OBSERVATIONS,
      tolerance_bps: 50,
      required_confirmations: 12,
      finality_tier: 'standard',
      quoted_at: '2026-11-01T12:00:00.000Z',
      quote_expires_at: '2026-11-01T12:15:00.000Z',
      reserved_until: '2026-11-02T12:15:00.000Z',
    });
    const uplift = BigInt(state.quote.due_base_units) - 27_000_000n;
    expect(uplift).toBeGreaterThanOrEqual(4n);
    expect(uplift).toBeLessThan(13_500n);
  });

  it.each([
    ['large', '0.9259'],
    ['standard', '0.926'],
  ])(
    'is %s where a dollar costs %s tokens: by what it is worth, not by how many tokens it takes',
    async (tier, dollarRate) => {
      fixture = new PaymentFixture({ mode: 'live' });
      const atBound = { ...terms, amount_minor_units: '857338' };
      await fixture.writes.execute(paymentIntents, PI, { type: 'create', terms: atBound }, fixture.context());
      await select({ rate: () => ({ rate: '1.08', dollarRate, observations: OBSERVATIONS }) });
      expect(await fixture.payment(PI)).toMatchObject({ quote: { finality_tier: tier } });
    },
  );

  it('says of a payment that has a method in which state it could be given one', async () => {
    await select();
    const selection = new MethodSelection(fixture.writes, new SelectionChecks(inOrder), fixture.reservations);
    await expect(selection.select(PI, 'usdc-base', WALLET, methodTerms, fixture.context())).rejects.toMatchObject({
      code: 'invalid_state_transition',
      message: 'A payment in awaiting_payment cannot be given a method. That is possible in created.',
    });
  });

  it('happens once: a second selection is refused, and what it reserved is free again', async () => {
    const outcomes = await Promise.all([select(), select(), select()]);
    expect([...outcomes].sort()).toStrictEqual(['invalid_state_transition', 'invalid_state_transition', 'selected']);
    const state = await fixture.payment(PI);
    if (state.status !== 'awaiting_payment') throw new Error(state.status);
    expect(await openReservations()).toStrictEqual([state.quote.due_base_units]);
  });

  it('keeps its amount where the log took the quote and nobody was told so', async () => {
    const store = new SilentStore();
    fixture = new PaymentFixture({ store });
    await fixture.writes.execute(paymentIntents, PI, { type: 'create', terms }, fixture.context());
    store.silentOn = 'payment_intent';
    await expect(select()).rejects.toBeInstanceOf(OutcomeUnknown);
    const state = await fixture.payment(PI);
    if (state.status !== 'awaiting_payment') throw new Error(state.status);
    expect(await openReservations()).toStrictEqual([state.quote.due_base_units]);
  });

  it.each([
    ['30 seconds', 30_000, 1],
    ['five minutes', 5 * 60_000, 2],
    ['a day and a half', 36 * 3_600_000, 2],
  ])('tried again %s after a death, %s ms, says how long its amount is kept', async (_, laterMs, amounts) => {
    const store = new DyingStore();
    fixture = new PaymentFixture({ store });
    await fixture.writes.execute(paymentIntents, PI, { type: 'create', terms }, fixture.context());
    const selection = new MethodSelection(fixture.writes, new SelectionChecks(inOrder), fixture.reservations);
    const first = fixture.context();
    store.diesAt = 'AmountReserved';
    await expect(selection.select(PI, 'usdc-base', WALLET, methodTerms, first)).rejects.toThrow();
    store.diesAt = null;
    store.revive();
    fixture.clock.timeMs += laterMs;
    await selection.select(PI, 'usdc-base', WALLET, methodTerms, { ...first, now: fixture.clock.now() });
    const state = await fixture.payment(PI);
    if (state.status !== 'awaiting_payment') throw new Error(state.status);
    const { slot, address, reserved_until: until, quote_expires_at: end, quoted_at: start } = state.quote;
    const { state: kept } = await fixture.writes.load(amountSlots, 'test', `base:${address}:usdc-base:${slot}`);
    expect(kept.reservations.at(-1)).toMatchObject({ payment_intent: PI, reserved_until: until });
    expect(Date.parse(until) - Date.parse(end)).toBe(24 * 3_600_000);
    expect(Date.parse(end) - Date.parse(start)).toBe(15 * 60_000);
    expect(Date.parse(end) - fixture.clock.now()).toBeGreaterThanOrEqual(14 * 60_000);
    expect(await openReservations()).toHaveLength(amounts);
  });

  it('gives 64 payments of one price 64 different amounts', async () => {
    const ids = Array.from({ length: 64 }, (_, n) => `pi_0000000000000000000000${(100 + n).toString()}x`);
    for (const id of ids)
      await fixture.writes.execute(paymentIntents, id, { type: 'create', terms }, fixture.context());
    await Promise.all(ids.map(id => select({}, 'usdc-base', id)));
    const amounts = await openReservations();
    expect(amounts).toHaveLength(64);
    expect(new Set(amounts).size).toBe(64);
    const sorted = amounts.map(BigInt).sort((a, b) => (a < b ? -1 : 1));
    for (let i = 1; i < sorted.length; i++)
      expect((sorted[i] as bigint) - (sorted[i - 1] as bigint)).toBeGreaterThanOrEqual(10n);
  });

  /** Amounts of all reservations that stand, read from the slots' own streams. */
  async function openReservations(): Promise<readonly string[]> {
    const reserved = await recordedEvents(fixture.store, 'amount_slot', 'AmountReserved');
    const names = new Set(reserved.map(({ stream }) => stream.replace('test.amount_slot-', '')));
    const open: string[] = [];
    for (const name of names) {
      const { state } = await fixture.writes.load(amountSlots, 'test', name);
      const last = state.reservations.at(-1);
      if (last && last.released === null) open.push(last.amount_base_units);
    }
    return open;
  }
});
