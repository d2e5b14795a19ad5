import { deferredTransfersProjection } from '../../../projections/deferred-transfers.projection';
import type { QuotedPaymentIntent } from '../../../src/modules/payment-intents/payment-intent.state';
import { unreadBlocks } from '../../watchers/set-aside-stage';
import { hash, MatchingFixture, pi } from './matching-fixture';

const SENDER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';

async function begin() {
  const fixture = await new MatchingFixture({ infers: true, toleranceBps: 100 }).start();
  return { fixture, payments: fixture.payments, due: await fixture.payments.quoted(pi(1)) };
}

async function deferred({ payments }: MatchingFixture): Promise<number> {
  const equals = { mode: 'test', network_id: 'base', status: 'open' };
  return (await payments.readModels.list(deferredTransfersProjection, { index: 'by_block', equals, limit: 9 })).length;
}

/** The transfers come in one block. Answers how often a list was read for them. */
async function listsReadFor(values: (due: bigint) => readonly bigint[]): Promise<number> {
  const { fixture, payments, due } = await begin();
  payments.chain.mine(...values(due).map((value, index) => payments.transfer(hash(index + 1), value, SENDER)));
  payments.clock.timeMs += 1_000;
  const list = jest.spyOn(payments.readModels, 'list');
  await fixture.watcher?.tick();
  return list.mock.calls.length;
}

it('two transfers of one block that wait for their judgement do not wait for each other', async () => {
  const { fixture, payments, due } = await begin();
  const unread = unreadBlocks(payments.chain);
  unread.add(payments.chain.mine().hash);
  const short = (due * 995n) / 1_000n;
  payments.chain.mine(payments.transfer(hash(1), short, SENDER), payments.transfer(hash(2), short - 1n, SENDER));
  payments.clock.timeMs += 2_000;
  await fixture.settle();
  expect(await deferred(fixture)).toBe(2);
  unread.clear();
  await fixture.watcher?.retrySetAside();
  await fixture.confirm();
  expect([await deferred(fixture), await fixture.status(1)]).toStrictEqual([0, 'underpaid']);
  const { ledger } = (await payments.payment(pi(1))) as QuotedPaymentIntent;
  expect(Object.values(ledger.transfers)).toHaveLength(1);
});

it('transfers of nothing, of which anybody can send any number, read no list', async () => {
  const nothing = await listsReadFor(() => []);
  expect(await listsReadFor(() => Array.from({ length: 50 }, () => 0n))).toBe(nothing);
});

it('transfers of one block share the look that ranks them, and each has one more for its judgement', async () => {
  const of = (count: number) =>
    listsReadFor(due => Array.from({ length: count }, (_, number) => due / 3n - BigInt(number)));
  const [few, many] = [await of(2), await of(12)];
  expect((many - few) / 10).toBe(2);
});
