import type { DecisionContext } from '../../../src/kernel/decider';
import { isoTime } from '../../../src/kernel/clock';
import { TOKENS } from '../../../src/vocabulary/tokens';
import {
  amountOfUnits,
  depositToken,
  microDepositId,
  randomUnits,
  unitsOfAmount,
} from '../../../src/modules/wallets/micro-deposit-amount';
import {
  CHAIN_CLOCK_SKEW_MS,
  MICRO_DEPOSIT_TTL_MS,
  microDeposits,
  type MicroDepositCommand,
} from '../../../src/modules/wallets/micro-deposit.decider';
import type { MicroDepositEvent } from '../../../src/modules/wallets/micro-deposit.events';
import { given } from '../../support/given-when-then';

const NOW = Date.parse('2026-11-01T12:00:00.000Z');
const END = NOW + MICRO_DEPOSIT_TTL_MS;

function at(now: number): DecisionContext {
  return { actor: { role: 'watcher', type: 'system', id: 'watcher' }, now };
}

const request = {
  wallet_id: 'wal_1',
  network_id: 'base',
  token_id: 'usdc-base',
  from: '0xaa',
  to: '0xbb',
  amount_base_units: '1234',
} as const;
const reserve: MicroDepositCommand = { type: 'reserve', request };
const times = { reserved_at: isoTime(NOW), expires_at: isoTime(END) };
const reserved: MicroDepositEvent = { type: 'MicroDepositReserved', data: { ...request, ...times } };
const deposit = {
  tx_hash: '0x1',
  ordinal: 0,
  block_number: 7,
  block_hash: '0xb7',
  block_time: isoTime(NOW + 1_000),
};
const moved = { ...deposit, block_number: 8, block_hash: '0xb8' };
const see = (sentAtMs: number, of = deposit, to = '0xbb'): MicroDepositCommand => {
  return { type: 'see', deposit: of, to, sentAtMs };
};
const seen: MicroDepositEvent = { type: 'MicroDepositSeen', data: deposit };
const credit: MicroDepositCommand = { type: 'credit', blockHash: '0xb7' };
const credited: MicroDepositEvent = {
  type: 'MicroDepositCredited',
  data: { tx_hash: '0x1', ordinal: 0, block_hash: '0xb7' },
};
const drop: MicroDepositCommand = { type: 'drop', blockHash: '0xb7', reason: 'reorged_out' };
const dropped: MicroDepositEvent = {
  type: 'MicroDepositDropped',
  data: { block_hash: '0xb7', reason: 'reorged_out' },
};

