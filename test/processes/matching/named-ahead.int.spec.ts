import { HOUR_MS } from '../../../src/kernel/clock';
import { hash, MatchingFixture, pi } from './matching-fixture';

const SENDER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';

it('a transaction that is named ahead of a watcher which is behind ends no quote', async () => {
  const fixture = await new MatchingFixture().start();
  const { chain, clock } = fixture.payments;
  const due = await fixture.payments.quoted(pi(1));
  chain.mine(fixture.payments.transfer(hash(1), due, SENDER));
  clock.timeMs += 1_000;
  chain.skipTime(5 * HOUR_MS);
  clock.timeMs += 5 * HOUR_MS;
  await fixture.payments.quoted(pi(2), '100');
  chain.mine(fixture.payments.transfer(hash(2), due - 5n * fixture.cent, SENDER));
  clock.timeMs += 1_000;
  await fixture.name(pi(2), hash(2), 'checkout');
  await fixture.name(pi(1), hash(2));
  await fixture.handleAll();
  expect(await fixture.status(1)).toBe('awaiting_payment');
  await fixture.settle();
  await fixture.confirm();
  expect(await fixture.status(1)).toBe('overpaid');
});
