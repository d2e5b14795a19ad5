import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import type { NamingSide } from '../../../src/modules/transfers/naming.events';
import { namings } from '../../../src/modules/transfers/naming.decider';
import { MERCHANT } from '../../support/payment-fixture';
import { FaultyStore, Killed } from '../../simulation/faulty-store';
import { hash, keyOf, MatchingFixture, pi } from './matching-fixture';
import { termsOf } from '../../support/payment-terms';

const SHARER = 'mch_00000000000000000000000009';
const SENDER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';

let fixture: MatchingFixture;

/** A quote of a merchant to whom the same address belongs. */
async function quotedBySharer(id: string, amountMinorUnits = '2500'): Promise<bigint> {
  const { writes } = fixture.payments;
  const context = () => ({ ...fixture.payments.context(), merchantId: SHARER });
  const terms = termsOf({ amount_minor_units: amountMinorUnits });
  await writes.execute(paymentIntents, id, { type: 'create', terms }, context());
  await fixture.payments.select(id, context());
  const state = await fixture.payments.payment(id);
  if (state.status !== 'awaiting_payment') throw new Error(state.status);
  return BigInt(state.quote.due_base_units);
}

function name(
  merchantId: string,
  id: string,
  number: number,
  logIndex: number | null = null,
  side: NamingSide = 'merchant',
) {
  return fixture.name(id, hash(number), side, logIndex, { merchantId });
}

/** The number of payments to which a transfer was ever given. */
async function credits(...ids: readonly string[]): Promise<number> {
  const types = await Promise.all(ids.map(id => fixture.payments.eventTypes(id)));
  return types.flat().filter(type => type === 'TransferDetected').length;
}

async function namingStatus(number: number, id: string, logIndex: number | null = null): Promise<string | undefined> {
  const place = logIndex === null ? '' : `:${logIndex}`;
  const { state } = await fixture.payments.writes.load(namings, 'test', `base:${hash(number)}${place}`);
  return state.namings[id]?.status;
}

describe('two merchants at one address', () => {
  let mine: bigint;
  let theirs: bigint;

  beforeEach(async () => {
    fixture = await new MatchingFixture().start();
    mine = await fixture.payments.quoted(pi(1));
    theirs = await quotedBySharer(pi(2), '9900');
  });

  it('shut each other out of no transaction, however often one of them names it', async () => {
    for (let number = 100; number < 121; number++) await fixture.payments.quoted(pi(number), `${number}00`);
    for (let number = 100; number < 120; number++) await name(MERCHANT, pi(number), 1);
    await expect(name(MERCHANT, pi(120), 1)).rejects.toMatchObject({ code: 'duplicate_transaction' });
    await expect(name(SHARER, pi(2), 1)).resolves.toMatchObject({ naming: { status: 'pending' } });
    await fixture.pay(1, theirs - fixture.cent, SENDER);
    expect(await namingStatus(1, pi(2))).toBe('attributed');
  });

  it('of one price are asked for amounts of their own, and get what is theirs', async () => {
    const asMuch = await quotedBySharer(pi(3));
    expect(asMuch).not.toBe(mine);
    await fixture.pay(1, asMuch, SENDER);
    await fixture.confirm();
    expect([await fixture.status(1), await fixture.status(3)]).toStrictEqual(['awaiting_payment', 'confirmed']);
    await expect(name(MERCHANT, pi(1), 1)).rejects.toMatchObject({ code: 'attribution_already_exists' });
  });

  it.each([
    ['the one whose it is first', [MERCHANT, SHARER]],
    ['the other one first', [SHARER, MERCHANT]],
  ] as const)('who name one transaction before it comes: %s', async (_, order) => {
    for (const merchant of order) await name(merchant, merchant === MERCHANT ? pi(1) : pi(2), 1);
    await fixture.pay(1, mine - 5n * fixture.cent, SENDER);
    expect([await fixture.status(1), await fixture.status(2)]).toStrictEqual(['detected', 'awaiting_payment']);
    expect(await credits(pi(1), pi(2))).toBe(1);
    await fixture.handleAgain();
    expect(await credits(pi(1), pi(2))).toBe(1);
    await expect(name(SHARER, pi(2), 1)).rejects.toMatchObject({ code: 'attribution_already_exists' });
  });

  it('who name one transaction at the same moment: one has it', async () => {
    const third = await quotedBySharer(pi(3));
    const middle = (mine + third) / 2n;
    await fixture.pay(1, middle + (middle % 10n === 0n ? 5n : 0n), SENDER);
    const answers = await Promise.allSettled([name(MERCHANT, pi(1), 1), name(SHARER, pi(3), 1)]);
    const given = answers.filter(each => each.status === 'fulfilled' && each.value.kind === 'attributed');
    expect(given).toHaveLength(1);
    expect(await credits(pi(1), pi(3))).toBe(1);
  });

  it('keep to themselves what comes for a payment that has ended: its amount was nobody else’s', async () => {
    await fixture.cancel(1);
    await fixture.pay(1, mine, SENDER);
    await quotedBySharer(pi(3));
    await expect(name(SHARER, pi(3), 1)).resolves.toMatchObject({ kind: 'filed', naming: { status: 'in_review' } });
    await fixture.payments.quoted(pi(4));
    await expect(name(MERCHANT, pi(4), 1, null, 'checkout')).resolves.toMatchObject({ kind: 'filed' });
    expect(await fixture.transferEvents(1)).not.toContain('TransferResolved');
    expect([await fixture.status(3), await fixture.status(4)]).toStrictEqual(['awaiting_payment', 'awaiting_payment']);
    await expect(name(MERCHANT, pi(4), 1)).resolves.toMatchObject({ kind: 'attributed' });
  });

  it('are paid by one transaction each: the places in it are theirs', async () => {
    const { chain, clock } = fixture.payments;
    chain.mine(fixture.payments.transfer(hash(1), theirs, SENDER), fixture.payments.transfer(hash(1), mine, SENDER));
    clock.timeMs += 1_000;
    await fixture.settle();
    await expect(name(MERCHANT, pi(1), 1, 0)).rejects.toMatchObject({ code: 'attribution_already_exists' });
    await fixture.confirm();
    expect([await fixture.status(1), await fixture.status(2)]).toStrictEqual(['confirmed', 'confirmed']);
    for (const [id, ordinal] of [
      [pi(1), 1],
      [pi(2), 0],
    ] as const) {
      const state = await fixture.payments.payment(id);
      const ordinals =
        state.status === 'confirmed' ? Object.values(state.ledger.transfers).map(each => each.ordinal) : [];
      expect(ordinals).toStrictEqual([ordinal]);
    }
  });
});

