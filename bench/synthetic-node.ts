import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TOKENS } from '../src/vocabulary/tokens';
import { TRANSFER_TOPIC } from '../src/platform/chains/evm/transfer-logs';

const CHAIN_ID = 97;
const FINALITY_LAG = 2;
/** Transfers of the token to strangers in each block, as a busy chain has them. */
const STRANGERS = 4;
/** One block of so many pays the first wallet. */
export const PAID_EVERY = 100;
const BLOCK_MS = 450;
const AMOUNT = 25_123_456n * 10n ** 12n;
const TOO_WIDE = { code: -32_005, message: 'query exceeds the block range limit' };
const CONTRACT = TOKENS['usdt-bnb'].contract.test.toLowerCase();

type LogQuery = {
  readonly fromBlock?: string;
  readonly toBlock?: string;
  readonly blockHash?: string;
  readonly topics: readonly [string, null, (readonly string[])?];
};

/**
 * A JSON-RPC node of BNB's testnet whose every block follows from its height. The node costs next to nothing, and
 * counts its questions.
 */
export class SyntheticNode {
  height = 0;
  calls = 0;

  private constructor(
    private readonly server: Server,
    private readonly startMs: number,
    private readonly wallet: string,
  ) {}

  static async start(startMs: number, wallet: string, widestRange = Infinity): Promise<SyntheticNode> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString()) as Call;
        node.calls += 1;
        response.setHeader('content-type', 'application/json');
        const isTooWide = method === 'eth_getLogs' && blocksIn(params[0] as LogQuery) > widestRange;
        const answer = isTooWide ? { error: TOO_WIDE } : { result: node.answer(method, params) };
        response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
      });
    });
    const node = new SyntheticNode(server, startMs, wallet);
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return node;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise(resolve => this.server.close(() => resolve()));
  }

  private answer(method: string, params: readonly unknown[]): unknown {
    switch (method) {
      case 'eth_chainId':
        return hex(CHAIN_ID);
      case 'eth_call':
        return topic(hex(TOKENS['usdt-bnb'].decimals));
      case 'eth_getBlockByNumber':
        return this.block(this.heightOf(params[0] as string));
      case 'eth_getBlockByHash':
        return this.block(heightIn(params[0] as string));
      case 'eth_getLogs':
        return this.logs(params[0] as LogQuery);
      case 'eth_getTransactionReceipt':
        return this.receipt(params[0] as string);
      default:
        throw new Error(`${method} is not served`);
    }
  }

  private heightOf(tag: string): number {
    if (tag === 'latest') return this.height;
    return tag === 'finalized' ? Math.max(0, this.height - FINALITY_LAG) : Number(tag);
  }

  private block(height: number) {
    if (height > this.height) return null;
    const timestamp = hex(Math.floor((this.startMs + height * BLOCK_MS) / 1_000));
    return { number: hex(height), hash: hashOf(height), parentHash: hashOf(height - 1), timestamp, transactions: [] };
  }

  private logs({ fromBlock, toBlock, blockHash, topics }: LogQuery) {
    const [from, to] = blockHash ? [heightIn(blockHash), heightIn(blockHash)] : [Number(fromBlock), Number(toBlock)];
    const wanted = topics[2] && new Set(topics[2]);
    const found = [];
    for (let height = from; height <= Math.min(to, this.height); height++)
      found.push(...this.logsOf(height).filter(log => !wanted || wanted.has(log.topics[2] as string)));
    return found;
  }

  private logsOf(height: number) {
    const recipients = Array.from(
      { length: STRANGERS },
      (_, index) => `0x${(index + 1).toString(16).padStart(40, 'f')}`,
    );
    if (height % PAID_EVERY === 0) recipients.push(this.wallet.toLowerCase());
    return recipients.map((to, index) => ({
      address: CONTRACT,
      topics: [TRANSFER_TOPIC, topic(`0x${'9'.repeat(40)}`), topic(to)],
      data: `0x${AMOUNT.toString(16).padStart(64, '0')}`,
      logIndex: hex(index),
      transactionHash: `0x${index.toString(16).padStart(4, 'e')}${height.toString(16).padStart(60, '0')}`,
      blockNumber: hex(height),
      blockHash: hashOf(height),
      removed: false,
    }));
  }

  private receipt(txHash: string) {
    const height = Number(`0x${txHash.slice(6)}`);
    const log = this.logsOf(height).find(({ transactionHash }) => transactionHash === txHash);
    if (!log || height > this.height) return null;
    return { transactionHash: txHash, status: '0x1', blockNumber: hex(height), blockHash: hashOf(height), logs: [log] };
  }
}

/** Zero for a question by a block's hash. */
function blocksIn({ fromBlock, toBlock }: LogQuery): number {
  return toBlock === undefined ? 0 : Number(toBlock) - Number(fromBlock) + 1;
}

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] };

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}

function hashOf(height: number): string {
  return `0x${Math.max(0, height + 1)
    .toString(16)
    .padStart(64, '0')}`;
}

function heightIn(hash: string): number {
  return Number(hash) - 1;
}

function topic(address: string): string {
  return `0x${address.slice(2).padStart(64, '0')}`;
}
