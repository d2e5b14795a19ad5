import { DAY_MS, HOUR_MS } from '../../../src/kernel/clock';
import { refuse } from '../../../src/vocabulary/errors';
import { namings } from '../../../src/modules/transfers/naming.decider';
import { NamingLooks } from '../../../src/processes/matching/naming-looks';
import { WaitingNamings } from '../../../src/processes/matching/waiting-namings';
import { hash, keyOf, MatchingFixture, pi } from './matching-fixture';

const SENDER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';

describe('a transaction named while its watcher is away', () => {
  let fixture: MatchingFixture;
  let due: bigint;

  beforeEach(async () => {
    fixture = await new MatchingFixture().start();
    due = await fixture.payments.quoted(pi(1));
  });

  /** Mines a block that no watcher reads for now. */
  function mine(number: number, valueBaseUnits: bigint): void {
    const { chain, clock } = fixture.payments;
    chain.mine(fixture.payments.transfer(hash(number), valueBaseUnits, SENDER));
    clock.timeMs += 1_000;
  }

  function pass(spanMs: number): void {
    const { chain, clock } = fixture.payments;
    chain.skipTime(spanMs);
    clock.timeMs += spanMs;
  }

  it.each([
    ['the very amount', 0n],
    ['another amount', 5n],
  ])('expires nobody who paid in time: %s', async (_, cents) => {
    mine(1, due);
    pass(5 * HOUR_MS);
    mine(2, due - cents * fixture.cent);
    await expect(fixture.name(pi(1), hash(2))).resolves.toMatchObject({
      kind: 'filed',
      naming: { status: 'pending' },
    });
    expect(await fixture.status(1)).toBe('awaiting_payment');
    await fixture.settle();
    await fixture.confirm();
    // Both transfers are his now: the one that came in time, and the one that he named.
    expect(await fixture.status(1)).toBe('overpaid');
  });

  it.each([
    ['the very amount', 0n],
    ['another amount', 5n],
  ])('is late all the same where it came after the quote: %s', async (_, cents) => {
    pass(5 * HOUR_MS);
    mine(2, due - cents * fixture.cent);
    await fixture.name(pi(1), hash(2));
    await fixture.settle();
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('paid_late');
    expect(await fixture.payments.eventTypes(pi(1))).toContain('QuoteExpired');
  });

  it('ends no quote where real money is before all that came first is settled', async () => {
    fixture = await new MatchingFixture({ mode: 'live' }).start();
    due = await fixture.payments.quoted(pi(1));
    const { chain } = fixture.payments;
    chain.isAgreed = false;
    pass(HOUR_MS);
    mine(2, due - 5n * fixture.cent);
    await fixture.name(pi(1), hash(2));
    await fixture.settle();
    await fixture.payments.sweeper().sweep('quote');
    expect(await fixture.status(1)).toBe('awaiting_payment');
    chain.isAgreed = true;
    fixture.payments.mineEmpty(30);
    await fixture.watcher?.tick();
    await fixture.payments.sweeper().sweep('quote');
    await fixture.handleAll();
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('paid_late');
  });

  it('leaves the end of a quote to the sweeper in live mode, though all that came first is read', async () => {
    fixture = await new MatchingFixture({ mode: 'live' }).start();
    due = await fixture.payments.quoted(pi(1));
    pass(5 * HOUR_MS);
    mine(2, due - 5n * fixture.cent);
    fixture.payments.mineEmpty(30);
    await fixture.settle();
    await fixture.name(pi(1), hash(2));
    await fixture.handleAll();
    expect(await fixture.status(1)).toBe('awaiting_payment');
    await fixture.payments.sweeper().sweep('quote');
    await fixture.handleAll();
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('paid_late');
  });

  it.each([
    ['the same process', false],
    ['one that has started since', true],
  ])('is answered where it came in time and %s can look only when its day is over', async (_name, isNew) => {
    const { chain } = fixture.payments;
    await fixture.name(pi(1), hash(2));
    pass(DAY_MS - HOUR_MS);
    mine(2, due - 5n * fixture.cent);
    const away = jest.spyOn(chain, 'lookUp').mockRejectedValue(refuse('provider_unavailable'));
    await fixture.settle();
    pass(2 * HOUR_MS);
    await fixture.looks.round();
    away.mockRestore();
    fixture.payments.mineEmpty(1);
    await fixture.settle();
    const { looks } = fixture;
    await (isNew ? new NamingLooks({ ...looks['parts'], waiting: new WaitingNamings() }) : looks).round();
    const { state } = await fixture.payments.writes.load(namings, 'test', `base:${hash(2)}`);
    expect(state.namings[pi(1)]?.status).toBe('attributed');
  });

  it('counts for nobody after the window, whoever gives it to the payment', async () => {
    pass(DAY_MS + HOUR_MS);
    const id = await fixture.pay(1, due - fixture.cent, SENDER);
    const resolve = () => fixture.decisions.resolve(keyOf(1), pi(1), 'By phone', fixture.admin());
    await fixture.payments.sweeper().sweep('quote');
    expect(await fixture.status(1)).toBe('expired');
    await expect(resolve()).rejects.toMatchObject({ code: 'payment_expired' });
    await expect(fixture.name(pi(1), hash(1))).rejects.toMatchObject({ code: 'payment_expired' });
    expect((await fixture.row(id)).body).toMatchObject({ open: true, status: 'unmatched' });
  });
});

