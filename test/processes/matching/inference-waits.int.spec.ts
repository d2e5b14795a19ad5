import { paymentIntentsProjection } from '../../../projections/payment-intents.projection';
import { deferredTransfersProjection } from '../../../projections/deferred-transfers.projection';
import { collectionSpec } from '../../../projections/runner/projection-collection';
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from '../../../src/kernel/clock';
import { amountGridId, amountSlotId } from '../../../src/modules/amount-slots/amount-slot.decider';
import { amountKey, dayOf } from '../../../src/modules/payment-intents/payment-intents.read-model';
import type { QuotedPaymentIntent } from '../../../src/modules/payment-intents/payment-intent.state';
import { transfers, transferStreamId } from '../../../src/modules/transfers/transfer.decider';
import { PaymentFixture } from '../../support/payment-fixture';
import { passMinutes, sweepAll, unreadBlocks } from '../../watchers/set-aside-stage';
import { InterruptedStore } from './interrupted-store';
import { hash, MatchingFixture, pi, type MatchingOptions } from './matching-fixture';
import { withoutIndex } from './moved-inference-stage';

const SENDER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
const TOLERANT = { infers: true, toleranceBps: 100 } as const;
/** One read of the index takes so many rows. */
const PAGE = 200;

async function begin(options: MatchingOptions = {}) {
  const fixture = await new MatchingFixture({ ...TOLERANT, ...options }).start();
  return { fixture, payments: fixture.payments, due: await fixture.payments.quoted(pi(1)) };
}

/** Half of a percent less than the amount due. */
const shortOf = (due: bigint): bigint => (due * 995n) / 1_000n;

async function deferred({ payments }: MatchingFixture) {
  const equals = { mode: 'test', network_id: 'base', status: 'open' };
  const rows = await payments.readModels.list(deferredTransfersProjection, { index: 'by_block', equals, limit: 9 });
  return rows.map(({ body: { fault, slot } }) => ({ fault, slot }));
}

async function placeOf({ payments }: MatchingFixture) {
  const { quote } = (await payments.payment(pi(1))) as QuotedPaymentIntent;
  const place = [quote.network_id, quote.address, quote.token_id] as const;
  return { slot: amountSlotId(...place, BigInt(quote.slot)), grid: amountGridId(...place) };
}

