import { JsonRpcProvider } from 'ethers';
import { MERCHANT, startTronStage, USDT, type Json, type TronStage } from './tron-stage';

let stage: TronStage;
beforeAll(async () => (stage = await startTronStage()));
afterAll(() => stage.stop());

const result = async (method: string, ...params: unknown[]): Promise<Json> =>
  (await stage.rpc(method, ...params))['result'] as Json;
const twin = (address: string) => `0x${stage.tronWeb.address.toHex(address).slice(2).toLowerCase()}`;
const paid = async (): Promise<string> => {
  const id = await stage.customer.pay(USDT, MERCHANT, '5');
  await stage.sandbox.mine(1);
  return id;
};

test('blocks and transactions have the ids that the node’s own interface gives them', async () => {
  const id = await paid();
  const head = await stage.tronWeb.trx.getCurrentBlock();
  const hash = `0x${head.blockID}`;
  const block = await result('eth_getBlockByNumber', 'latest', false);
  expect(block).toMatchObject({
    hash,
    parentHash: `0x${head.block_header.raw_data.parentHash}`,
    timestamp: `0x${(head.block_header.raw_data.timestamp / 1_000).toString(16)}`,
    transactions: [`0x${id}`],
  });
  expect(await result('eth_getBlockByHash', hash, false)).toEqual(block);
  const receipt = await result('eth_getTransactionReceipt', `0x${id}`);
  expect(receipt).toMatchObject({ transactionHash: `0x${id}`, blockHash: hash, status: '0x1' });
  expect(await result('eth_getBlockReceipts', hash)).toEqual([receipt]);
  const logs = (await result('eth_getLogs', { blockHash: hash })) as unknown as Json[];
  expect(logs).toMatchObject([{ transactionHash: `0x${id}`, blockHash: hash, address: twin(USDT) }]);
  expect(logs).toEqual(receipt['logs']);
  expect(await result('eth_getBlockByNumber', 'latest', true)).toMatchObject({
    transactions: [await result('eth_getTransactionByHash', `0x${id}`)],
  });
});

test('a transaction shows the call that was signed, not how the local chain keeps it', async () => {
  const id = await paid();
  const shown = await stage.tronWeb.trx.getTransaction(id);
  const [contract] = shown.raw_data.contract;
  const { data } = contract?.parameter.value as { data: string };
  expect(await result('eth_getTransactionByHash', id)).toMatchObject({ hash: `0x${id}`, input: `0x${data}` });
});

test('logs are found by range and recipient, and a range above the head is empty', async () => {
  const id = await paid();
  const head = Number(await result('eth_blockNumber'));
  const hex = (height: number) => `0x${height.toString(16)}`;
  const topics = [null, null, [`0x${twin(MERCHANT).slice(2).padStart(64, '0')}`]];
  const search = (fromBlock: string, toBlock: string) =>
    result('eth_getLogs', { address: twin(USDT), topics, fromBlock, toBlock });
  expect(await search(hex(head), 'latest')).toMatchObject([{ transactionHash: `0x${id}` }]);
  expect(await search(hex(head), hex(head + 50))).toMatchObject([{ transactionHash: `0x${id}` }]);
  expect(await search(hex(head + 1), hex(head + 50))).toEqual([]);
  expect(await result('eth_getLogs', { address: twin(MERCHANT), fromBlock: 'earliest', toBlock: 'latest' })).toEqual(
    [],
  );
});

test('finalized is the newest solid block', async () => {
  const solid = await stage.tronWeb.trx.getConfirmedCurrentBlock();
  expect(await result('eth_getBlockByNumber', 'finalized', false)).toMatchObject({ hash: `0x${solid.blockID}` });
});

test('what is unknown is null', async () => {
  const unknown = `0x${'5'.repeat(64)}`;
  for (const method of ['eth_getTransactionReceipt', 'eth_getTransactionByHash', 'eth_getBlockReceipts'])
    expect(await result(method, unknown)).toBeNull();
  expect(await result('eth_getBlockByHash', unknown, false)).toBeNull();
  expect(await result('eth_getBlockByNumber', '0xffffff', false)).toBeNull();
});

test('a transaction that the node’s own wallets sent has the id that it has there', async () => {
  const provider = new JsonRpcProvider(stage.sandbox.rpcUrl, undefined, { staticNetwork: true, cacheTimeout: -1 });
  const [from] = (await provider.send('eth_accounts', [])) as string[];
  const hash = (await provider.send('eth_sendTransaction', [{ from, to: twin(MERCHANT), data: '0x12' }])) as string;
  provider.destroy();
  await stage.sandbox.mine(1);
  expect(await result('eth_getTransactionReceipt', hash)).toMatchObject({ transactionHash: hash, logs: [] });
  expect(await stage.tronWeb.trx.getUnconfirmedTransactionInfo(hash.slice(2))).toMatchObject({ id: hash.slice(2) });
});

test('the chain id is Nile’s; contracts can be read', async () => {
  expect(await result('eth_chainId')).toBe('0xcd8690dc');
  const decimals = await result('eth_call', { to: twin(USDT), data: '0x313ce567' }, 'latest');
  expect(decimals).toBe(`0x${'6'.padStart(64, '0')}`);
  expect(await result('eth_getCode', twin(MERCHANT), 'latest')).toBe('0x');
});

test('several requests are answered at once', async () => {
  const one = (id: number, method: string) => ({ jsonrpc: '2.0', id, method, params: [] });
  const answers = await stage.post('/jsonrpc', [one(1, 'eth_chainId'), one(2, 'eth_nothing')]);
  expect(answers).toMatchObject([
    { id: 1, result: '0xcd8690dc' },
    { id: 2, error: { code: -32_601 } },
  ]);
});

test.each<[string, number, string, unknown[]]>([
  ['a tag that TRON has not got', -32_602, 'eth_getBlockByNumber', ['safe', false]],
  ['blocks to come', -32_602, 'eth_getBlockByNumber', ['pending', false]],
  ['a number in decimal', -32_602, 'eth_getBlockByNumber', ['12', false]],
  ['a hash that is none', -32_602, 'eth_getTransactionReceipt', ['0x12']],
  ['the logs of an unknown block', -32_602, 'eth_getLogs', [{ blockHash: `0x${'5'.repeat(64)}` }]],
  ['a range that ends before it begins', -32_602, 'eth_getLogs', [{ fromBlock: '0x9', toBlock: '0x8' }]],
  ['a filter that is none', -32_602, 'eth_getLogs', ['all']],
  ['a call in the past', -32_602, 'eth_call', [{}, '0x1']],
  [
    'a call that fails',
    -32_000,
    'eth_call',
    [{ to: `0x${'eca9bc828a3005b9a3b909f2cc5c2a54794de05f'}`, data: '0x12345678' }, 'latest'],
  ],
  ['sending', -32_601, 'eth_sendRawTransaction', ['0x']],
  ['making blocks', -32_601, 'anvil_mine', ['0x1']],
])('%s is refused', async (_name, code, method, params) => {
  expect(await stage.rpc(method, ...params)).toMatchObject({ id: 1, error: { code } });
});

test.each([[{}], ['text'], [{ method: 'eth_chainId', params: 'all' }], [Array.from({ length: 101 }, () => ({}))]])(
  '%j is no request',
  async body => {
    expect(await stage.post('/jsonrpc', body)).toMatchObject({ error: { code: -32_600 } });
  },
);
