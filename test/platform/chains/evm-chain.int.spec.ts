import { MaxUint256 } from 'ethers';
import { TOKENS } from '../../../src/vocabulary/tokens';
import type { EvmChain } from '../../../src/platform/chains/evm/evm-chain';
import type { SandboxChain } from '../../../src/sandbox/sandbox-chain';
import { startStillChain } from '../../sandbox/local-chain';

const CONTRACT = TOKENS['usdt-bnb'].contract.test;
const MERCHANT = '0x000000000000000000000000000000000000bEEF';
const OTHER_MERCHANT = '0x000000000000000000000000000000000000dEaD';
const UNKNOWN_HASH = `0x${'11'.repeat(32)}`;
const tokenId = 'usdt-bnb' as const;

let sandbox: SandboxChain;
let chain: EvmChain;
let stop: () => Promise<void>;

beforeAll(async () => {
  ({ sandbox, chain, stop } = await startStillChain());
});

afterAll(() => stop());

const payer = () => sandbox.accounts[1]?.address;

async function mineHead() {
  await sandbox.mine(1);
  return chain.head();
}

describe('headers', () => {
  test('the approved contract has the declared decimals', async () => {
    await expect(chain.check()).resolves.toBeUndefined();
  });

  test('a block is the same by its height and as the head, and linked to its parent', async () => {
    const parent = await chain.head();
    const head = await mineHead();
    expect(head).toStrictEqual({
      number: parent.number + 1,
      hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) as string,
      parentHash: parent.hash,
      timeMs: expect.any(Number) as number,
    });
    expect(await chain.blockAt(head.number)).toStrictEqual(head);
    expect(Math.abs(head.timeMs - Date.now())).toBeLessThan(60_000);
  });

  test('above the head there is no block', async () => {
    const head = await chain.head();
    expect(await chain.blockAt(head.number + 1)).toBeNull();
  });

  test('finality follows two blocks behind the head', async () => {
    const head = await mineHead();
    expect(await chain.finalizedHeight()).toBe(head.number - 2);
  });
});

describe('transfers in a block', () => {
  test('one transfer, with its parties as EIP-55 writes them', async () => {
    const txHash = await sandbox.sendToken({ tokenId, to: MERCHANT, baseUnits: 25_000_120_000_000_000_000n });
    const { hash, number } = await mineHead();
    expect((await chain.transfersInBlock(hash, CONTRACT, [MERCHANT])).transfers).toStrictEqual([
      {
        txHash,
        ordinal: 0,
        contract: CONTRACT,
        from: payer(),
        to: MERCHANT,
        valueBaseUnits: 25_000_120_000_000_000_000n,
        blockNumber: number,
        blockHash: hash,
      },
    ]);
  });

  test('two logs of one transaction keep their places in its receipt, whatever stands before it in the block', async () => {
    await sandbox.sendToken({ tokenId, to: OTHER_MERCHANT, baseUnits: 7n, fromIndex: 2 });
    const transfers = [
      { to: OTHER_MERCHANT, baseUnits: 1n },
      { to: MERCHANT, baseUnits: 2n },
      { to: MERCHANT, baseUnits: 2n },
    ];
    const txHash = await sandbox.sendTokens({ tokenId, transfers });
    const { hash } = await mineHead();
    const { transfers: found } = await chain.transfersInBlock(hash, CONTRACT, [MERCHANT]);
    expect(found.map(transfer => [transfer.txHash, transfer.ordinal, transfer.valueBaseUnits])).toEqual([
      [txHash, 1, 2n],
      [txHash, 2, 2n],
    ]);
    const { transfers: both } = await chain.transfersInBlock(hash, CONTRACT, [MERCHANT, OTHER_MERCHANT]);
    expect(both.map(transfer => [transfer.ordinal, transfer.valueBaseUnits])).toEqual([
      [0, 7n],
      [0, 1n],
      [1, 2n],
      [2, 2n],
    ]);
  });

  test('more recipients than a topic list takes are told apart here', async () => {
    const txHash = await sandbox.sendToken({ tokenId, to: MERCHANT, baseUnits: 3n });
    await sandbox.sendToken({ tokenId, to: OTHER_MERCHANT, baseUnits: 4n });
    const { hash } = await mineHead();
    const strangers = Array.from({ length: 600 }, (_, index) => `0x${(index + 1).toString(16).padStart(40, '0')}`);
    const { transfers: found } = await chain.transfersInBlock(hash, CONTRACT, [...strangers, MERCHANT]);
    expect(found.map(transfer => transfer.txHash)).toEqual([txHash]);
  });

  test('a look-alike contract, a transfer of nothing and a failed one are none', async () => {
    const lookalike = await sandbox.sendLookalike({ tokenId, to: MERCHANT, baseUnits: 5n });
    await sandbox.sendToken({ tokenId, to: MERCHANT, baseUnits: 0n });
    const reverted = await sandbox.sendToken({ tokenId, to: MERCHANT, baseUnits: MaxUint256 });
    const { hash, number } = await mineHead();
    expect((await chain.transfersInBlock(hash, CONTRACT, [MERCHANT])).transfers).toEqual([]);
    const block = { blockNumber: number, blockHash: hash };
    expect(await chain.receipt(lookalike)).toStrictEqual({ succeeded: true, ...block, transfers: [] });
    expect(await chain.receipt(reverted)).toStrictEqual({ succeeded: false, ...block, transfers: [] });
  });

  test('nobody to look for finds nothing', async () => {
    await sandbox.sendToken({ tokenId, to: MERCHANT, baseUnits: 5n });
    const { hash } = await mineHead();
    expect((await chain.transfersInBlock(hash, CONTRACT, [])).transfers).toEqual([]);
  });

  test.each([[[MERCHANT]], [[]]])('a block that the provider has not got is an error for %j', async recipients => {
    await expect(chain.transfersInBlock(UNKNOWN_HASH, CONTRACT, recipients)).rejects.toMatchObject({
      code: 'provider_unavailable',
    });
  });
});

