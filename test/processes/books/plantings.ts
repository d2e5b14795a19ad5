import type { NetworkId } from '../../../src/vocabulary/networks';
import { WALLET } from '../../support/payment-fixture';
import type { ScriptedTransfer } from '../../support/scripted-chain';
import { SECOND_WALLET, type BooksStage } from './books-stage';

export const DUST_WALLET = 'wal_00000000000000000000000003';

export type Means = {
  readonly stage: BooksStage;
  /** A whole token. */
  readonly one: bigint;
  /** The amount that a new payment at the till asks for. */
  readonly due: bigint;
  readonly hash: string;
  readonly otherHash: string;
  readonly till: string;
  readonly second: string;
  readonly dust: string;
  readonly shop: string;
};
export type Row = readonly [day: number, wallet: string, kind: string, amount: bigint, hash: string | null];
export type Planting = {
  readonly name: string;
  readonly network: NetworkId;
  readonly day: number;
  /** The day's first block, its last one, one in between, or one that a reorganisation puts in place of another. */
  readonly block: 'first' | 'middle' | 'last' | 'reorganised';
  readonly transfers: (means: Means) => readonly ScriptedTransfer[];
  /** On another day. */
  readonly later?: readonly [day: number, transfers: (means: Means) => readonly ScriptedTransfer[]];
  readonly named: (means: Means) => readonly Row[];
};

function on(network: NetworkId, day: number, block: Planting['block']) {
  return { network, day, block };
}

