import { isoTime } from '../../src/kernel/clock';
import type { CanonicalBlocks } from '../../src/kernel/ports/canonical-blocks';
import { refuse } from '../../src/vocabulary/errors';
import type { BlockHeader } from '../../src/kernel/ports/chain';
import {
  DecideReview,
  DecideReviewHandler,
  type ReviewDecision,
} from '../../src/modules/payment-intents/commands/decide-review.command';
import { paymentIntents } from '../../src/modules/payment-intents/payment-intent.decider';
import { transferId, transfers } from '../../src/modules/transfers/transfer.decider';
import type { NetworkWatcher } from '../../src/watchers/network-watcher';
import { NOON, PaymentFixture } from '../support/payment-fixture';

const PI = 'pi_00000000000000000000000001';
const HASH = `0x${'11'.repeat(32)}`;
const TRANSFER = transferId({ network: 'base', txHash: HASH, ordinal: 0 });
const accepted: ReviewDecision = { type: 'resolve', resolution: 'accepted', note: 'a good customer' };
const rejected: ReviewDecision = { type: 'resolve', resolution: 'rejected', note: 'sent back' };

describe('a decision on a payment in review', () => {
  let fixture: PaymentFixture;
  let asked: number;
  /** Happens once, between an answer of the chain and the decision that it is for. */
  let meanwhile: () => Promise<unknown>;

  /** The transfer comes after its quote's end, and is deep enough since. */
  beforeEach(async () => {
    asked = 0;
    meanwhile = () => Promise.resolve();
    fixture = new PaymentFixture();
    fixture.mineEmpty(20);
    const watcher = await fixture.watcher();
    await watcher.tick();
    const due = await fixture.quoted(PI);
    fixture.mineEmpty(16 * 60);
    await watcher.tick();
    await fixture.sweeper().sweep('quote');
    fixture.chain.mine(fixture.transfer(HASH, due));
    fixture.mineEmpty(20);
    await watcher.tick();
    expect((await fixture.payment(PI)).status).toBe('paid_late');
  });

  const canonicalBlocks: CanonicalBlocks = {
    isCanonical: async (_, __, { number, hash }) => {
      asked += 1;
      const agreed = await fixture.chain.agreedHash(number);
      if (agreed === null) throw refuse('provider_unavailable');
      const act = meanwhile;
      meanwhile = () => Promise.resolve();
      await act();
      return agreed === hash;
    },
  };

  async function decide(decision: ReviewDecision, merchantId = fixture.context().merchantId): Promise<void> {
    const context = {
      ...fixture.context(),
      merchantId,
      actor: { role: 'merchant', type: 'user', id: 'usr_1' } as const,
    };
    await new DecideReviewHandler(fixture.writes, canonicalBlocks).execute(new DecideReview(PI, decision, context));
  }

  /** The watcher has seen the payment's transfer in another block. */
  function move({ number, hash, timeMs }: Pick<BlockHeader, 'number' | 'hash' | 'timeMs'>): Promise<unknown> {
    const block = { block_number: number, block_hash: hash, block_time: isoTime(timeMs) };
    const command = { type: 'move_transfer', transferId: TRANSFER, block } as const;
    const occasion = { mode: 'test', cause: null } as const;
    return fixture.commands.execute(paymentIntents, PI, () => ({ command, actor: 'watcher' }), occasion);
  }

  it('confirms what the chain holds still', async () => {
    await decide(accepted);
    expect((await fixture.payment(PI)).status).toBe('confirmed');
    expect(asked).toBe(1);
  });

  it('confirms nothing that has left the chain, though nobody has noticed yet', async () => {
    fixture.chain.reorganise(21);
    await expect(decide(accepted)).rejects.toMatchObject({ code: 'payment_failed' });
    expect((await fixture.payment(PI)).status).toBe('paid_late');
  });

  it('confirms nothing in a block that the chain was not asked about', async () => {
    meanwhile = () => move({ number: 21, hash: `0x${'99'.repeat(32)}`, timeMs: NOON });
    await expect(decide(accepted)).rejects.toMatchObject({ code: 'payment_failed' });
    expect((await fixture.eventTypes(PI)).at(-1)).toBe('TransferMoved');
    expect(asked).toBe(2);
  });

  it('confirms in the block into which the transfer moved meanwhile, once the chain shows it there', async () => {
    meanwhile = () => move(fixture.chain.mine());
    await decide(accepted);
    expect((await fixture.eventTypes(PI)).slice(-3)).toEqual(['TransferMoved', 'ReviewResolved', 'PaymentConfirmed']);
    expect(asked).toBe(2);
  });

  it('confirms nothing while providers do not agree', async () => {
    fixture.chain.isAgreed = false;
    await expect(decide(accepted)).rejects.toMatchObject({ code: 'provider_unavailable' });
  });

  it('rejects without asking the chain', async () => {
    fixture.chain.down = true;
    await decide(rejected);
    expect(await fixture.eventTypes(PI)).toContain('ReviewResolved');
    expect(asked).toBe(0);
  });

  it('asks the chain nothing for another merchant', async () => {
    const stranger = 'mch_00000000000000000000000009';
    await expect(decide(accepted, stranger)).rejects.toMatchObject({ code: 'payment_not_found' });
    expect(asked).toBe(0);
  });
});

describe('a second transfer that is on its way as the first leads to the review', () => {
  const SECOND_HASH = `0x${'22'.repeat(32)}`;
  const SECOND = transferId({ network: 'base', txHash: SECOND_HASH, ordinal: 0 });
  let fixture: PaymentFixture;
  let watcher: NetworkWatcher;
  let due: bigint;

  beforeEach(async () => {
    fixture = new PaymentFixture();
    fixture.mineEmpty(20);
    watcher = await fixture.watcher();
    await watcher.tick();
    due = await fixture.quoted(PI);
    await mine(16 * 60);
    await fixture.sweeper().sweep('quote');
    fixture.chain.mine(fixture.transfer(HASH, due));
    fixture.mineEmpty(12);
    fixture.chain.mine(fixture.transfer(SECOND_HASH, due));
    await watcher.tick();
    expect(await fixture.payment(PI)).toMatchObject({
      status: 'paid_late',
      ledger: { transfers: { [SECOND]: { final: false } } },
    });
  });

  async function mine(count: number): Promise<void> {
    fixture.mineEmpty(count);
    await watcher.tick();
  }

  it('counts where a reorganisation moved it', async () => {
    fixture.chain.reorganise(1);
    fixture.chain.mine(fixture.transfer(SECOND_HASH, due));
    await mine(1);
    expect((await fixture.eventTypes(PI)).at(-1)).toBe('TransferMoved');
    await mine(20);
    expect((await fixture.eventTypes(PI)).at(-1)).toBe('PaidLate');
    expect(await fixture.payment(PI)).toMatchObject({ ledger: { transfers: { [SECOND]: { final: true } } } });
  });

  it('is off the payment and in the queue where it came back as another one', async () => {
    // Off by a wallet's rounding: the transfer meets the same reservation, and is not the same transfer.
    fixture.chain.reorganise(1, [fixture.transfer(SECOND_HASH, due + 1n)]);
    await mine(20);
    expect((await fixture.eventTypes(PI)).at(-1)).toBe('TransferDropped');
    const { state } = await fixture.writes.load(transfers, 'test', `base:${SECOND_HASH}:0`);
    expect(state).toMatchObject({ status: 'unmatched', seen: { value_base_units: String(due + 1n) } });
  });
});
