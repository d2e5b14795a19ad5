import { deferredTransfersProjection } from '../../../projections/deferred-transfers.projection';
import { collectionSpec } from '../../../projections/runner/projection-collection';
import { MINUTE_MS } from '../../../src/kernel/clock';
import { transferId } from '../../../src/modules/transfers/transfer.decider';
import { searchSize } from '../../levels/search-size';
import { FaultyStore, typesOf, unreadBlocks } from '../../watchers/set-aside-stage';
import { hash, keyOf, MatchingFixture, pi } from './matching-fixture';

const [OF_SLOT, OF_ADDRESS, OF_NETWORK] = [100, 300, 1_000];
/** Late transfers to one quote: at full size, more than the network can set aside. */
const LATE = searchSize('LATE_TRANSFERS', { small: OF_SLOT + 50, full: OF_NETWORK + 50 });

let store: FaultyStore;
let fixture: MatchingFixture;
let unread: Set<string>;
let dues: readonly bigint[];
let sent: number;

/** So many payments, a block in their time that cannot be read, and the end of their quotes. */
async function start(payments: number): Promise<void> {
  store = new FaultyStore();
  fixture = await new MatchingFixture({ store }).start();
  unread = unreadBlocks(fixture.payments.chain);
  sent = 0;
  const quoted: bigint[] = [];
  for (let number = 1; number <= payments; number++) quoted.push(await fixture.payments.quoted(pi(number)));
  dues = quoted;
  unread.add(fixture.payments.chain.mine().hash);
  fixture.payments.clock.timeMs += 1_000;
  fixture.payments.chain.skipTime(20 * MINUTE_MS);
  fixture.payments.clock.timeMs += 20 * MINUTE_MS;
  await fixture.watcher?.tick();
}

/** Late transfers of one payment's amount, fifty a block. */
async function payLate(count: number, due = dues[0] ?? 0n): Promise<void> {
  const { chain, clock } = fixture.payments;
  for (let left = count; left > 0; left -= 50) {
    const some = Array.from({ length: Math.min(left, 50) }, () => fixture.payments.transfer(hash(++sent), due));
    chain.mine(...some);
    clock.timeMs += 1_000;
  }
  await fixture.watcher?.tick();
}

async function deferrals(): Promise<number> {
  return (await fixture.payments.setAside().deferred(OF_NETWORK)).length;
}

function idOf(number: number): string {
  return transferId({ network: 'base', txHash: hash(number), ordinal: 0 });
}

describe('late transfers to one quote, while a block of its time cannot be read,', () => {
  beforeEach(() => start(1));

  it('stop nobody else, however many they are', async () => {
    await payLate(LATE);
    const due = await fixture.payments.quoted(pi(2), '3000');
    fixture.payments.chain.mine(fixture.payments.transfer(hash(++sent), due));
    await fixture.watcher?.tick();
    expect(fixture.watcher?.alarm).not.toBe('set_aside_full');
    expect(await fixture.status(2)).toBe('detected');
    expect(await deferrals()).toBe(OF_SLOT);
  });

  it('lie in the queue beyond the first hundred, with the payment named and the reason told', async () => {
    await payLate(OF_SLOT + 1);
    await fixture.handleAll();
    expect(await fixture.transferEvents(OF_SLOT)).toStrictEqual([]);
    const { body } = await fixture.row(idOf(OF_SLOT + 1));
    expect(body).toMatchObject({ open: true, status: 'unmatched', reason: 'too_many_waiting' });
    expect(body.candidates[0]).toMatchObject({ payment_intent: pi(1), distance_base_units: '0' });
    expect(await fixture.reason(idOf(OF_SLOT + 1))).toMatch(/; for which too many transfers wait\.$/);
    expect(await fixture.status(1)).toBe('awaiting_payment');
  });

  it('are given to their payment by nobody before its quote has been ended', async () => {
    await payLate(OF_SLOT + 1);
    const resolve = () => fixture.decisions.resolve(keyOf(OF_SLOT + 1), pi(1), 'By phone', fixture.admin());
    await expect(resolve()).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(await fixture.status(1)).toBe('awaiting_payment');
    unread.clear();
    await fixture.watcher?.retrySetAside();
    expect(await fixture.status(1)).toBe('expired');
  });

  it('are each in one place once all is read: with the payment, or in the queue', async () => {
    await payLate(OF_SLOT + 1);
    unread.clear();
    for (let round = 0; round < 6; round++) await fixture.watcher?.retrySetAside();
    await fixture.handleAll();
    expect(await deferrals()).toBe(0);
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('paid_late');
    const places = await Promise.all(Array.from({ length: sent }, (_, index) => fixture.row(idOf(index + 1))));
    const counts = [true, false].map(isOpen => places.filter(({ body }) => body.open === isOpen).length);
    expect(counts).toStrictEqual([1, OF_SLOT]);
  });

  it('are set aside and not queued twice, where their blocks are read once more', async () => {
    await payLate(OF_SLOT + 1);
    fixture.watcher = await fixture.payments.watcher();
    fixture.payments.mineEmpty(1);
    await fixture.watcher.tick();
    expect(await deferrals()).toBe(OF_SLOT);
    expect(await fixture.transferEvents(1)).toStrictEqual([]);
    expect(await fixture.transferEvents(OF_SLOT + 1)).toStrictEqual(['TransferSeen', 'TransferUnmatched']);
  });

  it('are set aside all the same where the queue cannot take them', async () => {
    await payLate(OF_SLOT);
    store.broken.add(`transfer-base:${hash(sent + 1)}:0`);
    await payLate(1);
    expect(await deferrals()).toBe(OF_SLOT + 1);
  });

  it('never fill what the network can set aside', async () => {
    const collection = await fixture.payments.documents.open(collectionSpec(deferredTransfersProjection));
    const body = { mode: 'test', network_id: 'base', status: 'open', slot: 'another', to: 'another', block_number: 1 };
    for (let index = 0; index < OF_NETWORK; index++)
      await collection.put({ id: `base:filling:${index}`, version: 0, body: { ...body, instance: 'scripted' } });
    await payLate(1);
    expect(fixture.watcher?.alarm).not.toBe('set_aside_full');
    expect((await fixture.row(idOf(1))).body).toMatchObject({ open: true, reason: 'too_many_waiting' });
    expect(await typesOf(fixture.payments, 'deferred_transfer')).toStrictEqual([]);
  });
});

it('late transfers to many quotes of one address are set aside three hundred at most', async () => {
  await start(4);
  for (const due of dues) await payLate(80, due);
  expect(await deferrals()).toBe(OF_ADDRESS);
  expect((await fixture.row(idOf(sent))).body).toMatchObject({ open: true, reason: 'too_many_waiting' });
});