describe('a micro-deposit', () => {
  it('is reserved for one wallet, until no transfer of its time can be another’s', () => {
    const free = END + CHAIN_CLOCK_SKEW_MS;
    const later = { ...request, reserved_at: isoTime(free), expires_at: isoTime(free + MICRO_DEPOSIT_TTL_MS) };
    given(microDeposits, []).when(reserve, at(NOW)).then([reserved]);
    for (const history of [[reserved], [reserved, seen, credited]]) {
      given(microDeposits, history)
        .when(reserve, at(free - 1))
        .thenRefused('reservation_capacity_exhausted');
      given(microDeposits, history)
        .when(reserve, at(free))
        .then([{ type: 'MicroDepositReserved', data: later }]);
    }
    given(microDeposits, [reserved, seen]).when(reserve, at(free)).thenRefused('reservation_capacity_exhausted');
  });

  it('is given back by the wallet that never showed it', () => {
    const released: MicroDepositEvent = { type: 'MicroDepositReleased', data: { wallet_id: 'wal_1' } };
    given(microDeposits, [reserved]).when({ type: 'release', walletId: 'wal_1' }, at(NOW)).then([released]);
    given(microDeposits, [reserved]).when({ type: 'release', walletId: 'wal_2' }, at(NOW)).then([]);
    given(microDeposits, [reserved, seen]).when({ type: 'release', walletId: 'wal_1' }, at(NOW)).then([]);
    given(microDeposits, [reserved, released]).when(reserve, at(NOW)).then([reserved]);
  });

  it.each([
    ['as it was asked for', NOW, true],
    ['by a chain whose clock runs behind', NOW - CHAIN_CLOCK_SKEW_MS, true],
    ['before it was asked for', NOW - CHAIN_CLOCK_SKEW_MS - 1, false],
    ['at its very end', END, true],
    ['after its end', END + 1, false],
  ])('sent %s counts: %s', (_, sentAtMs, counts) => {
    given(microDeposits, [reserved])
      .when(see(sentAtMs), at(END * 2))
      .then(counts ? [seen] : []);
  });

  it('is met by a transfer to the right address, once', () => {
    given(microDeposits, [reserved])
      .when(see(NOW, deposit, '0xcc'), at(NOW))
      .then([]);
    given(microDeposits, []).when(see(NOW), at(NOW)).then([]);
    given(microDeposits, [reserved, seen]).when(see(NOW), at(NOW)).then([]);
    given(microDeposits, [reserved, seen])
      .when(see(NOW, { ...moved, tx_hash: '0x2' }), at(NOW))
      .then([]);
    given(microDeposits, [reserved, seen, credited]).when(see(NOW, moved), at(NOW)).then([]);
  });

  it('follows a reorganisation to another block, also after its end', () => {
    given(microDeposits, [reserved, seen])
      .when(see(END + 1, moved), at(END + 1))
      .then([{ type: 'MicroDepositSeen', data: moved }]);
  });

  it('is credited in the block that is final, and in no other', () => {
    given(microDeposits, [reserved, seen]).when(credit, at(NOW)).then([credited]);
    given(microDeposits, [reserved, seen, { type: 'MicroDepositSeen', data: moved }])
      .when(credit, at(NOW))
      .then([]);
    given(microDeposits, [reserved]).when(credit, at(NOW)).then([]);
    given(microDeposits, [reserved, seen, dropped]).when(credit, at(NOW)).then([]);
    given(microDeposits, [reserved, seen, credited]).when(credit, at(NOW)).then([]);
  });

  it('waits again after its transfer vanished, within its time', () => {
    given(microDeposits, [reserved, seen]).when(drop, at(NOW)).then([dropped]);
    given(microDeposits, [reserved, seen, credited]).when(drop, at(NOW)).then([]);
    given(microDeposits, [reserved, seen, dropped]).when(see(END), at(NOW)).then([seen]);
    given(microDeposits, [reserved, seen, dropped])
      .when(see(END + 1), at(NOW))
      .then([]);
  });
});

describe('the amount of a micro-deposit', () => {
  const bytes = (value: bigint) => ({ bytes: () => Buffer.from(value.toString(16).padStart(32, '0'), 'hex') });

  it('goes from 1,001 to 9,999 millionths', () => {
    expect(randomUnits(bytes(0n))).toBe(1_001n);
    expect(randomUnits(bytes(8_998n))).toBe(9_999n);
    expect(randomUnits(bytes(8_999n))).toBe(1_001n);
  });

  it.each([
    ['usdc-base', 1_234n, 1_234n],
    ['usdt-bnb', 1_234n, 1_234_000_000_000_000n],
    ['usdt-tron', 9_999n, 9_999n],
  ] as const)('is scaled to the decimals of %s', (tokenId, units, amount) => {
    const token = TOKENS[tokenId];
    expect(amountOfUnits(token, units)).toBe(amount);
    expect(unitsOfAmount(token, amount)).toBe(units);
    expect(depositToken(token.network)).toBe(token);
    expect(microDepositId(token, 'x', units)).toBe(`${token.network}:x:${tokenId}:${units}`);
  });

  it('is exact', () => {
    const token = TOKENS['usdt-bnb'];
    for (const near of [-1n, 1n]) expect(unitsOfAmount(token, amountOfUnits(token, 1_234n) + near)).toBeNull();
    for (const outside of [0n, 1_000n, 10_000n]) expect(unitsOfAmount(token, amountOfUnits(token, outside))).toBeNull();
  });
});
