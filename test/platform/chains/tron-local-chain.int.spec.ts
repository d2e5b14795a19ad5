import { MaxUint256 } from 'ethers';
import { MINUTE_MS } from '../../../src/kernel/clock';
import { TOKENS } from '../../../src/vocabulary/tokens';
import { noFaults } from '../../../src/sandbox/tron/tron-faults';
import { tronTwin } from '../../../src/platform/chains/tron/tron-address';
import { TronChain } from '../../../src/platform/chains/tron/tron-chain';
import { ManualClock } from '../../support/manual-clock';
import { MERCHANT, startTronStage, type TronStage } from '../../sandbox/tron-stage';

const CONTRACT = TOKENS['usdt-tron'].contract.test;
const OTHER_MERCHANT = tronTwin(`0x${'dead'.padStart(40, '0')}`);
const UNKNOWN_HASH = '11'.repeat(32);
const SOLID_DEPTH = 18;
const tokenId = 'usdt-tron' as const;

let stage: TronStage;
let chain: TronChain;

beforeAll(async () => {
  stage = await startTronStage();
  chain = new TronChain({ mode: 'test', urls: [stage.facade.url] });
  await stage.sandbox.mine(SOLID_DEPTH + 1);
});

beforeEach(() => Object.assign(stage.faults, noFaults()));
afterAll(() => stage.stop());

const payer = () => stage.sandbox.accounts[1]?.address;
const pay = (baseUnits: bigint, to = MERCHANT) => stage.sandbox.sendToken({ tokenId, to, baseUnits });

async function mineHead() {
  await stage.sandbox.mine(1);
  return chain.head();
}

test('it is Nile with the approved contract', async () => {
  await expect(chain.check()).resolves.toBeUndefined();
  const mainnet = new TronChain({ mode: 'live', urls: [stage.facade.url] });
  await expect(mainnet.check()).rejects.toMatchObject({ code: 'provider_network_mismatch' });
});

test('a contract answers what it is asked, and an account without code nothing', async () => {
  const decimals = '0x313ce567';
  expect(await chain.readContract(CONTRACT, decimals)).toBe(`0x${'6'.padStart(64, '0')}`);
  expect(await chain.readContract(CONTRACT, '0xdeadbeef')).toBeNull();
  expect(await chain.readContract(MERCHANT, decimals)).toBeNull();
});

describe('headers', () => {
  test('a block is the same by its height and as the head, and linked to its parent', async () => {
    const parent = await chain.head();
    const head = await mineHead();
    expect(head).toStrictEqual({
      number: parent.number + 1,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      parentHash: parent.hash,
      timeMs: expect.any(Number) as number,
    });
    expect(await chain.blockAt(head.number)).toStrictEqual(head);
    expect(await chain.blockAt(head.number + 1)).toBeNull();
    expect(await chain.finalizedHeight()).toBe(head.number - SOLID_DEPTH);
  });
});

describe('transfers', () => {
  test('of a block, with the hash that tronweb knows them by', async () => {
    const txHash = await stage.customer.pay(CONTRACT, MERCHANT, '25000120');
    const { hash, number } = await mineHead();
    expect((await chain.transfersInBlock(hash, CONTRACT, [MERCHANT])).transfers).toStrictEqual([
      {
        txHash,
        ordinal: 0,
        contract: CONTRACT,
        from: stage.customer.address,
        to: MERCHANT,
        valueBaseUnits: 25_000_120n,
        blockNumber: number,
        blockHash: hash,
      },
    ]);
    const known = await stage.tronWeb.trx.getUnconfirmedTransactionInfo(txHash);
    expect(known).toMatchObject({ id: txHash, blockNumber: number });
  });

  test('several of one transaction keep their places, whatever stands before it in the block', async () => {
    await stage.sandbox.sendToken({ tokenId, to: OTHER_MERCHANT, baseUnits: 7n, fromIndex: 2 });
    const transfers = [
      { to: OTHER_MERCHANT, baseUnits: 1n },
      { to: MERCHANT, baseUnits: 2n },
      { to: MERCHANT, baseUnits: 2n },
    ];
    const txHash = await stage.sandbox.sendTokens({ tokenId, transfers });
    const { hash } = await mineHead();
    const { transfers: found } = await chain.transfersInBlock(hash, CONTRACT, [MERCHANT]);
    expect(found.map(transfer => [transfer.txHash, transfer.ordinal, transfer.valueBaseUnits])).toEqual([
      [txHash, 1, 2n],
      [txHash, 2, 2n],
    ]);
    const receipt = await chain.receipt(txHash);
    expect(receipt?.transfers.map(({ ordinal }) => ordinal)).toEqual([0, 1, 2]);
    expect(receipt?.transfers.slice(1)).toEqual(found);
  });

  test('a look-alike contract, a transfer of nothing and a failed one are none', async () => {
    const lookalike = await stage.sandbox.sendLookalike({ tokenId, to: MERCHANT, baseUnits: 5n });
    await pay(0n);
    const reverted = await stage.sandbox.sendToken({ tokenId, to: MERCHANT, baseUnits: MaxUint256 });
    const { hash, number } = await mineHead();
    expect((await chain.transfersInBlock(hash, CONTRACT, [MERCHANT])).transfers).toEqual([]);
    const block = { blockNumber: number, blockHash: hash };
    expect(await chain.receipt(lookalike)).toStrictEqual({ succeeded: true, ...block, transfers: [] });
    expect(await chain.receipt(reverted)).toStrictEqual({ succeeded: false, ...block, transfers: [] });
  });

  test('of a range, ends included, over many spans', async () => {
    const sent: string[] = [];
    for (let i = 0; i < 3; i++) {
      sent.push(await pay(BigInt(10 + i)));
      await stage.sandbox.mine(15);
    }
    await stage.sandbox.mine(SOLID_DEPTH);
    const found = await Promise.all(sent.map(txHash => chain.receipt(txHash)));
    const [first = 0, , last = 0] = found.map(receipt => receipt?.blockNumber);
    const { transfers: inRange } = await chain.transfersInRange(first, last, CONTRACT, [MERCHANT]);
    expect(inRange.map(({ txHash, from }) => [txHash, from])).toEqual(sent.map(txHash => [txHash, payer()]));
    expect(inRange).toEqual(found.flatMap(receipt => receipt?.transfers ?? []));
    const { transfers: within } = await chain.transfersInRange(first + 1, last - 1, CONTRACT, [MERCHANT]);
    expect(within.map(({ txHash }) => txHash)).toEqual([sent[1]]);
  });

  test('of a range that is not solid yet are an error, not empty', async () => {
    const { number } = await chain.head();
    await expect(chain.transfersInRange(number, number, CONTRACT, [MERCHANT])).rejects.toMatchObject({
      code: 'provider_unavailable',
    });
  });
});

