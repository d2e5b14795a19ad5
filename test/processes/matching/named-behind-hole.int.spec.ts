import { HOUR_MS } from '../../../src/kernel/clock';
import { unreadBlocks } from '../../watchers/set-aside-stage';
import { hash, MatchingFixture, pi } from './matching-fixture';

const SENDER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';

it('a transaction that is named late ends no quote which a block before it may have met in time', async () => {
  const fixture = await new MatchingFixture().start();
  const { chain, clock } = fixture.payments;
  const unread = unreadBlocks(chain);
  const due = await fixture.payments.quoted(pi(1));
  unread.add(chain.mine(fixture.payments.transfer(hash(1), due, SENDER)).hash);
  await fixture.settle();
  chain.skipTime(5 * HOUR_MS);
  clock.timeMs += 5 * HOUR_MS;
  await fixture.pay(2, due - 5n * fixture.cent, SENDER);
  await fixture.name(pi(1), hash(2));
  await fixture.handleAll();
  expect(await fixture.status(1)).toBe('awaiting_payment');
  unread.clear();
  await fixture.watcher?.retrySetAside();
  await fixture.handleAgain();
  await fixture.confirm();
  expect(await fixture.status(1)).toBe('overpaid');
});
