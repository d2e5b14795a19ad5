import { JsonRpcApi } from '../../src/sandbox/tron/json-rpc-api';
import { noFaults } from '../../src/sandbox/tron/tron-faults';
import { TronIndex } from '../../src/sandbox/tron/tron-index';
import type { Rpc } from '../../src/platform/chains/evm/json-rpc';

const HEAD = 6_000;
const LOG = {
  transactionHash: `0x${'12'.repeat(32)}`,
  blockNumber: '0x1770',
  blockHash: `0x${'ab'.repeat(32)}`,
};

/** A node with a head and with so many logs. */
function nodeWith(logs: number): Rpc {
  const answers: Readonly<Record<string, unknown>> = {
    eth_blockNumber: `0x${HEAD.toString(16)}`,
    eth_getLogs: Array.from({ length: logs }, () => LOG),
    eth_getTransactionByHash: null,
  };
  return { call: async (method, _params, shape) => Promise.resolve(shape.parse(answers[method])) };
}

function search(logs: number, fromBlock: string, toBlock: string): Promise<object> {
  const api = new JsonRpcApi(new TronIndex(nodeWith(logs), noFaults()));
  return api.serve({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [{ fromBlock, toBlock }] });
}

test('logs of more than 5,000 blocks are not searched at once; blocks above the head do not count', async () => {
  const refused = { error: { code: -32_602, message: expect.stringContaining('5000') as string } };
  expect(await search(1, '0x3e7', 'latest')).toMatchObject(refused);
  expect(await search(1, '0x0', '0x1389')).toMatchObject(refused);
  expect(await search(1, '0x3e8', 'latest')).toMatchObject({ result: [{ blockNumber: LOG.blockNumber }] });
  expect(await search(1, '0x3e8', '0xffffff')).toMatchObject({ result: [{ blockNumber: LOG.blockNumber }] });
});

test('more than 10,000 logs are not told at once', async () => {
  expect(await search(10_001, 'latest', 'latest')).toMatchObject({ error: { code: -32_005 } });
  expect(await search(10_000, 'latest', 'latest')).toHaveProperty('result.9999');
});