describe('reorganisations', () => {
  test('a transfer that left the chain has no receipt, and its block is unknown', async () => {
    const txHash = await pay(77n);
    const old = await mineHead();
    await stage.sandbox.reorg(1);
    const replaced = await chain.blockAt(old.number);
    expect(replaced?.hash).not.toBe(old.hash);
    expect(await chain.receipt(txHash)).toBeNull();
    await expect(chain.transfersInBlock(old.hash, CONTRACT, [MERCHANT])).rejects.toMatchObject({
      code: 'provider_unavailable',
    });
    expect((await chain.transfersInBlock(replaced?.hash ?? '', CONTRACT, [MERCHANT])).transfers).toEqual([]);
  });

  test('a transfer that comes back elsewhere keeps its hash and ordinal', async () => {
    const before = await stage.sandbox.sendToken({ tokenId, to: OTHER_MERCHANT, baseUnits: 1n, fromIndex: 3 });
    const transfers = [
      { to: OTHER_MERCHANT, baseUnits: 80n },
      { to: MERCHANT, baseUnits: 88n },
    ];
    const txHash = await stage.sandbox.sendTokens({ tokenId, transfers });
    const old = await mineHead();
    await stage.sandbox.mine(2);
    const [seen] = (await chain.transfersInBlock(old.hash, CONTRACT, [MERCHANT])).transfers;
    const raw = await Promise.all([txHash, before].map(hash => stage.sandbox.rawTransaction(hash)));
    await stage.sandbox.reorg(
      3,
      raw.map((rawTransaction, index) => ({ rawTransaction: rawTransaction ?? '', offset: index + 1 })),
    );
    const moved = await chain.blockAt(old.number + 1);
    const [again] = (await chain.transfersInBlock(moved?.hash ?? '', CONTRACT, [MERCHANT])).transfers;
    expect(seen).toMatchObject({ txHash, ordinal: 1, blockHash: old.hash });
    expect(again).toStrictEqual({ ...seen, blockNumber: moved?.number, blockHash: moved?.hash });
    expect(await chain.receipt(txHash)).toMatchObject({ blockHash: moved?.hash, transfers: [{ ordinal: 0 }, again] });
  });

  test('a transaction in no block has no receipt', async () => {
    expect(await chain.receipt(await pay(6n))).toBeNull();
    expect(await chain.receipt(UNKNOWN_HASH)).toBeNull();
  });
});

describe('troubles of a provider', () => {
  test.each([
    ['an error within a 200', { error: 'class java.lang.IllegalAccessException : lack of computing resources' }],
    ['a lite node’s text', 'lite_node'],
    ['a status 403', { status: 403 }],
    ['a status 429', { status: 429 }],
    ['a status 503', { status: 503 }],
  ] as const)('%s is refused, and forgotten when it is over', async (_name, fault) => {
    const clock = new ManualClock(Date.now());
    const troubled = new TronChain({ mode: 'test', urls: [stage.facade.url], clock });
    stage.faults.answer = () => fault;
    await expect(troubled.head()).rejects.toMatchObject({ code: 'provider_unavailable' });
    stage.faults.answer = () => null;
    // A node that was asked too much is left alone for a while.
    clock.timeMs += MINUTE_MS;
    await expect(troubled.head()).resolves.toBeDefined();
  });

  test('silence is refused after the time-out', async () => {
    const impatient = new TronChain({ mode: 'test', urls: [stage.facade.url], timeoutMs: 100 });
    stage.faults.answer = () => 'hang';
    await expect(impatient.head()).rejects.toMatchObject({ code: 'provider_unavailable' });
  });

  test('the first block of another network is provider_network_mismatch', async () => {
    stage.faults.wrongGenesis = true;
    const fresh = new TronChain({ mode: 'test', urls: [stage.facade.url] });
    await expect(fresh.check()).rejects.toMatchObject({ code: 'provider_network_mismatch' });
  });

  test('another fork has not got the block that was asked for', async () => {
    await pay(9n);
    const { hash, number } = await mineHead();
    stage.faults.forkFrom = number;
    await expect(chain.transfersInBlock(hash, CONTRACT, [MERCHANT])).rejects.toMatchObject({
      code: 'provider_unavailable',
    });
  });
});
