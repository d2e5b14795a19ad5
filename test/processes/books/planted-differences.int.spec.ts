import type { ScriptedTransfer } from '../../support/scripted-chain';
import { WALLET } from '../../support/payment-fixture';
import { BooksStage, closedDay, SECOND_ADDRESS, SECOND_WALLET } from './books-stage';

const PI = 'pi_00000000000000000000000001';
const SHOP = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A';
const TX = `0x${'a1'.repeat(32)}`;
const OTHER_TX = `0x${'b2'.repeat(32)}`;
/** One token of six decimals. */
const ONE = 1_000_000n;

type Planting = {
  /** The amount that the open payment asks for is given. */
  readonly plant: (stage: BooksStage, due: bigint) => readonly ScriptedTransfer[];
  /** Wallet, kind, amount and hash of each named difference. */
  readonly named: (due: bigint) => readonly (readonly [string, string, bigint, string | null])[];
};

const out = (wallet: string) => ({ from: wallet, to: SHOP });

/** Each is planted on the chain alone: nothing is changed in the service's log or documents. */
const PLANTED: Readonly<Record<string, Planting>> = {
  'a transfer that the watcher never saw': {
    plant: stage => [stage.transfer(TX, ONE, { lie: 'unseen' })],
    named: () => [[WALLET, 'unknown_transfer', ONE, TX]],
  },
  'a payment that the watcher never saw': {
    plant: (stage, due) => [stage.transfer(TX, due, { lie: 'unseen' })],
    named: due => [[WALLET, 'unknown_transfer', due, TX]],
  },
  'one of two transfers of a transaction': {
    plant: stage => [stage.transfer(TX, ONE), stage.transfer(TX, 2n * ONE, { lie: 'unseen' })],
    named: () => [[WALLET, 'unknown_transfer', 2n * ONE, TX]],
  },
  'two unseen transfers': {
    plant: stage => [stage.transfer(TX, ONE, { lie: 'unseen' }), stage.transfer(OTHER_TX, 3n * ONE, { lie: 'unseen' })],
    named: () => [
      [WALLET, 'unknown_transfer', ONE, TX],
      [WALLET, 'unknown_transfer', 3n * ONE, OTHER_TX],
    ],
  },
  'an unseen transfer to the other wallet': {
    plant: stage => [stage.transfer(TX, ONE, { to: SECOND_ADDRESS, lie: 'unseen' })],
    named: () => [[SECOND_WALLET, 'unknown_transfer', ONE, TX]],
  },
  'an unseen transfer between two wallets': {
    plant: stage => [stage.transfer(TX, ONE, { from: stage.fixture.address, to: SECOND_ADDRESS, lie: 'unseen' })],
    named: () => [[SECOND_WALLET, 'unknown_transfer', ONE, TX]],
  },
  'an unseen transfer of the least amount that is no dust': {
    plant: stage => [stage.transfer(TX, ONE / 100n, { lie: 'unseen' })],
    named: () => [[WALLET, 'unknown_transfer', ONE / 100n, TX]],
  },
  'a transfer that was seen with too great a value': {
    plant: stage => [stage.transfer(TX, ONE, { seenBaseUnits: 2n * ONE })],
    named: () => [[WALLET, 'other_value', -ONE, TX]],
  },
  'a transfer that was seen with too small a value': {
    plant: stage => [stage.transfer(TX, 2n * ONE, { seenBaseUnits: ONE })],
    named: () => [[WALLET, 'other_value', ONE, TX]],
  },
  'a payment that was confirmed by too great a value': {
    plant: (stage, due) => [stage.transfer(TX, due - 1n, { seenBaseUnits: due })],
    named: () => [[WALLET, 'other_value', -1n, TX]],
  },
  'a confirmed payment that the chain does not have': {
    plant: (stage, due) => [stage.transfer(TX, due, { lie: 'unmoved' })],
    named: due => [[WALLET, 'missing_transfer', -due, TX]],
  },
  'a transfer in the queue that the chain does not have': {
    plant: stage => [stage.transfer(TX, ONE, { lie: 'unmoved' })],
    named: () => [[WALLET, 'missing_transfer', -ONE, TX]],
  },
  'tokens that left without a log': {
    plant: stage => [stage.transfer(TX, ONE, { ...out(stage.fixture.address), lie: 'unlogged' })],
    named: () => [[WALLET, 'balance', -ONE, null]],
  },
  'tokens that came without a log': {
    plant: stage => [stage.transfer(TX, ONE, { lie: 'unlogged' })],
    named: () => [[WALLET, 'balance', ONE, null]],
  },
  'a balance that drifts by one unit': {
    plant: stage => [stage.transfer(TX, 1n, { ...out(stage.fixture.address), lie: 'unlogged' })],
    named: () => [[WALLET, 'balance', -1n, null]],
  },
  'a confirmed payment that moved no tokens': {
    plant: (stage, due) => [stage.transfer(TX, due, { lie: 'worthless' })],
    named: due => [[WALLET, 'balance', -due, null]],
  },
  'an outgoing log that moved no tokens': {
    plant: stage => [stage.transfer(TX, ONE, { ...out(stage.fixture.address), lie: 'worthless' })],
    named: () => [[WALLET, 'balance', ONE, null]],
  },
  'a fee that is taken beyond an outgoing transfer': {
    plant: stage => [
      stage.transfer(TX, 5n * ONE, out(stage.fixture.address)),
      stage.transfer(OTHER_TX, ONE, { ...out(stage.fixture.address), lie: 'unlogged' }),
    ],
    named: () => [[WALLET, 'balance', -ONE, null]],
  },
  'two differences that outweigh each other': {
    plant: stage => [
      stage.transfer(TX, ONE, { lie: 'unseen' }),
      stage.transfer(OTHER_TX, ONE, { ...out(stage.fixture.address), lie: 'unlogged' }),
    ],
    named: () => [
      [WALLET, 'unknown_transfer', ONE, TX],
      [WALLET, 'balance', -ONE, null],
    ],
  },
  'a payment that is seen twice and came once': {
    plant: (stage, due) => [stage.transfer(TX, due), stage.transfer(OTHER_TX, due, { lie: 'unmoved' })],
    named: due => [[WALLET, 'missing_transfer', -due, OTHER_TX]],
  },
};

it('twenty differences are planted', () => {
  expect(Object.keys(PLANTED)).toHaveLength(20);
});

it.each(Object.entries(PLANTED))('%s is named', async (_name, { plant, named }) => {
  const stage = new BooksStage();
  await stage.begin();
  await stage.mine(stage.transfer(`0x${'f0'.repeat(32)}`, 100n * ONE));
  const first = await closedDay(stage);
  const due = await stage.fixture.quoted(PI);
  await stage.mine(...plant(stage, due));
  const second = await closedDay(stage);
  const third = await closedDay(stage);
  const found: (readonly [string, string, bigint, string | null])[] = [];
  for (const wallet of [WALLET, SECOND_WALLET]) {
    // The days beside it are not touched.
    for (const day of [first, third]) expect(await stage.reconciled(day, wallet)).toMatchObject({ differences: [] });
    const day = await stage.reconciled(second, wallet);
    expect(day?.differences_in_all).toBe(day?.differences.length);
    for (const { kind, amount_base_units, tx_hash } of day?.differences ?? [])
      found.push([wallet, kind, BigInt(amount_base_units), tx_hash]);
  }
  expect(found).toStrictEqual(named(due));
});
