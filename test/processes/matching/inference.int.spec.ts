import type { LogPosition } from '../../../src/kernel/log-position';
import { paymentIntentsProjection } from '../../../projections/payment-intents.projection';
import { deferredTransfersProjection } from '../../../projections/deferred-transfers.projection';
import { DecideReview, DecideReviewHandler } from '../../../src/modules/payment-intents/commands/decide-review.command';
import type { ReviewDecision } from '../../../src/modules/payment-intents/commands/decide-review.command';
import type { QuotedPaymentIntent } from '../../../src/modules/payment-intents/payment-intent.state';
import { transfers, transferStreamId } from '../../../src/modules/transfers/transfer.decider';
import { DyingStore } from './dying-store';
import { hash, MatchingFixture, pi, type MatchingOptions } from './matching-fixture';

const SENDER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
const TOLERANT = { infers: true, toleranceBps: 100 } as const;

async function begin(options: MatchingOptions = {}) {
  const fixture = await new MatchingFixture({ ...TOLERANT, ...options }).start();
  return { fixture, due: await fixture.payments.quoted(pi(1)) };
}

/** Half of a percent less than the amount due. */
const shortOf = (due: bigint): bigint => (due * 995n) / 1_000n;

async function document(fixture: MatchingFixture, number = 1) {
  const found = await fixture.payments.readModels.get(paymentIntentsProjection, 'test', pi(number));
  if (!found) throw new Error('no payment');
  return found.body;
}

async function decide(fixture: MatchingFixture, decision: ReviewDecision): Promise<void> {
  const { payments } = fixture;
  const context = { ...payments.context(), actor: { role: 'merchant', type: 'user', id: 'usr_1' } as const };
  const handler = new DecideReviewHandler(payments.writes, { isCanonical: () => Promise.resolve(true) });
  await handler.execute(new DecideReview(pi(1), decision, context));
  await fixture.handleAll();
}

async function transferOf(fixture: MatchingFixture, number: number) {
  const key = { network: 'base', txHash: hash(number), ordinal: 0 } as const;
  const { state } = await fixture.payments.writes.load(transfers, 'test', transferStreamId(key));
  if (state.status === 'none') throw new Error('not seen');
  return state;
}

describe('a transfer half of a percent short, with one open payment at the address', () => {
  it('is credited by inference, and leaves the payment to its merchant', async () => {
    const { fixture, due } = await begin();
    await fixture.pay(1, shortOf(due), SENDER);
    await fixture.confirm();
    const { status, state, review, transfers: rows } = await document(fixture);
    const ledger = state.quote && state.ledger;
    expect([status, review?.reason, ledger?.review, ledger?.remainder]).toStrictEqual([
      'underpaid',
      'underpaid',
      'pending',
      null,
    ]);
    expect(rows).toMatchObject([{ tx_hash: hash(1), attribution: 'inferred', status: 'credited' }]);
    const { block_hash } = rows[0] ?? {};
    expect((await transferOf(fixture, 1)).evidence).toMatchObject({
      refusal: null,
      payment_intent: pi(1),
      due_base_units: due.toString(),
      is_dedicated: false,
      block_hash,
    });
    expect(await fixture.payments.eventTypes(pi(1))).toStrictEqual([
      'PaymentIntentCreated',
      'MethodSelected',
      'TransferDetected',
      'ConfirmationSeen',
      'DepthReached',
      'PayerScreened',
      'PaymentUnderpaid',
    ]);
  });

  it('is confirmed as the merchant accepts it', async () => {
    const { fixture, due } = await begin();
    await fixture.pay(1, shortOf(due), SENDER);
    await fixture.confirm();
    await decide(fixture, { type: 'accept', note: null });
    expect(await fixture.status(1)).toBe('confirmed');
  });

  it('goes back to the queue as the merchant rejects it, and may be named for another payment', async () => {
    const { fixture, due } = await begin();
    const id = await fixture.pay(1, shortOf(due), SENDER);
    await fixture.confirm();
    await decide(fixture, { type: 'resolve', resolution: 'rejected', note: 'a top-up of ours' });
    expect((await fixture.row(id)).body).toMatchObject({ open: true, status: 'unmatched', reason: 'credit_refused' });
    expect((await document(fixture)).transfers).toStrictEqual([]);
    await fixture.payments.quoted(pi(2));
    await fixture.name(pi(2), hash(1)).catch(() => undefined);
    await fixture.settle();
    expect((await transferOf(fixture, 1)).evidence).toBeNull();
  });

  it('confirms the payment by itself at a dedicated wallet', async () => {
    const { fixture, due } = await begin({ dedicated: true });
    await fixture.pay(1, shortOf(due), SENDER);
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('confirmed');
  });

  it('is not overpaid by inference at a shared wallet, and is at a dedicated one', async () => {
    for (const dedicated of [false, true]) {
      const { fixture, due } = await begin({ dedicated });
      const id = await fixture.pay(1, due + due / 200n, SENDER);
      await fixture.confirm();
      expect([await fixture.status(1), (await fixture.row(id)).body.open]).toStrictEqual(
        dedicated ? ['overpaid', false] : ['awaiting_payment', true],
      );
    }
  });
});

