import { TOKENS } from '../../../src/vocabulary/tokens';
import { tronTwin } from '../../../src/platform/chains/tron/tron-address';
import { TronChain } from '../../../src/platform/chains/tron/tron-chain';
import {
  exceptTron,
  honestTron,
  ScriptedTronNode,
  tronBlock,
  tronBlockId,
  tronInfo,
  tronLog,
  type TronBehaviour,
  type TronInfo,
} from './scripted-tron-node';

const CONTRACT = TOKENS['usdt-tron'].contract.test;
/** USDC of the real network: the right sort of contract, not the approved one. */
const LOOKALIKE = 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8';
const account = (digit: string) => tronTwin(`0x${digit.repeat(40)}`);
const [PAYER, MERCHANT, OTHER] = [account('1'), account('2'), account('3')] as const;
const txId = (byte: string) => byte.repeat(32);

const started: ScriptedTronNode[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map(node => node.stop()));
});

async function watching(behaviour: TronBehaviour) {
  const node = await ScriptedTronNode.start(behaviour);
  started.push(node);
  return { node, chain: new TronChain({ mode: 'test', urls: [node.url], timeoutMs: 2_000 }) };
}

const pays = (value: bigint, to: string = MERCHANT, contract: string = CONTRACT) => ({
  contract,
  from: PAYER,
  to,
  value,
});
const seen = (txHash: string, height: number, ordinal: number, valueBaseUnits: bigint, to = MERCHANT) => ({
  txHash,
  ordinal,
  contract: CONTRACT,
  from: PAYER,
  to,
  valueBaseUnits,
  blockNumber: height,
  blockHash: tronBlockId(height),
});

describe('headers', () => {
  test('the head, a block below it and the first one, whose number and time are left out', async () => {
    const { node, chain } = await watching(honestTron(70_000_123));
    const header = {
      number: 70_000_123,
      hash: tronBlockId(70_000_123),
      parentHash: tronBlockId(70_000_122),
      timeMs: 1_700_000_000_000 + 70_000_123 * 3_000,
    };
    expect(await chain.head()).toStrictEqual(header);
    expect(await chain.blockAt(70_000_123)).toStrictEqual(header);
    expect(await chain.blockAt(0)).toMatchObject({ number: 0, timeMs: 0 });
    expect(node.questions('/wallet/getblock')).not.toContainEqual(expect.objectContaining({ detail: true }));
  });

  test('above the head there is no block', async () => {
    const { chain } = await watching(honestTron(100));
    expect(await chain.blockAt(101)).toBeNull();
  });

  test('final is what the solid view ends at', async () => {
    const { chain } = await watching(honestTron(100));
    expect(await chain.finalizedHeight()).toBe(82);
  });

  test('a provider of the right chain and token is found fit', async () => {
    const { node, chain } = await watching(honestTron(100));
    await expect(chain.check()).resolves.toBeUndefined();
    expect(node.questions('eth_call')).toEqual([
      [{ to: '0xeca9bc828a3005b9a3b909f2cc5c2a54794de05f', data: '0x313ce567' }, 'latest'],
    ]);
  });
});

