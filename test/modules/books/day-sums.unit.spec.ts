import { DaySums } from '../../../src/modules/books/day-sums';

const PLACE = { wallet_id: 'wal_1', token_id: 'usdc-base', day: '2026-11-01' } as const;
const moved = (valueBaseUnits: bigint, txHash = '0x1', ordinal = 0) => ({ txHash, ordinal, valueBaseUnits });

type Case = {
  readonly fill: (sums: DaySums) => void;
  readonly opening?: bigint | null;
  readonly closing?: bigint | null;
  readonly sums: object;
  readonly differences?: readonly (readonly [string, string, string | null])[];
};

const NOTHING = { credited: '0', unmatched: '0', unrelated: '0', dust: '0', sent: '0', difference: '0', transfers: 0 };

const CASES: Readonly<Record<string, Case>> = {
  'a day without a transfer': { fill: () => undefined, opening: 5n, closing: 5n, sums: NOTHING },
  'each column': {
    fill: sums => {
      sums.received(moved(100n), { column: 'credited', valueBaseUnits: 100n });
      sums.received(moved(20n), { column: 'unmatched', valueBaseUnits: 20n });
      sums.received(moved(3n), { column: 'unrelated' });
      sums.received(moved(1n), { column: 'dust' });
      sums.left(moved(70n));
    },
    opening: 10n,
    closing: 64n,
    sums: { ...NOTHING, credited: '100', unmatched: '20', unrelated: '3', dust: '1', sent: '70', transfers: 5 },
  },
  'a transfer from the wallet to itself': {
    fill: sums => sums.returned(moved(9n)),
    opening: 9n,
    closing: 9n,
    sums: { ...NOTHING, unrelated: '9', sent: '9', transfers: 1 },
  },
  'a transfer that the log does not have': {
    fill: sums => sums.received(moved(50n, '0xa', 2), { column: 'unknown' }),
    opening: 0n,
    closing: 50n,
    sums: { ...NOTHING, difference: '50', transfers: 1 },
    differences: [['unknown_transfer', '50', '0xa']],
  },
  'a transfer that the chain does not have': {
    fill: sums => sums.missed(moved(50n, '0xb'), 'credited'),
    opening: 0n,
    closing: 0n,
    sums: { ...NOTHING, credited: '50', difference: '-50' },
    differences: [['missing_transfer', '-50', '0xb']],
  },
  'a transfer of another value': {
    fill: sums => sums.received(moved(49n, '0xc'), { column: 'unmatched', valueBaseUnits: 50n }),
    opening: 0n,
    closing: 49n,
    sums: { ...NOTHING, unmatched: '50', difference: '-1', transfers: 1 },
    differences: [['other_value', '-1', '0xc']],
  },
  'a balance that moved by no transfer': {
    fill: sums => sums.left(moved(5n)),
    opening: 100n,
    closing: 90n,
    sums: { ...NOTHING, sent: '5', difference: '-5', transfers: 1 },
    differences: [['balance', '-5', null]],
  },
  'differences that outweigh each other': {
    fill: sums => {
      sums.received(moved(50n, '0xd'), { column: 'unknown' });
      sums.missed(moved(50n, '0xe'), 'unmatched');
    },
    opening: 0n,
    closing: 50n,
    sums: { ...NOTHING, unmatched: '50', transfers: 1 },
    differences: [
      ['unknown_transfer', '50', '0xd'],
      ['missing_transfer', '-50', '0xe'],
    ],
  },
  'a day without an opening': {
    fill: sums => sums.received(moved(50n, '0xf'), { column: 'unknown' }),
    opening: null,
    closing: 1_000n,
    sums: { ...NOTHING, difference: '50', transfers: 1 },
    differences: [['unknown_transfer', '50', '0xf']],
  },
};

it.each(Object.entries(CASES))('%s', (_name, { fill, opening = null, closing = null, sums, differences = [] }) => {
  const day = new DaySums();
  fill(day);
  const closed = day.closed(PLACE, { opening, closing });
  expect({
    credited: closed.credited_base_units,
    unmatched: closed.unmatched_base_units,
    unrelated: closed.unrelated_base_units,
    dust: closed.dust_base_units,
    sent: closed.sent_base_units,
    difference: closed.difference_base_units,
    transfers: closed.transfers,
  }).toStrictEqual(sums);
  const named = closed.differences.map(each => [each.kind, each.amount_base_units, each.tx_hash]);
  expect(named).toStrictEqual(differences);
  expect(closed.differences_in_all).toBe(differences.length);
});

it('counts all differences, and names the largest ones', () => {
  const day = new DaySums();
  for (let index = 1; index <= 150; index++) day.received(moved(BigInt(index), `0x${index}`), { column: 'unknown' });
  const closed = day.closed(PLACE, { opening: null, closing: null });
  expect(closed.differences_in_all).toBe(150);
  expect(closed.difference_base_units).toBe(String((150 * 151) / 2));
  expect(closed.differences).toHaveLength(100);
  expect(closed.differences.map(each => Number(each.amount_base_units)).sort((a, b) => a - b)[0]).toBe(51);
});
