import { DecideReview, DecideReviewHandler } from '../../../src/modules/payment-intents/commands/decide-review.command';
import { ResolveHold, ResolveHoldHandler } from '../../../src/modules/payment-intents/commands/resolve-hold.command';
import type { QuotedPaymentIntent } from '../../../src/modules/payment-intents/payment-intent.state';
import { transfers, transferStreamId } from '../../../src/modules/transfers/transfer.decider';
import type { NetworkWatcher } from '../../../src/watchers/network-watcher';
import { DyingStore } from './dying-store';
import { InterruptedStore } from './interrupted-store';
import { DEPTH, hash, MatchingFixture, pi } from './matching-fixture';

/** Which transfers count for it. */
async function counted(fixture: MatchingFixture, number: number): Promise<readonly string[]> {
  const { ledger } = (await fixture.payments.payment(pi(number))) as QuotedPaymentIntent;
  return Object.values(ledger.transfers).map(({ tx_hash }) => tx_hash);
}

describe('a process that dies as it takes a lost transfer off its payment', () => {
  it.each(['TransferDropped', 'TransferReorgedOut'])('after %s leaves it to one payment at the most', async diesAt => {
    const store = new DyingStore();
    const fixture = await new MatchingFixture({ store }).start();
    const { payments } = fixture;
    const value = (await payments.quoted(pi(1))) - 50n * fixture.cent;
    await fixture.pay(1, value);
    await fixture.name(pi(1), hash(1));
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('underpaid');
    payments.chain.reorganise(DEPTH + 2);
    await fixture.settle();
    payments.mineEmpty(200);
    store.diesAt = diesAt;
    await fixture.watcher?.tick().catch(() => undefined);
    expect(store.isDead).toBe(true);
    store.diesAt = null;
    store.revive();
    fixture.watcher = await payments.watcher();
    await payments.quoted(pi(2));
    await fixture.settle();
    expect(await counted(fixture, 1)).toStrictEqual([]);
    // The transfer comes back after all, and both payments may claim it.
    await fixture.pay(1, value);
    const again = await fixture.name(pi(2), hash(1)).then(
      () => 'attributed',
      (error: { code: string }) => error.code,
    );
    // The former holder has the transfer again: the claim outlived the death, or is restored.
    expect(again).toBe('attribution_already_exists');
    await fixture.confirm();
    expect([...(await counted(fixture, 1)), ...(await counted(fixture, 2))]).toStrictEqual([hash(1)]);
  });
});

describe('a process that credits what another one has seen move, or go, meanwhile', () => {
  let fixture: MatchingFixture;
  let store: InterruptedStore;
  let value: bigint;

  beforeEach(async () => {
    store = new InterruptedStore();
    fixture = await new MatchingFixture({ store }).start();
    value = await fixture.payments.quoted(pi(1));
  });

  /**
   * The watcher sees the transfer, and as it is about to credit it, the other one does that; then the watcher does no
   * more.
   */
  async function creditLate(meanwhile: (other: NetworkWatcher) => Promise<void>): Promise<void> {
    const { payments } = fixture;
    const other = await payments.watcher();
    await other.tick();
    payments.chain.mine(payments.transfer(hash(1), value));
    payments.clock.timeMs += 1_000;
    store.meanwhile = { type: 'TransferDetected', act: () => meanwhile(other) };
    // The watcher finds out at the end of its tick that the other one has taken over.
    await fixture.watcher?.tick().catch(() => undefined);
    expect(store.meanwhile).toBeNull();
    fixture.watcher = other;
  }

  it('leaves it where it is now', async () => {
    const { payments } = fixture;
    await creditLate(async other => {
      payments.chain.reorganise(1);
      payments.chain.mine(payments.transfer(hash(1), value));
      await other.tick();
      await fixture.handleAll();
    });
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('confirmed');
  });

  it('takes it back where it was taken off its payment', async () => {
    await creditLate(async () => {
      const key = { network: 'base', txHash: hash(1), ordinal: 0 } as const;
      const { state } = await fixture.payments.writes.load(transfers, 'test', transferStreamId(key));
      if (state.status === 'none') throw new Error('not seen');
      const gone = {
        type: 'let_go',
        blockHash: state.seen.block_hash,
        paymentIntent: pi(1),
        isDropped: true,
      } as const;
      await fixture.payments.writes.execute(transfers, transferStreamId(key), gone, fixture.payments.context());
    });
    expect(await counted(fixture, 1)).toStrictEqual([]);
  });
});

