import { MINUTE_MS } from '../../../src/kernel/clock';
import { transferId, transfers, transferStreamId } from '../../../src/modules/transfers/transfer.decider';
import type { NetworkWatcher } from '../../../src/watchers/network-watcher';
import { eventsOf, typesOf } from '../../watchers/set-aside-stage';
import { DyingStore } from './dying-store';
import { InterruptedStore } from './interrupted-store';
import { hash, MatchingFixture, pi } from './matching-fixture';

const [Q, R] = [1, 2];

let fixture: MatchingFixture;
let dueOfQ: bigint;
let dueOfR: bigint;

async function start(options: ConstructorParameters<typeof MatchingFixture>[0] = {}): Promise<void> {
  fixture = await new MatchingFixture(options).start();
  dueOfQ = await fixture.payments.quoted(pi(Q));
  dueOfR = await fixture.payments.quoted(pi(R));
}

/** Another block takes the tip's place, in which the same log has this value. */
function replaceTip(valueBaseUnits: bigint): void {
  const { chain, clock, transfer } = fixture.payments;
  chain.reorganise(1, [transfer.call(fixture.payments, hash(1), valueBaseUnits)]);
  clock.timeMs += 1_000;
}

async function standing() {
  const key = { network: 'base', txHash: hash(1), ordinal: 0 } as const;
  const { state } = await fixture.payments.writes.load(transfers, 'test', transferStreamId(key));
  return state.status === 'none' ? null : { status: state.status, claim: state.claim };
}

describe('a transfer that changes its value after it was claimed for a payment that never had it', () => {
  let store: DyingStore;

  beforeEach(async () => {
    store = new DyingStore();
    await start({ store });
    store.diesAt = 'TransferClaimed';
    await expect(fixture.pay(1, dueOfQ)).rejects.toThrow();
    store.diesAt = null;
    store.revive();
    fixture.watcher = await fixture.payments.watcher();
  });

  it('is matched anew, to the payment that its new value meets', async () => {
    replaceTip(dueOfR);
    await fixture.settle();
    expect(await standing()).toStrictEqual({ status: 'claimed', claim: pi(R) });
    await fixture.confirm();
    expect([await fixture.status(Q), await fixture.status(R)]).toStrictEqual(['awaiting_payment', 'confirmed']);
  });

  it('is matched anew to nobody, and comes into the queue', async () => {
    replaceTip(dueOfR + 70n * fixture.cent);
    await fixture.settle();
    const row = await fixture.row(transferId({ network: 'base', txHash: hash(1), ordinal: 0 }));
    expect(row.body).toMatchObject({ open: true, status: 'unmatched', reason: 'no_reservation' });
  });

  it('is matched anew where the process dies again between the end of its claim and that', async () => {
    replaceTip(dueOfR);
    store.diesAt = 'TransferReorgedOut';
    await expect(fixture.settle()).rejects.toThrow();
    store.diesAt = null;
    store.revive();
    expect(await standing()).toStrictEqual({ status: 'reorged_out', claim: null });
    await fixture.handleAll();
    expect(await standing()).toStrictEqual({ status: 'claimed', claim: pi(R) });
  });
});

describe('a transfer that another process sees with another value,', () => {
  let store: InterruptedStore;
  let quick: NetworkWatcher;

  beforeEach(async () => {
    store = new InterruptedStore();
    await start({ store });
    quick = await fixture.payments.watcher();
    await quick.tick();
  });

  /** Acts as the slower process is about to leave the transfer in the queue. */
  function meanwhile() {
    store.meanwhile = {
      type: 'TransferUnmatched',
      act: async () => {
        replaceTip(dueOfR);
        await quick.tick();
      },
    };
  }

  async function pay(): Promise<void> {
    fixture.payments.chain.mine(fixture.payments.transfer(hash(1), dueOfQ));
    await fixture.watcher?.tick().catch(() => undefined);
    expect(store.meanwhile).toBeNull();
    fixture.watcher = quick;
    await fixture.settle();
  }

  it('while its payment refuses it, is matched anew', async () => {
    store.meanwhile = {
      type: 'TransferDetected',
      act: async () => {
        await fixture.cancel(Q);
        meanwhile();
      },
    };
    await pay();
    await fixture.confirm();
    expect([await fixture.status(Q), await fixture.status(R)]).toStrictEqual(['canceled', 'confirmed']);
  });

  it('while it is turned away from a payment that has ended, goes to the payment that it meets', async () => {
    await fixture.cancel(Q);
    meanwhile();
    await pay();
    await fixture.confirm();
    await fixture.settle();
    expect([await fixture.status(Q), await fixture.status(R)]).toStrictEqual(['canceled', 'confirmed']);
  });
});

it('a transfer stays its holder’s that changes its value, until the holder has dropped it', async () => {
  await start();
  await fixture.pay(1, dueOfQ);
  expect(await fixture.status(Q)).toBe('detected');
  replaceTip(dueOfR);
  await fixture.settle();
  expect(await standing()).toStrictEqual({ status: 'seen', claim: pi(Q) });
  await fixture.confirm();
  await fixture.settle();
  await fixture.confirm();
  expect(await fixture.status(R)).toBe('confirmed');
});

describe('a transfer whose new value meets another payment, while its holder has the former one,', () => {
  beforeEach(async () => {
    await start();
    await fixture.pay(1, dueOfQ);
    replaceTip(dueOfR);
    await fixture.settle();
  });

  /** The quotes end; the new block is not deep enough yet for the holder to drop the transfer. */
  async function endQuotes(): Promise<void> {
    fixture.payments.chain.skipTime(20 * MINUTE_MS);
    fixture.payments.clock.timeMs += 20 * MINUTE_MS;
    fixture.payments.mineEmpty(2);
    await fixture.settle();
    await fixture.payments.sweeper().sweep('quote');
  }

  it('holds the deadline of the payment that it meets, and is that payment’s once the holder has let go', async () => {
    await endQuotes();
    expect(await standing()).toStrictEqual({ status: 'seen', claim: pi(Q) });
    expect(await fixture.status(R)).toBe('awaiting_payment');
    await fixture.confirm();
    await fixture.watcher?.retrySetAside();
    await fixture.confirm();
    expect(await fixture.status(R)).toBe('confirmed');
    const types = (await eventsOf(fixture.payments, 'deferred_transfer')).map(({ type }) => type);
    expect(types).toStrictEqual(['TransferDeferred', 'DeferredTransferFinished']);
  });

  it('is set aside for a fault of its own: its network goes on, and no outage is told', async () => {
    const [{ data } = { data: {} }] = await eventsOf(fixture.payments, 'deferred_transfer');
    expect(data).toMatchObject({ fault: 'FormerClaimStands', value_base_units: dueOfR.toString() });
    await expect(fixture.watcher?.retrySetAside()).resolves.toBeUndefined();
    expect((await fixture.payments.coverage())?.head_number).toBe(fixture.payments.chain.height);
    expect(await typesOf(fixture.payments, 'deferred_transfer')).toStrictEqual(['TransferDeferred']);
  });

  it('is set aside no more where its former block comes back', async () => {
    replaceTip(dueOfQ);
    fixture.payments.mineEmpty(20);
    await fixture.settle();
    await fixture.watcher?.retrySetAside();
    await fixture.confirm();
    expect(await fixture.status(Q)).toBe('confirmed');
    const types = await typesOf(fixture.payments, 'deferred_transfer');
    expect(types).toStrictEqual(['TransferDeferred', 'DeferredTransferDropped']);
  });
});