describe('a transaction of several transfers, named before it comes', () => {
  it.each([
    ['without saying which', null, 'refused', [false, false]],
    ['by its first place', 0, 'attributed', [true, false]],
    ['by a place that it has not', 5, 'pending', [false, false]],
  ] as const)('%s', async (_, logIndex, status, claimed) => {
    fixture = await new MatchingFixture().start();
    const due = await fixture.payments.quoted(pi(1));
    await name(MERCHANT, pi(1), 1, logIndex);
    const { payments } = fixture;
    payments.chain.mine(payments.transfer(hash(1), due - 7n), payments.transfer(hash(1), due - 3n * fixture.cent));
    await fixture.settle();
    expect(await namingStatus(1, pi(1), logIndex)).toBe(status);
    for (const ordinal of [0, 1])
      expect((await fixture.transferEvents(1, ordinal)).includes('TransferClaimed')).toBe(claimed[ordinal]);
  });

  it('is not guessed at where the watcher was killed between the two', async () => {
    const store = new FaultyStore();
    fixture = await new MatchingFixture({ store }).start();
    const due = await fixture.payments.quoted(pi(1));
    await name(MERCHANT, pi(1), 1);
    const { payments } = fixture;
    payments.chain.mine(payments.transfer(hash(1), due - 7n), payments.transfer(hash(1), due - 3n * fixture.cent));
    store.killAfter({ afterAppends: 1, isWritten: false });
    await expect(fixture.watcher?.tick()).rejects.toBeInstanceOf(Killed);
    store.revive();
    await fixture.handleAll();
    await fixture.settle();
    expect(await fixture.status(1)).toBe('awaiting_payment');
    expect(await namingStatus(1, pi(1))).toBe('refused');
  });
});

describe('a transfer that an administrator has given to a payment', () => {
  let id: string;
  let value: bigint;

  beforeEach(async () => {
    fixture = await new MatchingFixture().start();
    value = (await fixture.payments.quoted(pi(1))) - 3n * fixture.cent;
    id = await fixture.pay(1, value, SENDER);
    await fixture.decisions.resolve(keyOf(1), pi(1), 'By phone', fixture.admin());
  });

  it('stays with it when a reorganisation moves it', async () => {
    fixture.payments.chain.reorganise(1, [fixture.payments.transfer(hash(1), value, SENDER)]);
    await fixture.settle();
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('underpaid');
    expect((await fixture.row(id)).body).toMatchObject({ open: false, payment_intent: pi(1) });
  });

  it('is lost to it when a reorganisation takes it, and back in the queue when it comes again', async () => {
    fixture.payments.chain.reorganise(1);
    await fixture.settle();
    fixture.payments.mineEmpty(200);
    await fixture.settle();
    expect(await fixture.status(1)).toBe('failed');
    expect((await fixture.row(id)).body).toMatchObject({ open: false, status: 'reorged_out', payment_intent: null });
    const next = await fixture.payments.quoted(pi(2));
    await fixture.pay(1, value, SENDER);
    expect((await fixture.row(id)).body).toMatchObject({ open: true, status: 'unmatched' });
    await fixture.decisions.resolve(keyOf(1), pi(2), 'For the second order', fixture.admin());
    await fixture.confirm();
    expect(await fixture.status(2)).toBe('underpaid');
    expect(next).toBeGreaterThan(value);
  });
});