/**
 * A transfer that was on its way as its payment was decided, and that a reorganisation then puts into another block.
 */
describe('a transfer that moves while it is short of its depth', () => {
  let fixture: MatchingFixture;
  let due: bigint;

  beforeEach(async () => {
    fixture = await new MatchingFixture().start();
    due = await fixture.payments.quoted(pi(1));
  });

  /** Puts the last block's transfer two blocks further on. */
  async function move(number: number, valueBaseUnits: bigint): Promise<void> {
    const { payments } = fixture;
    payments.chain.reorganise(1);
    payments.chain.mine(payments.transfer(hash(number), valueBaseUnits));
    payments.clock.timeMs += 1_000;
    await fixture.settle();
  }

  async function accept(): Promise<void> {
    const context = {
      ...fixture.payments.context(),
      actor: { role: 'merchant', type: 'api_key', id: 'key_1' } as const,
    };
    const canonicalBlocks = { isCanonical: () => Promise.resolve(true) };
    const review = new DecideReview(pi(1), { type: 'accept', note: null }, context);
    await new DecideReviewHandler(fixture.payments.writes, canonicalBlocks).execute(review);
  }

  it('goes to the queue where the payment was accepted without it', async () => {
    await fixture.pay(1, due - 50n * fixture.cent);
    await fixture.name(pi(1), hash(1));
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('underpaid');
    const id = await fixture.pay(2, 20n * fixture.cent);
    await fixture.name(pi(1), hash(2));
    await accept();
    await move(2, 20n * fixture.cent);
    await fixture.confirm();
    expect((await fixture.row(id)).body).toMatchObject({ open: true, status: 'unmatched', reason: 'credit_refused' });
    const { ledger } = (await fixture.payments.payment(pi(1))) as QuotedPaymentIntent;
    expect(Object.values(ledger.transfers).map(({ tx_hash }) => tx_hash)).toStrictEqual([hash(1)]);
  });

  it('counts for a late payment as the first one does', async () => {
    fixture.payments.mineEmpty(16 * 60);
    await fixture.settle();
    await fixture.payments.sweeper().sweep('quote');
    await fixture.pay(1, due);
    fixture.payments.mineEmpty(DEPTH - 1);
    await fixture.pay(2, due);
    expect(await fixture.status(1)).toBe('paid_late');
    await move(2, due);
    await fixture.confirm();
    const { ledger } = (await fixture.payments.payment(pi(1))) as QuotedPaymentIntent;
    expect(Object.values(ledger.transfers).map(({ final }) => final)).toStrictEqual([true, true]);
  });

  it('goes to the queue where compliance has rejected the payment', async () => {
    const { payments } = fixture;
    const stranger = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
    payments.verdicts.set(stranger, 'high_risk');
    await fixture.pay(1, due, stranger);
    payments.mineEmpty(DEPTH - 1);
    const id = await fixture.pay(2, due);
    const compliance = { role: 'compliance', type: 'admin', id: 'adm_1' } as const;
    const rejection = { type: 'reject_hold', reason: 'a match', proposedBy: 'adm_1', approvedBy: 'adm_2' } as const;
    const context = { ...payments.context(), merchantId: null, actor: compliance };
    await new ResolveHoldHandler(payments.writes).execute(new ResolveHold(pi(1), rejection, context));
    expect(await fixture.status(1)).toBe('failed');
    await move(2, due);
    await fixture.confirm();
    expect((await fixture.row(id)).body).toMatchObject({ open: true, status: 'unmatched', reason: 'credit_refused' });
  });
});