describe('a transfer that may be credited by inference', () => {
  it('has its place before coverage passes its block, so that the payment cannot expire under it', async () => {
    const store = new InterruptedStore();
    const { fixture, payments, due } = await begin({ store });
    const block = payments.chain.mine(payments.transfer(hash(1), shortOf(due), SENDER));
    let coveredUntilMs: number | null = null;
    store.meanwhile = {
      type: 'TransferSeen',
      act: async () => {
        coveredUntilMs = await (await payments.frontiers()).scannedUntil('test', 'base');
      },
    };
    payments.clock.timeMs += 1_000;
    await fixture.watcher?.tick();
    expect(coveredUntilMs).toBeLessThan(block.timeMs);
  });

  it('comes before the later ones of the same reading', async () => {
    const { fixture, payments, due } = await begin();
    for (let number = 1; number <= 5; number++)
      payments.chain.mine(payments.transfer(hash(number), shortOf(due) - BigInt(number), SENDER));
    payments.clock.timeMs += 10_000;
    await fixture.settle();
    const { ledger } = (await payments.payment(pi(1))) as QuotedPaymentIntent;
    expect(Object.values(ledger.transfers)).toMatchObject([{ tx_hash: hash(1), attribution: 'inferred' }]);
  });

  it('waits behind an unread block on the slot of the payment that is meant, and is credited after it', async () => {
    const { fixture, payments, due } = await begin();
    const unread = unreadBlocks(payments.chain);
    unread.add(payments.chain.mine().hash);
    payments.chain.mine(payments.transfer(hash(1), shortOf(due), SENDER));
    payments.clock.timeMs += 2_000;
    await fixture.settle();
    const { slot } = await placeOf(fixture);
    expect(await deferred(fixture)).toStrictEqual([{ fault: 'NotGapless', slot }]);
    unread.clear();
    await fixture.watcher?.retrySetAside();
    await fixture.confirm();
    expect([await deferred(fixture), await fixture.status(1)]).toStrictEqual([[], 'underpaid']);
  });

  it('waits while the index is being built, and no payment there expires meanwhile', async () => {
    const { fixture, payments, due } = await begin();
    const build = withoutIndex(fixture);
    payments.chain.mine(payments.transfer(hash(1), shortOf(due), SENDER));
    payments.clock.timeMs += 1_000;
    await fixture.watcher?.tick();
    const { grid } = await placeOf(fixture);
    expect(await deferred(fixture)).toStrictEqual([{ fault: 'IndexBehind', slot: grid }]);
    passMinutes(payments, 30 * MINUTE_MS);
    await fixture.watcher?.tick();
    await sweepAll(payments);
    expect(await fixture.status(1)).toBe('awaiting_payment');
    build();
    await fixture.watcher?.retrySetAside();
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('underpaid');
  });

  it('lies in the queue where a full page of quotes may hide one that is near', async () => {
    const { fixture, payments, due } = await begin();
    const value = (due * 8n) / 10n;
    const documents = await payments.documents.open(collectionSpec(paymentIntentsProjection));
    const own = await payments.readModels.get(paymentIntentsProjection, 'test', pi(1));
    if (!own?.body.state.quote) throw new Error('no quote');
    const { state } = own.body;
    const now = payments.clock.timeMs;
    const put = async (number: number, dueBaseUnits: bigint, quotedAtMs: number): Promise<void> => {
      const [quoted_at, end] = [isoTime(quotedAtMs), isoTime(quotedAtMs + 15 * MINUTE_MS)];
      const due_base_units = dueBaseUnits.toString();
      const quote = { ...state.quote, due_base_units, quoted_at, quote_expires_at: end, reserved_until: end };
      const body = {
        ...own.body,
        quoted_at,
        quoted_day: dayOf(quoted_at),
        due_key: amountKey(dueBaseUnits),
        state: { ...state, status: 'confirmed', quote },
      } as const;
      await documents.put({ id: pi(number), version: 1, body });
    };
    // Quotes from a little before the thirty days lie before the near one, which is from a little after.
    const monthMs = 30 * DAY_MS;
    for (let number = 1; number <= PAGE; number++)
      await put(100 + number, due / 2n + BigInt(number), now - monthMs - 6 * HOUR_MS);
    await put(99, due + 100n, now - monthMs + 6 * HOUR_MS);
    const id = await fixture.pay(1, value, SENDER);
    expect((await fixture.row(id)).body).toMatchObject({ open: true, reason: 'no_reservation' });
  });

  it('is shown to nobody as unmatched before it is judged, in live mode', async () => {
    const payments = new PaymentFixture({ ...TOLERANT, mode: 'live' });
    payments.mineEmpty(20);
    const watcher = await payments.watcher();
    await watcher.tick();
    const due = await payments.quoted(pi(1));
    const stream = transferStreamId({ network: 'base', txHash: hash(1), ordinal: 0 });
    const typesOf = async () => (await payments.writes.load(transfers, 'live', stream)).history.map(({ type }) => type);
    payments.chain.mine(payments.transfer(hash(1), shortOf(due), SENDER));
    payments.clock.timeMs += 1_000;
    await watcher.tick();
    expect(await typesOf()).toStrictEqual([]);
    payments.mineEmpty(40);
    await watcher.tick();
    expect((await typesOf()).slice(0, 2)).toStrictEqual(['TransferSeen', 'TransferClaimed']);
  });
});

describe('a naming of a transfer that its payment has by inference', () => {
  it('leaves the decision to the merchant where it was made at checkout', async () => {
    const { fixture, due } = await begin();
    await fixture.pay(1, shortOf(due), SENDER);
    const filed = await fixture.name(pi(1), hash(1), 'checkout');
    expect(filed).toMatchObject({ kind: 'filed', naming: { reason: 'inferred_already' } });
    await fixture.handleAll();
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('underpaid');
  });
});

it('an exact transfer beside an inferred one confirms the payment, and the inferred one lies in the queue', async () => {
  for (const isInReview of [false, true]) {
    const { fixture, due } = await begin();
    const id = await fixture.pay(1, shortOf(due), SENDER);
    if (isInReview) await fixture.confirm();
    expect(await fixture.status(1)).toBe(isInReview ? 'underpaid' : 'detected');
    await fixture.pay(2, due);
    await fixture.confirm();
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('confirmed');
    expect((await fixture.row(id)).body).toMatchObject({ open: true, status: 'unmatched', reason: 'credit_refused' });
  }
});