describe('transfers in a range', () => {
  test('are those of its blocks, ends included, over many spans', async () => {
    const sent: string[] = [];
    for (let i = 0; i < 3; i++) {
      sent.push(await sandbox.sendToken({ tokenId, to: MERCHANT, baseUnits: BigInt(10 + i) }));
      await sandbox.mine(15);
    }
    const found = await Promise.all(sent.map(txHash => chain.receipt(txHash)));
    const [first = 0, , last = 0] = found.map(receipt => receipt?.blockNumber);
    const { transfers: inRange } = await chain.transfersInRange(first, last, CONTRACT, [MERCHANT]);
    expect(inRange.map(transfer => transfer.txHash)).toEqual(sent);
    expect(inRange).toEqual(found.flatMap(receipt => receipt?.transfers ?? []));
    const { transfers: within } = await chain.transfersInRange(first + 1, last - 1, CONTRACT, [MERCHANT]);
    expect(within.map(transfer => transfer.txHash)).toEqual([sent[1]]);
  });

  test('a range that the provider has not reached is an error, not empty', async () => {
    const { number } = await chain.head();
    await expect(chain.transfersInRange(number, number + 1, CONTRACT, [MERCHANT])).rejects.toMatchObject({
      code: 'provider_unavailable',
    });
  });
});

describe('reorganisations', () => {
  test('a transfer that left the chain has no receipt, and its block is unknown', async () => {
    const txHash = await sandbox.sendToken({ tokenId, to: MERCHANT, baseUnits: 77n });
    const old = await mineHead();
    await sandbox.reorg(1);
    const replaced = await chain.blockAt(old.number);
    expect(replaced?.hash).not.toBe(old.hash);
    expect(await chain.receipt(txHash)).toBeNull();
    await expect(chain.transfersInBlock(old.hash, CONTRACT, [MERCHANT])).rejects.toMatchObject({
      code: 'provider_unavailable',
    });
    expect((await chain.transfersInBlock(replaced?.hash ?? '', CONTRACT, [MERCHANT])).transfers).toEqual([]);
  });

  test('a transfer that comes back elsewhere keeps its hash and ordinal', async () => {
    const before = await sandbox.sendToken({ tokenId, to: OTHER_MERCHANT, baseUnits: 1n, fromIndex: 3 });
    const transfers = [
      { to: OTHER_MERCHANT, baseUnits: 80n },
      { to: MERCHANT, baseUnits: 88n },
    ];
    const txHash = await sandbox.sendTokens({ tokenId, transfers });
    const old = await mineHead();
    await sandbox.mine(2);
    const [seen] = (await chain.transfersInBlock(old.hash, CONTRACT, [MERCHANT])).transfers;
    const raw = await Promise.all([txHash, before].map(hash => sandbox.rawTransaction(hash)));
    await sandbox.reorg(
      3,
      raw.map((rawTransaction, index) => ({ rawTransaction: rawTransaction ?? '', offset: index + 1 })),
    );
    const moved = await chain.blockAt(old.number + 1);
    const [again] = (await chain.transfersInBlock(moved?.hash ?? '', CONTRACT, [MERCHANT])).transfers;
    expect(seen).toMatchObject({ txHash, ordinal: 1, blockHash: old.hash });
    expect(again).toStrictEqual({ ...seen, blockNumber: moved?.number, blockHash: moved?.hash });
    expect(
      (await chain.transfersInBlock((await chain.blockAt(old.number))?.hash ?? '', CONTRACT, [MERCHANT])).transfers,
    ).toEqual([]);
  });
});

test('a transaction in no block has no receipt', async () => {
  const waiting = await sandbox.sendToken({ tokenId, to: MERCHANT, baseUnits: 6n });
  expect(await chain.receipt(waiting)).toBeNull();
  expect(await chain.receipt(UNKNOWN_HASH)).toBeNull();
});