/** Each is planted on a chain alone: nothing is changed in the service's log or documents. */
export const PLANTED: readonly Planting[] = [
  {
    name: 'a transfer that the provider hid',
    ...on('base', 1, 'middle'),
    transfers: ({ stage, hash, one }) => [stage.transfer(hash, one, { lie: 'unseen' })],
    named: ({ hash, one }) => [[1, WALLET, 'unknown_transfer', one, hash]],
  },
  {
    name: 'a burn without an event',
    ...on('base', 1, 'middle'),
    transfers: ({ stage, hash, one, second, shop }) => [
      stage.transfer(hash, one / 2n, { from: second, to: shop, lie: 'unlogged' }),
    ],
    named: ({ one }) => [[1, SECOND_WALLET, 'balance', -one / 2n, null]],
  },
  {
    name: 'a mint of one unit to a wallet of dust',
    ...on('base', 1, 'middle'),
    transfers: ({ stage, hash, dust }) => [stage.transfer(hash, 1n, { to: dust, lie: 'unlogged' })],
    named: () => [[1, DUST_WALLET, 'balance', 1n, null]],
  },
  {
    name: 'a fee that the token takes of a transfer',
    ...on('base', 2, 'middle'),
    transfers: ({ stage, hash, otherHash, one, till, shop }) => [
      stage.transfer(hash, 10n * one),
      stage.transfer(otherHash, one / 10n, { from: till, to: shop, lie: 'unlogged' }),
    ],
    named: ({ one }) => [[2, WALLET, 'balance', -one / 10n, null]],
  },
  {
    name: 'a hidden transfer in the first block of a day',
    ...on('base', 2, 'first'),
    transfers: ({ stage, hash, one, second }) => [stage.transfer(hash, one, { to: second, lie: 'unseen' })],
    named: ({ hash, one }) => [[2, SECOND_WALLET, 'unknown_transfer', one, hash]],
  },
  {
    name: 'a hidden transfer in the last block of a day',
    ...on('base', 3, 'last'),
    transfers: ({ stage, hash, one, second }) => [stage.transfer(hash, 3n * one, { to: second, lie: 'unseen' })],
    named: ({ hash, one }) => [[3, SECOND_WALLET, 'unknown_transfer', 3n * one, hash]],
  },
  {
    name: 'two that outweigh each other on one day',
    ...on('base', 3, 'middle'),
    transfers: ({ stage, hash, otherHash, one, till, shop }) => [
      stage.transfer(hash, 2n * one, { lie: 'unseen' }),
      stage.transfer(otherHash, 2n * one, { from: till, to: shop, lie: 'unlogged' }),
    ],
    named: ({ hash, one }) => [
      [3, WALLET, 'unknown_transfer', 2n * one, hash],
      [3, WALLET, 'balance', -2n * one, null],
    ],
  },
  {
    name: 'two that outweigh each other across days',
    ...on('base', 4, 'middle'),
    transfers: ({ stage, hash, one }) => [stage.transfer(hash, 3n * one, { lie: 'unlogged' })],
    later: [
      5,
      ({ stage, otherHash, one, till, shop }) => [
        stage.transfer(otherHash, 3n * one, { from: till, to: shop, lie: 'unlogged' }),
      ],
    ],
    named: ({ one }) => [
      [4, WALLET, 'balance', 3n * one, null],
      [5, WALLET, 'balance', -3n * one, null],
    ],
  },
  {
    name: 'a confirmed payment whose log moved nothing',
    ...on('bnb', 1, 'middle'),
    transfers: ({ stage, hash, due }) => [stage.transfer(hash, due, { lie: 'worthless' })],
    named: ({ due }) => [[1, WALLET, 'balance', -due, null]],
  },
  {
    name: 'a value that the provider doubled',
    ...on('bnb', 1, 'middle'),
    transfers: ({ stage, hash, one, second }) => [stage.transfer(hash, one, { to: second, seenBaseUnits: 2n * one })],
    named: ({ hash, one }) => [[1, SECOND_WALLET, 'other_value', -one, hash]],
  },
  {
    name: 'a rebase by one unit of eighteen decimals',
    ...on('bnb', 2, 'middle'),
    transfers: ({ stage, hash, till, shop }) => [stage.transfer(hash, 1n, { from: till, to: shop, lie: 'unlogged' })],
    named: () => [[2, WALLET, 'balance', -1n, null]],
  },
  {
    name: 'a hidden transfer that a reorganisation moved',
    ...on('bnb', 2, 'reorganised'),
    transfers: ({ stage, hash, one, second }) => [stage.transfer(hash, one, { to: second, lie: 'unseen' })],
    named: ({ hash, one }) => [[2, SECOND_WALLET, 'unknown_transfer', one, hash]],
  },
  {
    name: 'a queued transfer that a reorganisation took',
    ...on('bnb', 3, 'reorganised'),
    transfers: ({ stage, hash, one }) => [stage.transfer(hash, 4n * one, { lie: 'unmoved' })],
    named: ({ hash, one }) => [[3, WALLET, 'missing_transfer', -4n * one, hash]],
  },
  {
    name: 'the least hidden amount that is no dust',
    ...on('bnb', 3, 'last'),
    transfers: ({ stage, hash, one, dust }) => [stage.transfer(hash, one / 100n, { to: dust, lie: 'unseen' })],
    named: ({ hash, one }) => [[3, DUST_WALLET, 'unknown_transfer', one / 100n, hash]],
  },
  {
    name: 'one hidden transfer of two in a transaction',
    ...on('bnb', 4, 'first'),
    transfers: ({ stage, hash, one }) => [
      stage.transfer(hash, 2n * one),
      stage.transfer(hash, 5n * one, { lie: 'unseen' }),
    ],
    named: ({ hash, one }) => [[4, WALLET, 'unknown_transfer', 5n * one, hash]],
  },
  {
    name: 'an outgoing log that moved nothing',
    ...on('bnb', 4, 'middle'),
    transfers: ({ stage, hash, one, second, shop }) => [
      stage.transfer(hash, one, { from: second, to: shop, lie: 'worthless' }),
    ],
    named: ({ one }) => [[4, SECOND_WALLET, 'balance', one, null]],
  },
  {
    name: 'a payment that the provider hid',
    ...on('tron', 1, 'middle'),
    transfers: ({ stage, hash, due }) => [stage.transfer(hash, due, { lie: 'unseen' })],
    named: ({ hash, due }) => [[1, WALLET, 'unknown_transfer', due, hash]],
  },
  {
    name: 'a hidden transfer between two own wallets',
    ...on('tron', 1, 'middle'),
    transfers: ({ stage, hash, one, till, second }) => [
      stage.transfer(hash, 6n * one, { from: till, to: second, lie: 'unseen' }),
    ],
    named: ({ hash, one }) => [[1, SECOND_WALLET, 'unknown_transfer', 6n * one, hash]],
  },
  {
    name: 'a payment that was confirmed by too great a value',
    ...on('tron', 2, 'middle'),
    transfers: ({ stage, hash, due }) => [stage.transfer(hash, due - 1n, { seenBaseUnits: due })],
    named: ({ hash }) => [[2, WALLET, 'other_value', -1n, hash]],
  },
  {
    name: 'a payment that was seen twice and came once',
    ...on('tron', 3, 'middle'),
    transfers: ({ stage, hash, otherHash, due }) => [
      stage.transfer(hash, due),
      stage.transfer(otherHash, due, { lie: 'unmoved' }),
    ],
    named: ({ otherHash, due }) => [[3, WALLET, 'missing_transfer', -due, otherHash]],
  },
];
