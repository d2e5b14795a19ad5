import type { KnownClock } from '../../../src/kernel/merchant-clocks';
import { NEVER_ADVANCED } from '../../../src/vocabulary/clock-standing';
import { namings } from '../../../src/modules/transfers/naming.decider';
import { transferId, transfers, transferStreamId } from '../../../src/modules/transfers/transfer.decider';
import { InterruptedStore } from './interrupted-store';
import { hash, MatchingFixture, pi } from './matching-fixture';

const KEY = { network: 'base', txHash: hash(1), ordinal: 0 } as const;

let fixture: MatchingFixture;
let store: InterruptedStore;
let due: bigint;

beforeEach(async () => {
  store = new InterruptedStore();
  fixture = await new MatchingFixture({ store }).start();
  due = await fixture.payments.quoted(pi(1));
});

/** A block that takes its place has another value for the first transfer. */
async function seeOtherwise(): Promise<void> {
  const { writes } = fixture.payments;
  const key = transferStreamId(KEY);
  const { state } = await writes.load(transfers, 'test', key);
  if (state.status === 'none') throw new Error('not seen');
  const seen = { ...state.seen, value_base_units: String(due - 9n * fixture.cent) };
  await writes.execute(transfers, key, { type: 'see', seen, claim: null }, fixture.payments.context());
}

it('candidates are not recorded for a transfer that was seen otherwise since they were ranked', async () => {
  store.meanwhile = { type: 'CandidatesRanked', act: seeOtherwise };
  await fixture.pay(1, due - fixture.cent);
  expect(store.meanwhile).toBeNull();
  expect(await fixture.transferEvents(1)).toStrictEqual([
    'TransferSeen', 'TransferUnmatched', 'TransferSeen', 'TransferUnmatched', 'CandidatesRanked',
  ]); // prettier-ignore
});

it('a naming that is filed anew as it is answered is answered by its new filing', async () => {
  const { writes, context } = { ...fixture.payments, context: () => fixture.payments.context() };
  const namingsId = `base:${hash(1)}`;
  await fixture.name(pi(1), hash(1), 'checkout');
  store.meanwhile = {
    type: 'NamingKept',
    act: async () => {
      const file = {
        type: 'file',
        paymentIntent: pi(1),
        side: 'merchant',
        logIndex: null,
        merchantsFilings: 0,
      } as const;
      await writes.execute(namings, namingsId, file, context());
    },
  };
  // At checkout such a difference is doubtful; a merchant may take the transfer for its payment.
  await fixture.pay(1, 100n * due);
  expect(store.meanwhile).toBeNull();
  const { state } = await writes.load(namings, 'test', namingsId);
  expect(state.namings[pi(1)]?.status).toBe('attributed');
});

it('a transfer that was seen otherwise since it was judged is given to nobody', async () => {
  await fixture.pay(1, due - fixture.cent);
  store.meanwhile = { type: 'TransferResolved', act: seeOtherwise };
  const resolving = fixture.decisions.resolve(KEY, pi(1), 'By phone', fixture.admin());
  await expect(resolving).rejects.toMatchObject({ code: 'provider_unavailable' });
  expect(await fixture.transferEvents(1)).not.toContain('TransferResolved');
  expect(await fixture.status(1)).toBe('awaiting_payment');
});

it('a payment that is canceled while the chain is asked for its transfer gets nothing', async () => {
  await fixture.pay(1, due - fixture.cent);
  const { chain } = fixture.payments;
  const receipt = chain.receipt.bind(chain);
  chain.receipt = async txHash => {
    await fixture.cancel(1);
    return receipt(txHash);
  };
  await expect(fixture.name(pi(1), hash(1))).rejects.toMatchObject({ code: 'payment_canceled' });
  expect(await fixture.status(1)).toBe('canceled');
  expect(await fixture.transferEvents(1)).not.toContain('TransferClaimed');
  expect((await fixture.row(transferId(KEY))).body.status).toBe('unmatched');
});

it.each([
  ['waited for none', 0, true],
  ['asked the chain', null, false],
])('the clock that a request has read counts for a naming that has %s: %p', async (_, logIndex, isKnown) => {
  await fixture.pay(1, due - fixture.cent);
  const asked = jest.spyOn(fixture.payments.clock, 'merchantTimeAt');
  await fixture.name(pi(1), hash(1), 'merchant', logIndex, { clock: NEVER_ADVANCED });
  const known = asked.mock.calls.map(call => (call as unknown[])[3] as KnownClock | undefined);
  expect(known.length).toBeGreaterThan(0);
  expect(known.some(each => each?.clock !== undefined)).toBe(isKnown);
});

it('a naming reads the payment and the transfer once before it claims, and searches once', async () => {
  await fixture.pay(1, due - fixture.cent);
  const { readModels } = fixture.payments;
  const asked: string[] = [];
  const [readStream, list] = [store.readStream.bind(store), readModels.list.bind(readModels)];
  store.meanwhile = {
    type: 'TransferClaimed',
    act: () => {
      asked.push('claim');
      return Promise.resolve();
    },
  };
  jest.spyOn(store, 'readStream').mockImplementation((stream, options) => {
    asked.push(stream.split('-')[0] ?? '');
    return readStream(stream, options);
  });
  jest.spyOn(readModels, 'list').mockImplementation((readModel, query) => {
    asked.push(`${readModel.name} ${query.index}`);
    return list(readModel, query);
  });
  expect(await fixture.name(pi(1), hash(1), 'merchant', 0)).toMatchObject({ kind: 'attributed' });
  const before = asked.slice(0, asked.indexOf('claim'));
  expect(before.filter(each => each.startsWith('test.')).sort()).toStrictEqual([
    'test.payment_intent',
    'test.transfer',
  ]);
  expect(before.filter(each => each === 'wallets by_network')).toHaveLength(1);
});