describe('transfers in a block', () => {
  test('each by its place among all the logs of its transaction, whatever stands before it in the block', async () => {
    const infos = [
      tronInfo(txId('01'), 7, [pays(7n, OTHER)]),
      tronInfo(txId('02'), 7, [pays(1n, OTHER), pays(2n), pays(9n, MERCHANT, LOOKALIKE), pays(2n)]),
      tronInfo(txId('03'), 7, [pays(25_000_120n)]),
    ];
    const { chain } = await watching(honestTron(100, infos));
    expect((await chain.transfersInBlock(tronBlockId(7), CONTRACT, [MERCHANT])).transfers).toStrictEqual([
      seen(txId('02'), 7, 1, 2n),
      seen(txId('02'), 7, 3, 2n),
      seen(txId('03'), 7, 0, 25_000_120n),
    ]);
  });

  test('a reorganisation that moves it changes neither its hash nor its ordinal', async () => {
    const logs = [pays(80n, OTHER), pays(88n)];
    const earlier = tronInfo(txId('01'), 7, [pays(1n, OTHER), pays(1n, OTHER)]);
    const before = await watching(honestTron(100, [earlier, tronInfo(txId('02'), 7, logs)]));
    const after = await watching(honestTron(100, [tronInfo(txId('02'), 8, logs)], 'b'));
    const [first] = (await before.chain.transfersInBlock(tronBlockId(7), CONTRACT, [MERCHANT])).transfers;
    const [again] = (await after.chain.transfersInBlock(tronBlockId(8, 'b'), CONTRACT, [MERCHANT])).transfers;
    expect(first).toStrictEqual(seen(txId('02'), 7, 1, 88n));
    expect(again).toStrictEqual({ ...first, blockNumber: 8, blockHash: tronBlockId(8, 'b') });
  });

  test.each<[string, TronInfo]>([
    ['a look-alike contract', tronInfo(txId('01'), 7, [pays(5n, MERCHANT, LOOKALIKE)])],
    ['somebody else’s payment', tronInfo(txId('01'), 7, [pays(5n, OTHER)])],
    ['a forged transfer of nothing', tronInfo(txId('01'), 7, [pays(0n)])],
    ['a transfer that failed', { ...tronInfo(txId('01'), 7, []), result: 'FAILED', resMessage: '52', receipt: { result: 'REVERT' } }],
    ['logs that a failure left behind', { ...tronInfo(txId('01'), 7, [pays(5n)]), result: 'FAILED', receipt: { result: 'OUT_OF_TIME' } }],
    ['a transfer of TRX', { id: txId('01'), blockNumber: 7, contractResult: [''], receipt: { net_usage: 268 } as object }],
    ['another event of the token', { ...tronInfo(txId('01'), 7, []), log: [{ ...tronLog(pays(5n)), topics: ['ab'.repeat(32), ...tronLog(pays(5n)).topics.slice(1)] }] }],
    ['strange logs of other contracts', { ...tronInfo(txId('01'), 7, []), log: [{}, { address: '41', topics: ['zz'], data: 'q' }] }],
    ['a contradiction that concerns nobody here', { ...tronInfo(txId('01'), 7, [pays(5n, OTHER)]), result: 'FAILED' }],
  ])('%s is none', async (_name, info) => {
    const { chain } = await watching(honestTron(100, [info]));
    expect((await chain.transfersInBlock(tronBlockId(7), CONTRACT, [MERCHANT])).transfers).toEqual([]);
  }); // prettier-ignore

  test('more recipients than a topic list takes are told apart all the same', async () => {
    const strangers = Array.from({ length: 600 }, (_, index) =>
      tronTwin(`0x${(index + 1).toString(16).padStart(40, '0')}`),
    );
    const { chain } = await watching(honestTron(100, [tronInfo(txId('01'), 7, [pays(1n, OTHER), pays(3n)])]));
    expect((await chain.transfersInBlock(tronBlockId(7), CONTRACT, [...strangers, MERCHANT])).transfers).toEqual([
      seen(txId('01'), 7, 1, 3n),
    ]);
  });

  test('an empty block is empty, and its transactions are not asked for', async () => {
    const { node, chain } = await watching(honestTron(100));
    expect((await chain.transfersInBlock(tronBlockId(7), CONTRACT, [MERCHANT])).transfers).toEqual([]);
    expect(node.questions('/wallet/gettransactioninfobyblocknum')).toEqual([]);
  });

  test.each([
    ['of another fork', tronBlockId(7, 'b')],
    ['above the head', tronBlockId(101)],
    ['with an id that is none', 'no block'],
  ])('a block %s is an error, with or without recipients', async (_name, hash) => {
    const { chain } = await watching(honestTron(100));
    for (const recipients of [[MERCHANT], []]) {
      await expect(chain.transfersInBlock(hash, CONTRACT, recipients)).rejects.toMatchObject({
        code: 'provider_unavailable',
      });
    }
  });
});