it('a naming takes the place of an inference before the settlement', async () => {
  const { fixture, due } = await begin();
  await fixture.pay(1, shortOf(due), SENDER);
  expect((await document(fixture)).transfers).toMatchObject([{ attribution: 'inferred' }]);
  await fixture.name(pi(1), hash(1));
  expect((await document(fixture)).transfers).toMatchObject([{ attribution: 'claimed' }]);
  await fixture.confirm();
  expect(await fixture.status(1)).toBe('confirmed');
});

describe('nothing is inferred', () => {
  it('where a second open payment may be meant', async () => {
    const { fixture, due } = await begin();
    await fixture.payments.quoted(pi(2), '2600');
    const id = await fixture.pay(1, shortOf(due), SENDER);
    await fixture.confirm();
    expect((await fixture.row(id)).body).toMatchObject({ open: true, reason: 'no_reservation' });
    expect([await fixture.status(1), await fixture.status(2)]).toStrictEqual(['awaiting_payment', 'awaiting_payment']);
  });

  it('where another merchant has a wallet at the address', async () => {
    const { fixture, due } = await begin({ infers: false });
    const id = await fixture.pay(1, shortOf(due), SENDER);
    await fixture.confirm();
    expect((await fixture.row(id)).body.open).toBe(true);
  });

  it('for less than one half', async () => {
    const { fixture, due } = await begin();
    const id = await fixture.pay(1, due / 2n - 1n, SENDER);
    await fixture.confirm();
    expect((await fixture.row(id)).body.open).toBe(true);
  });

  it('for a transfer that somebody has named', async () => {
    const { fixture, due } = await begin();
    await fixture.name(pi(1), hash(1));
    await fixture.pay(1, shortOf(due), SENDER);
    await fixture.confirm();
    const { status, transfers: rows } = await document(fixture);
    expect([status, rows[0]?.attribution]).toStrictEqual(['confirmed', 'claimed']);
  });

  it('for a second transfer to the same payment', async () => {
    const { fixture, due } = await begin();
    const { payments } = fixture;
    payments.chain.mine(
      payments.transfer(hash(1), shortOf(due), SENDER),
      payments.transfer(hash(2), shortOf(due) - 1n, SENDER),
    );
    payments.clock.timeMs += 1_000;
    await fixture.settle();
    await fixture.confirm();
    const { transfers: rows } = await document(fixture);
    expect(rows).toHaveLength(1);
    const states = await Promise.all([transferOf(fixture, 1), transferOf(fixture, 2)]);
    expect(states.map(({ status }) => status).toSorted()).toStrictEqual(['claimed', 'unmatched']);
    const id = await fixture.pay(3, shortOf(due), SENDER);
    await fixture.confirm();
    expect((await fixture.row(id)).body.open).toBe(true);
  });

  it('by an index that is behind: the transfer waits, and is credited once the index has caught up', async () => {
    const fixture = new MatchingFixture(TOLERANT);
    let held: LogPosition | null = null;
    const { payments } = fixture;
    payments.progress = {
      head: () => payments.store.lastPosition(),
      holds: (_, position) => Promise.resolve(held === null || held >= position),
    };
    await fixture.start();
    held = await payments.store.lastPosition();
    const due = await payments.quoted(pi(1));
    payments.chain.mine(payments.transfer(hash(1), shortOf(due), SENDER));
    payments.clock.timeMs += 1_000;
    await fixture.watcher?.tick();
    await fixture.confirm();
    const deferred = await payments.readModels.list(deferredTransfersProjection, {
      index: 'by_block',
      equals: { mode: 'test', network_id: 'base', status: 'open' },
      limit: 2,
    });
    expect(deferred.map(({ body }) => body.fault)).toStrictEqual(['IndexBehind']);
    expect(await fixture.status(1)).toBe('awaiting_payment');
    held = null;
    await fixture.watcher?.retrySetAside();
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('underpaid');
  });
});

describe('a claim by inference', () => {
  it('is credited by the next process where the first one dies after it', async () => {
    const store = new DyingStore();
    const { fixture, due } = await begin({ store });
    const { payments } = fixture;
    store.diesAt = 'TransferClaimed';
    payments.chain.mine(payments.transfer(hash(1), shortOf(due), SENDER));
    payments.mineEmpty(3);
    for (let tick = 0; tick < 3 && !store.isDead; tick++) await fixture.watcher?.tick().catch(() => undefined);
    expect(store.isDead).toBe(true);
    store.diesAt = null;
    store.revive();
    await fixture.handleAll();
    const { ledger } = (await payments.payment(pi(1))) as QuotedPaymentIntent;
    expect(Object.values(ledger.transfers)).toMatchObject([{ tx_hash: hash(1), attribution: 'inferred' }]);
    fixture.watcher = await payments.watcher();
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('underpaid');
  });

  it('is judged anew in another block, and stands there', async () => {
    const { fixture, due } = await begin();
    const { payments } = fixture;
    await fixture.pay(1, shortOf(due), SENDER);
    const before = await transferOf(fixture, 1);
    payments.chain.reorganise(1, [payments.transfer(hash(1), shortOf(due), SENDER)]);
    await fixture.confirm();
    const after = await transferOf(fixture, 1);
    expect(after.seen.block_hash).not.toBe(before.seen.block_hash);
    expect(after.evidence?.block_hash).toBe(after.seen.block_hash);
    expect(await fixture.status(1)).toBe('underpaid');
  });
});
