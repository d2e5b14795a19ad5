import { TRANSFER_TOPIC, addressTopic } from '../../../src/platform/chains/evm/transfer-logs';
import { rpcBlock, honest, type Behaviour } from './scripted-provider';

const PAYER = `0x${'de'.repeat(20)}`;
const JUNK = `0x${'66'.repeat(20)}`;

export type CrowdedBlock = {
  readonly height: number;
  readonly contract: string;
  /** Transactions in their order: transfers by value and recipient, and empty logs of a contract that is nobody's. */
  readonly transactions: readonly {
    readonly transfers?: readonly { readonly to: string; readonly value: bigint }[];
    readonly junk?: number;
  }[];
};

type RpcLog = {
  address: string;
  topics: string[];
  data: string;
  blockNumber: string;
  transactionHash: string;
  transactionIndex: string;
  blockHash: string;
  logIndex: string;
  removed: boolean;
};

export const crowdedTx = (index: number): string => `0x${(index + 1).toString(16).padStart(64, 'c')}`;

/** A block of many logs as a node tells of it: by its logs and by its receipts. */
export class CrowdedNode {
  readonly block;
  readonly receipts: {
    transactionHash: string;
    status: string;
    blockNumber: string;
    blockHash: string;
    logs: RpcLog[];
  }[];

  constructor({ height, contract, transactions }: CrowdedBlock) {
    this.block = { ...rpcBlock(height), transactions: transactions.map((_, index) => crowdedTx(index)) };
    const { number: blockNumber, hash: blockHash } = this.block;
    let next = 0;
    this.receipts = transactions.map(({ transfers = [], junk = 0 }, index) => {
      const transactionHash = crowdedTx(index);
      const place = { blockNumber, transactionHash, transactionIndex: `0x${index.toString(16)}`, blockHash };
      const log = (address: string, topics: string[], data: string): RpcLog => ({
        address,
        topics,
        data,
        ...place,
        logIndex: `0x${(next++).toString(16)}`,
        removed: false,
      });
      const logs = transfers.map(({ to, value }) =>
        log(
          contract.toLowerCase(),
          [TRANSFER_TOPIC, addressTopic(PAYER), addressTopic(to)],
          `0x${value.toString(16).padStart(64, '0')}`,
        ),
      );
      for (let left = junk; left > 0; left--) logs.push(log(JUNK, [], '0x'));
      return { transactionHash, status: '0x1', blockNumber, blockHash, logs };
    });
  }

  /** Logs that a question asks for; of so many at most that `cap` cuts off the rest without a word. */
  logs([query]: readonly unknown[], cap = Infinity): RpcLog[] {
    const { address, topics, blockHash, fromBlock, toBlock } = query as Record<string, string> & { topics: string[][] };
    const height = Number(this.block.number);
    const isOfBlock = blockHash
      ? blockHash === this.block.hash
      : Number(fromBlock) <= height && Number(toBlock) >= height;
    const wanted = topics[2] && new Set(topics[2]);
    return this.receipts
      .flatMap(({ logs }) => (isOfBlock ? logs : []))
      .filter(log => log.address === address?.toLowerCase() && (!wanted || wanted.has(log.topics[2] ?? '')))
      .slice(0, cap);
  }

  /** Answers for this block, and as an honest node for all others. */
  readonly behaviour: Behaviour = (method, params, response) => {
    const [first] = params;
    if (method === 'eth_getLogs') return { result: this.logs(params) };
    const isOfBlock = first === this.block.hash || first === this.block.number;
    if (method.startsWith('eth_getBlockBy') && isOfBlock) return { result: this.block };
    if (method === 'eth_getBlockReceipts') return { result: isOfBlock ? this.receipts : [] };
    if (method !== 'eth_getTransactionReceipt') return honest(100)(method, params, response);
    return { result: this.receipts.find(({ transactionHash }) => transactionHash === first) ?? null };
  };
}