describe('transfers in a range', () => {
  const infos = [10, 25, 40].map((height, index) => tronInfo(txId(`0${index}`), height, [pays(1n, OTHER), pays(9n)]));

  test('are those of its blocks, ends included, found by their recipients', async () => {
    const { node, chain } = await watching(honestTron(100, infos));
    expect((await chain.transfersInRange(10, 40, CONTRACT, [MERCHANT])).transfers).toStrictEqual(
      infos.map(({ id, blockNumber }) => seen(id, blockNumber, 1, 9n)),
    );
    expect((await chain.transfersInRange(11, 39, CONTRACT, [MERCHANT])).transfers.map(({ txHash }) => txHash)).toEqual([
      txId('01'),
    ]);
    const recipient = `0x${'2'.repeat(40).padStart(64, '0')}`;
    for (const question of node.questions('eth_getLogs'))
      expect(question).toMatchObject([{ topics: { 2: [recipient] } }]);
  });

  test('with more recipients than a topic list takes the token’s whole log is read', async () => {
    const { node, chain } = await watching(honestTron(100, infos));
    const strangers = Array.from({ length: 501 }, (_, index) =>
      tronTwin(`0x${(index + 1).toString(16).padStart(40, '0')}`),
    );
    expect((await chain.transfersInRange(10, 40, CONTRACT, [...strangers, MERCHANT])).transfers).toHaveLength(3);
    for (const question of node.questions('eth_getLogs'))
      expect((question as [{ topics: [] }])[0].topics).toHaveLength(2);
  });

  test('nobody to look for finds nothing', async () => {
    const { node, chain } = await watching(honestTron(100, infos));
    expect((await chain.transfersInRange(10, 40, CONTRACT, [])).transfers).toEqual([]);
    expect(node.questions('eth_getLogs')).toEqual([]);
  });

  test('a range that is not solid at this provider is an error, not empty', async () => {
    const { chain } = await watching(honestTron(100, infos));
    await expect(chain.transfersInRange(80, 83, CONTRACT, [MERCHANT])).rejects.toMatchObject({
      code: 'provider_unavailable',
    });
    await expect(chain.transfersInRange(80, 82, CONTRACT, [MERCHANT])).resolves.toEqual({
      endHash: tronBlockId(82),
      transfers: [],
      unread: [],
    });
  });

  test('what failed is none, though its logs are found', async () => {
    const failed = { ...tronInfo(txId('01'), 7, [pays(5n)]), result: 'FAILED', receipt: { result: 'OUT_OF_TIME' } };
    const { chain } = await watching(honestTron(100, [failed]));
    expect((await chain.transfersInRange(1, 10, CONTRACT, [MERCHANT])).transfers).toEqual([]);
  });

  const widthOf = (question: unknown) => {
    const [{ fromBlock, toBlock }] = question as [{ fromBlock: string; toBlock: string }];
    return Number(toBlock) - Number(fromBlock) + 1;
  };

  test('every block is asked for once, in growing spans', async () => {
    const { node, chain } = await watching(honestTron(1_000));
    await chain.transfersInRange(1, 75, CONTRACT, [MERCHANT]);
    expect(node.questions('eth_getLogs').map(widthOf)).toEqual([10, 11, 12, 13, 14, 15]);
  });

  test.each([
    [-32005, 'query returned more than 10000 results'],
    [-32602, 'exceed max block range: 5000'],
  ])('spans are halved after error %s %s until the node takes them', async (code, message) => {
    const answered: number[] = [];
    const limited: TronBehaviour = (_what, question) => {
      if (widthOf(question) > 5) return { error: { code, message, data: '{}' } };
      answered.push(widthOf(question));
      return { result: [] };
    };
    const { chain } = await watching(exceptTron('eth_getLogs', limited));
    await chain.transfersInRange(1, 20, CONTRACT, [MERCHANT]);
    expect(answered.reduce((sum, blocks) => sum + blocks, 0)).toBe(20);
    expect(Math.max(...answered)).toBe(5);
  });
});

describe('receipts', () => {
  test('name the block that holds the transaction, and transfers of approved tokens only', async () => {
    const info = tronInfo(txId('0c'), 7, [pays(9n, MERCHANT, LOOKALIKE), pays(5n, OTHER), pays(0n), pays(6n)]);
    const { chain } = await watching(honestTron(100, [tronInfo(txId('0b'), 7, []), info]));
    expect(await chain.receipt(txId('0C'))).toStrictEqual({
      succeeded: true,
      blockNumber: 7,
      blockHash: tronBlockId(7),
      transfers: [seen(txId('0c'), 7, 1, 5n, OTHER), seen(txId('0c'), 7, 3, 6n)],
    });
  });

  test('of a failed transaction, of one that calls no contract, of none', async () => {
    const failed = { ...tronInfo(txId('01'), 7, []), result: 'FAILED', receipt: { result: 'REVERT' } };
    const plain = { id: txId('02'), blockNumber: 7, receipt: { net_usage: 268 } as object };
    const { chain } = await watching(honestTron(100, [failed, plain]));
    const place = { blockNumber: 7, blockHash: tronBlockId(7), transfers: [] };
    expect(await chain.receipt(txId('01'))).toStrictEqual({ ...place, succeeded: false });
    expect(await chain.receipt(txId('02'))).toStrictEqual({ ...place, succeeded: true });
    expect(await chain.receipt(txId('03'))).toBeNull();
  });

  test.each<[string, TronInfo]>([
    ['a failure with a receipt of success', { ...tronInfo(txId('01'), 7, [pays(5n)]), result: 'FAILED' }],
    ['a success with a receipt of failure', { ...tronInfo(txId('01'), 7, []), receipt: { result: 'REVERT' } }],
    ['logs without any result', { ...tronInfo(txId('01'), 7, [pays(5n)]), receipt: {} }],
  ])('%s is provider_response_invalid', async (_name, info) => {
    const { chain } = await watching(honestTron(100, [info]));
    await expect(chain.receipt(txId('01'))).rejects.toMatchObject({ code: 'provider_response_invalid' });
  });

  test('a transaction whose block the chain has replaced meanwhile is in no block yet', async () => {
    const replaced: TronBehaviour = () => tronBlock(7, [txId('02')], 'b');
    const honest = honestTron(100, [tronInfo(txId('01'), 7, [pays(5n)])]);
    const { chain } = await watching((what, question, response) =>
      what === '/wallet/getblock' && (question as { detail: boolean }).detail
        ? replaced(what, question, response)
        : honest(what, question, response),
    );
    await expect(chain.receipt(txId('01'))).rejects.toMatchObject({ code: 'provider_response_invalid' });
  });
});
