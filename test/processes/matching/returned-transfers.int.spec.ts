import type { QuotedPaymentIntent } from '../../../src/modules/payment-intents/payment-intent.state';
import { transferId, transfers, transferStreamId } from '../../../src/modules/transfers/transfer.decider';
import { InterruptedStore } from './interrupted-store';
import { hash, MatchingFixture, pi } from './matching-fixture';

let fixture: MatchingFixture;
let due: bigint;

async function start(options: ConstructorParameters<typeof MatchingFixture>[0] = {}): Promise<void> {
  fixture = await new MatchingFixture(options).start();
  due = await fixture.payments.quoted(pi(1));
}

/** Another block takes the tip's place, with the transaction of this value. */
function replaceTip(valueBaseUnits: bigint): void {
  const { payments } = fixture;
  payments.chain.reorganise(1, [payments.transfer(hash(1), valueBaseUnits)]);
  payments.clock.timeMs += 1_000;
}

/** The block in which the payment has the transfer. */
async function knownBlock(): Promise<string | undefined> {
  const { ledger } = (await fixture.payments.payment(pi(1))) as QuotedPaymentIntent;
  return Object.values(ledger.transfers)[0]?.block_hash;
}

describe('a transfer whose value changes, and which comes back in a third block as it was,', () => {
  it('counts there for the payment that it was named for', async () => {
    await start();
    await fixture.pay(1, due - 50n * fixture.cent);
    await fixture.name(pi(1), hash(1));
    replaceTip(due - 70n * fixture.cent);
    await fixture.settle();
    replaceTip(due - 50n * fixture.cent);
    await fixture.settle();
    await fixture.confirm();
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('underpaid');
  });

  it('is observed there by whoever follows the payment, where the scan of that block was recorded too early', async () => {
    const store = new InterruptedStore();
    await start({ store });
    const { payments } = fixture;
    const quick = await payments.watcher();
    await quick.tick();
    payments.chain.mine(payments.transfer(hash(1), due));
    payments.clock.timeMs += 1_000;
    store.meanwhile = {
      type: 'TransferSeen',
      act: async () => {
        replaceTip(due);
        payments.mineEmpty(1);
        await quick.tick();
      },
    };
    // The process records the replaced block over the one that took its place, and then dies.
    await fixture.watcher?.tick().catch(() => undefined);
    expect(store.meanwhile).toBeNull();
    fixture.watcher = quick;
    await fixture.confirm();
    await fixture.confirm();
    expect(await knownBlock()).toBe(payments.chain.blockOf(hash(1))?.hash);
    expect(await fixture.status(1)).toBe('confirmed');
  });

  it('is observed there in the queue as well', async () => {
    const store = new InterruptedStore();
    await start({ store });
    const { payments } = fixture;
    const quick = await payments.watcher();
    await quick.tick();
    const value = due - 50n * fixture.cent;
    payments.chain.mine(payments.transfer(hash(1), value));
    payments.clock.timeMs += 1_000;
    store.meanwhile = {
      type: 'TransferSeen',
      act: async () => {
        replaceTip(value);
        payments.mineEmpty(1);
        await quick.tick();
      },
    };
    await fixture.watcher?.tick().catch(() => undefined);
    fixture.watcher = quick;
    for (let look = 0; look < 2; look++) {
      payments.mineEmpty(200);
      await fixture.settle();
      await fixture.follower.follow();
    }
    const row = await fixture.row(transferId({ network: 'base', txHash: hash(1), ordinal: 0 }));
    expect(row.body).toMatchObject({ open: true, block_hash: payments.chain.blockOf(hash(1))?.hash });
  });
});

it('leaves the queue where a slow process records its replaced block after the queue was looked through', async () => {
  const store = new InterruptedStore();
  await start({ store });
  const { payments, follower } = fixture;
  const look = async (): Promise<void> => {
    payments.mineEmpty(200);
    await fixture.handleAll();
    await follower.follow();
  };
  payments.chain.mine(payments.transfer(hash(1), due - 50n * fixture.cent));
  payments.clock.timeMs += 1_000;
  store.meanwhile = {
    type: 'TransferSeen',
    act: async () => {
      payments.chain.reorganise(1, []);
      await look();
    },
  };
  await fixture.watcher?.tick();
  expect(store.meanwhile).toBeNull();
  for (let looks = 0; looks < 3; looks++) await look();
  const row = await fixture.row(transferId({ network: 'base', txHash: hash(1), ordinal: 0 }));
  expect(row.body).toMatchObject({ open: false, status: 'reorged_out' });
});

it('is kept for another look where the chain moves under the look at a transfer that seemed to be gone', async () => {
  await start();
  const { payments } = fixture;
  await fixture.pay(1, due - 50n * fixture.cent);
  const stream = transferStreamId({ network: 'base', txHash: hash(1), ordinal: 0 });
  const { hash: blockHash } = payments.chain.blockOf(hash(1)) as { hash: string };
  const context = { ...payments.context(), actor: { role: 'watcher', type: 'system', id: 'watcher' } as const };
  await payments.writes.execute(transfers, stream, { type: 'reorg_out', blockHash }, context);
  const agreed = await payments.chain.agreedBlock(1);
  const moving = jest.spyOn(payments.chain, 'agreedBlock').mockResolvedValue(agreed);
  await fixture.handleAll();
  await fixture.returned.round();
  expect((await fixture.transferEvents(1)).at(-1)).toBe('TransferReorgedOut');
  moving.mockRestore();
  payments.clock.timeMs += 15_000;
  await fixture.returned.round();
  await fixture.handleAll();
  const types = await fixture.transferEvents(1);
  expect(types.slice(types.indexOf('TransferReorgedOut') + 1)).toStrictEqual([
    'TransferSeen',
    'TransferUnmatched',
    'CandidatesRanked',
  ]);
});

describe('what counts after the first settlement, or after the quote’s end,', () => {
  it('is committed before as well', async () => {
    await start();
    await fixture.pay(1, due / 2n);
    await fixture.name(pi(1), hash(1));
    await fixture.confirm();
    const { ledger } = (await fixture.payments.payment(pi(1))) as QuotedPaymentIntent;
    await fixture.pay(2, BigInt(ledger.remainder?.due_base_units ?? 0));
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('confirmed');
    expect((await fixture.transferEvents(2)).at(-1)).toBe('TransferCommitted');
    const late = await fixture.payments.quoted(pi(2));
    fixture.payments.mineEmpty(16 * 60);
    await fixture.settle();
    await fixture.payments.sweeper().sweep('quote');
    await fixture.pay(3, late);
    await fixture.confirm();
    expect(await fixture.status(2)).toBe('paid_late');
    expect((await fixture.transferEvents(3)).at(-1)).toBe('TransferCommitted');
  });
});
