import { HOUR_MS, SECOND_MS } from '../../../src/kernel/clock';
import { namings } from '../../../src/modules/transfers/naming.decider';
import { searchSize } from '../../levels/search-size';
import { unreadBlocks } from '../../watchers/set-aside-stage';
import { hash, MatchingFixture, pi } from './matching-fixture';

/** So many messages of a group may wait for their next try before it takes nothing new. */
const GROUP_LIMIT = 1_024;
/** Payments for which each transaction is named, and those transactions: at full size, more namings than the limit. */
const PAYMENTS = 20;
const TRANSACTIONS = searchSize('NAMED_TRANSACTIONS', { small: 6, full: 4 + Math.ceil(GROUP_LIMIT / PAYMENTS) });
const SENDER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';

let fixture: MatchingFixture;
let unread: Set<string>;
let dues: readonly bigint[];

/**
 * Payments whose quotes have ended, while a block of their time cannot be read: they may still have been paid in time.
 */
async function start(payments: number): Promise<void> {
  fixture = await new MatchingFixture().start();
  const { chain, clock } = fixture.payments;
  unread = unreadBlocks(chain);
  const quoted: bigint[] = [];
  for (let number = 1; number <= payments; number++) quoted.push(await fixture.payments.quoted(pi(number)));
  dues = quoted;
  unread.add(chain.mine(fixture.payments.transfer(hash(900), dues[0] ?? 0n, SENDER)).hash);
  await fixture.settle();
  chain.skipTime(5 * HOUR_MS);
  clock.timeMs += 5 * HOUR_MS;
}

async function namingsOn(number: number) {
  const { state } = await fixture.payments.writes.load(namings, 'test', `base:${hash(number)}`);
  return Object.values(state.namings);
}

describe('namings of late transfers, while a block of their payments’ time cannot be read,', () => {
  it('hold up nobody else’s, however many wait, and each is answered once the block is read', async () => {
    await start(PAYMENTS);
    const transactions = Array.from({ length: TRANSACTIONS }, (_, index) => index + 1);
    const { chain, clock } = fixture.payments;
    for (const number of transactions)
      chain.mine(fixture.payments.transfer(hash(number), 2n * fixture.cent + BigInt(number), SENDER));
    clock.timeMs += TRANSACTIONS * SECOND_MS;
    await fixture.settle();
    for (const number of transactions)
      for (let payment = 1; payment <= dues.length; payment++) await fixture.name(pi(payment), hash(number));
    const due = await fixture.payments.quoted(pi(21), '3000');
    await fixture.name(pi(21), hash(800));
    await fixture.pay(800, due - fixture.cent, SENDER);
    expect(await namingsOn(800)).toMatchObject([{ status: 'attributed' }]);
    expect(await fixture.status(21)).toBe('detected');
    expect(await namingsOn(1)).toMatchObject(dues.map(() => ({ status: 'pending' })));
    unread.clear();
    await fixture.watcher?.retrySetAside();
    await fixture.payments.sweeper().sweep('quote');
    await fixture.handleAll();
    const answers = new Set<string>();
    for (const number of transactions) for (const { status } of await namingsOn(number)) answers.add(status);
    expect([...answers].sort()).toStrictEqual(['attributed', 'refused']);
  });

  it('are answered as the payment turns out to be paid in time', async () => {
    await start(1);
    await fixture.pay(2, (dues[0] ?? 0n) - 5n * fixture.cent, SENDER);
    await fixture.name(pi(1), hash(2));
    await fixture.handleAll();
    expect(await fixture.status(1)).toBe('awaiting_payment');
    unread.clear();
    await fixture.watcher?.retrySetAside();
    await fixture.handleAll();
    expect(await namingsOn(2)).toMatchObject([{ status: 'attributed' }]);
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('overpaid');
  });

  it('are answered where the payment ends as that is looked at', async () => {
    await start(1);
    await fixture.pay(2, (dues[0] ?? 0n) - 5n * fixture.cent, SENDER);
    await fixture.name(pi(1), hash(2));
    await fixture.handleAll();
    await fixture.cancel(1);
    await fixture.handleAll();
    expect(await namingsOn(2)).toMatchObject([{ status: 'refused' }]);
  });
});