describe('a transfer in time that nobody named in time', () => {
  let fixture: MatchingFixture;
  let due: bigint;

  const pass = async (spanMs: number): Promise<void> => {
    fixture.payments.chain.skipTime(spanMs);
    fixture.payments.clock.timeMs += spanMs;
    fixture.payments.mineEmpty(30);
    await fixture.settle();
    for (const kind of ['quote', 'reservation'] as const) await fixture.payments.sweeper().sweep(kind);
  };

  beforeEach(async () => {
    fixture = await new MatchingFixture().start();
    due = await fixture.payments.quoted(pi(1));
    await fixture.pay(1, due - 5n * fixture.cent, SENDER);
  });

  it.each([
    ['a day', 26 * HOUR_MS],
    ['four weeks', 29 * DAY_MS],
  ])('is its payment’s %s later, and late', async (_, spanMs) => {
    await pass(spanMs);
    expect(await fixture.status(1)).toBe('expired');
    await expect(fixture.name(pi(1), hash(1))).resolves.toMatchObject({ kind: 'attributed' });
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('paid_late');
  });

  it('is nobody’s after thirty days', async () => {
    await pass(31 * DAY_MS);
    await expect(fixture.name(pi(1), hash(1))).rejects.toMatchObject({ code: 'reservation_not_found' });
    expect((await fixture.payments.payment(pi(1))).status).toBe('expired');
  });

  it('is not had at checkout after the window', async () => {
    await pass(26 * HOUR_MS);
    const naming = fixture.name(pi(1), hash(1), 'checkout');
    await expect(naming).rejects.toMatchObject({ code: 'reservation_not_found' });
  });

  it('is told apart from one that came after the window, however it is named', async () => {
    await pass(25 * HOUR_MS);
    await fixture.pay(2, due - 6n * fixture.cent, SENDER);
    for (const logIndex of [null, 0])
      await expect(fixture.name(pi(1), hash(2), 'merchant', logIndex)).rejects.toMatchObject({
        code: 'payment_expired',
      });
  });
});

describe('a stranger’s transfer read on the chain', () => {
  it('is not had by the holder of an old short payment', async () => {
    const fixture = await new MatchingFixture().start();
    const due = await fixture.payments.quoted(pi(1));
    await fixture.pay(1, due - 50n * fixture.cent);
    await fixture.name(pi(1), hash(1));
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('underpaid');
    fixture.payments.chain.skipTime(2 * DAY_MS);
    fixture.payments.clock.timeMs += 2 * DAY_MS;
    await fixture.pay(2, 50n * fixture.cent, SENDER);
    await expect(fixture.name(pi(1), hash(2), 'checkout')).resolves.toMatchObject({
      kind: 'filed',
      naming: { status: 'in_review', reason: 'after_remainder' },
    });
    expect(await fixture.status(1)).toBe('underpaid');
    expect(await fixture.transferEvents(2)).not.toContain('TransferClaimed');
  });
});
