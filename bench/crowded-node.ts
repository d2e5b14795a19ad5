import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TOKENS } from '../src/vocabulary/tokens';
import { addressTopic, TRANSFER_TOPIC } from '../src/platform/chains/evm/transfer-logs';
import { evmHex } from '../src/platform/chains/tron/tron-address';

export const HEIGHT = 7;
export const BLOCK_HASH = `0x${'7'.padStart(64, 'b')}`;
export const BLOCK_ID = `${HEIGHT.toString(16).padStart(16, '0')}${'b'.repeat(48)}`;
export const WATCHED = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const PAYER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const STRANGER = `0x${'66'.repeat(20)}`;
const LOGS_A_TRANSACTION = 1_000;
/** The limit at which the node cuts its logs off without a word. */
const CAP = 1_000;
const CHAIN_ID = { evm: '0x61', tron: '0xcd8690dc' } as const;
const GENESIS_ID = `${'0'.repeat(56)}cd8690dc`;

export type Dialect = 'evm' | 'evm without logs' | 'tron';
type Log = { readonly address: string; readonly topics: readonly string[]; readonly data: string };

/** A node of one crowded block that ends in a payment. Its answers are put into words once: serving is cheap. */
export class CrowdedNode {
  /** Bodies of the questions asked since this was emptied, by path. */
  readonly asked: { readonly path: string; readonly body: string }[] = [];
  private readonly ready = new Map<string, Buffer>();
  private readonly transactions: readonly (readonly Log[])[];
  private readonly contract: string;

  private constructor(
    private readonly server: Server,
    private readonly dialect: Dialect,
    foreignLogs: number,
    zeroTransfers: number,
  ) {
    const token =
      dialect === 'tron'
        ? evmHex(TOKENS['usdt-tron'].contract.test).toLowerCase()
        : TOKENS['usdt-bnb'].contract.test.toLowerCase();
    const transfer = (value: string): Log => ({
      address: token,
      topics: [TRANSFER_TOPIC, addressTopic(PAYER), addressTopic(WATCHED)],
      data: `0x${value.padStart(64, '0')}`,
    });
    const transactions: Log[][] = zeroTransfers > 0 ? [Array.from({ length: zeroTransfers }, () => transfer('0'))] : [];
    for (let left = foreignLogs; left > 0; left -= LOGS_A_TRANSACTION) {
      const length = Math.min(left, LOGS_A_TRANSACTION);
      transactions.push(Array.from({ length }, () => ({ address: STRANGER, topics: [], data: '0x' })));
    }
    this.transactions = [...transactions, [transfer('5')]];
    this.contract = token;
  }

  static async start(dialect: Dialect, foreignLogs: number, zeroTransfers: number): Promise<CrowdedNode> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const [path, body] = [request.url ?? '', Buffer.concat(chunks).toString()];
        node.asked.push({ path, body });
        response.end(node.wordsFor(path, body));
      });
    });
    const node = new CrowdedNode(server, dialect, foreignLogs, zeroTransfers);
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

  private wordsFor(path: string, body: string): Buffer {
    const known = this.ready.get(path + body);
    if (known) return known;
    const question = JSON.parse(body) as Question;
    const answer =
      question.method === undefined ? this.info(path, question) : { jsonrpc: '2.0', id: 1, ...this.rpc(question) };
    const words = Buffer.from(JSON.stringify(answer));
    this.ready.set(path + body, words);
    return words;
  }

  private rpc({ method, params = [] }: Question): object {
    switch (method) {
      case 'eth_chainId':
        return { result: this.dialect === 'tron' ? CHAIN_ID.tron : CHAIN_ID.evm };
      case 'eth_getCode':
        return { result: '0x60' };
      case 'eth_call': {
        const token = TOKENS[this.dialect === 'tron' ? 'usdt-tron' : 'usdt-bnb'];
        return { result: `0x${token.decimals.toString(16).padStart(64, '0')}` };
      }
      case 'eth_getBlockByHash':
        return {
          result: { number: hex(HEIGHT), hash: BLOCK_HASH, transactions: this.transactions.map((_, i) => txHash(i)) },
        };
      case 'eth_getLogs': {
        if (this.dialect === 'evm without logs') return { error: { code: -32_005, message: 'limit exceeded' } };
        const logs = this.receipts().flatMap(receipt => receipt.logs);
        return { result: logs.filter(({ address }) => address === this.contract).slice(0, CAP) };
      }
      case 'eth_getBlockReceipts':
        return { result: this.receipts() };
      case 'eth_getTransactionReceipt':
        return { result: this.receipts().find(({ transactionHash }) => transactionHash === params[0]) ?? null };
      default:
        throw new Error(`${method} is not served`);
    }
  }

  private receipts() {
    let logIndex = 0;
    return this.transactions.map((logs, index) => {
      const place = {
        blockNumber: hex(HEIGHT),
        transactionHash: txHash(index),
        transactionIndex: hex(index),
        blockHash: BLOCK_HASH,
      };
      return {
        ...place,
        status: '0x1',
        logsBloom: `0x${'0'.repeat(512)}`,
        logs: logs.map(log => ({ ...log, ...place, logIndex: hex(logIndex++), removed: false })),
      };
    });
  }

  private info(path: string, question: Question): unknown {
    const ids = this.transactions.map((_, index) => txHash(index).slice(2));
    if (path === '/wallet/getblock') {
      const number = Number(question.id_or_num);
      const header = { raw_data: { ...(number > 0 && { number }), parentHash: '0'.repeat(64) } };
      const blockID = number === 0 ? GENESIS_ID : BLOCK_ID;
      return { blockID, block_header: header, ...(question.detail && { transactions: ids.map(txID => ({ txID })) }) };
    }
    return this.transactions.map((logs, index) => ({
      id: ids[index],
      blockNumber: HEIGHT,
      receipt: { result: 'SUCCESS' },
      log: logs.map(({ address, topics, data }) => ({
        address: address.slice(2),
        ...(topics.length > 0 && { topics: topics.map(topic => topic.slice(2)) }),
        ...(data !== '0x' && { data: data.slice(2) }),
      })),
    }));
  }
}

type Question = {
  readonly method?: string;
  readonly params?: readonly unknown[];
  readonly id_or_num?: string;
  readonly detail?: boolean;
};

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}

function txHash(index: number): string {
  return `0x${(index + 1).toString(16).padStart(64, 'c')}`;
}
