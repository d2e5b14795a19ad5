import { z } from 'zod';
import { BoundedMap } from '../../kernel/bounded-map';
import { isRefusal } from '../../vocabulary/errors';
import { RpcError } from '../../platform/chains/evm/json-rpc';
import { toQuantity } from '../../platform/chains/evm/rpc-shapes';
import { blockId, parentId, servedChainId } from './block-ids';
import { logFilter, rawBlock, rawLog, rawReceipt, rawTransaction, request } from './json-rpc-records';
import type { LogFilter, RawBlock, RawLog, RawReceipt } from './json-rpc-records';
import { openEnvelope } from './tron-envelope';
import type { TronIndex } from './tron-index';

const MAX_BATCH = 100;
const MAX_RANGE = 5_000;
const MAX_LOGS = 10_000;
const MAX_RECEIPTS = 10_000;
const MAX_KNOWN_IDS = 10_000;
const CODES = {
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_000,
  tooMany: -32_005,
};
const HASH_PATTERN = /^(?:0x)?([0-9a-fA-F]{64})$/;

class RpcFault extends Error {
  constructor(
    readonly kind: keyof typeof CODES,
    message: string,
  ) {
    super(message);
  }
}

/**
 * The Ethereum interface that TRON nodes have beside their own: the same blocks and transactions, under the same ids
 * with 0x before them.
 */
export class JsonRpcApi {
  private readonly ids = new BoundedMap<string, string>(MAX_KNOWN_IDS);

  constructor(private readonly index: TronIndex) {}

  /** The answer to one request or to a batch of them. */
  async serve(body: unknown): Promise<object> {
    if (!Array.isArray(body)) return this.answer(body);
    if (body.length > MAX_BATCH) return failure(null, 'invalidRequest', `more than ${MAX_BATCH} requests at once`);
    return Promise.all(body.map(each => this.answer(each)));
  }

  private async answer(body: unknown): Promise<object> {
    const asked = request.safeParse(body);
    if (!asked.success) return failure(null, 'invalidRequest', 'not a JSON-RPC request');
    const { id, method, params } = asked.data;
    try {
      return { jsonrpc: '2.0', id, result: await this.result(method, params) };
    } catch (error) {
      if (error instanceof RpcFault) return failure(id, error.kind, error.message);
      if (isRefusal(error))
        return failure(id, 'internal', error.cause instanceof RpcError ? error.cause.message : error.message);
      throw error;
    }
  }

  private async result(method: string, params: readonly unknown[]): Promise<unknown> {
    const [first, second] = params;
    switch (method) {
      case 'eth_chainId':
      case 'net_version':
        return toQuantity(servedChainId(this.index.faults));
      case 'eth_blockNumber':
        return toQuantity(await this.index.height('full'));
      case 'eth_getBlockByNumber':
        return this.block(await this.heightOf(first), second === true);
      case 'eth_getBlockByHash':
        return this.block(await this.heightOfHash(first), second === true);
      case 'eth_getBlockReceipts':
        return this.receipts(isHash(first) ? await this.heightOfHash(first) : await this.heightOf(first));
      case 'eth_getTransactionReceipt':
        return this.receipt(hashOf(first));
      case 'eth_getTransactionByHash':
        return this.transaction(hashOf(first));
      case 'eth_getLogs':
        return this.logs(first);
      case 'eth_call':
      case 'eth_getCode':
      case 'eth_getBalance':
        if (second !== 'latest')
          throw new RpcFault('invalidParams', 'QUANTITY not supported, just support TAG as latest');
        return this.index.rpc.call(method, [first, second], z.string());
      default:
        throw new RpcFault('methodNotFound', `the method ${method} does not exist/is not available`);
    }
  }

  private async heightOf(tag: unknown): Promise<number> {
    if (tag === 'latest') return this.index.height('full');
    if (tag === 'finalized') return this.index.height('solid');
    if (tag === 'earliest') return 0;
    if (tag === 'safe' || tag === 'pending') throw new RpcFault('invalidParams', 'TAG [pending | safe] not supported');
    if (typeof tag !== 'string' || !/^0x[0-9a-fA-F]{1,13}$/.test(tag))
      throw new RpcFault('invalidParams', 'invalid block number');
    return Number(tag);
  }

  private async heightOfHash(hash: unknown): Promise<number | null> {
    return (await this.index.blockById(hashOf(hash), 'full'))?.number ?? null;
  }

  private async rawBlock(height: number | null): Promise<RawBlock | null> {
    if (height === null || height > (await this.index.height('full'))) return null;
    return this.index.rpc.call('eth_getBlockByNumber', [toQuantity(height), true], rawBlock.nullable());
  }

  private async block(height: number | null, full: boolean): Promise<object | null> {
    const raw = await this.rawBlock(height);
    if (!raw) return null;
    const block = { ...raw, number: Number(raw.number) };
    const transactions = raw.transactions.map(each =>
      this.shownTransaction(each, this.blockHash(raw.number, raw.hash)),
    );
    return {
      ...raw,
      hash: this.blockHash(raw.number, raw.hash),
      parentHash: `0x${parentId(block, this.index.faults)}`,
      transactions: full ? transactions : transactions.map(({ hash }) => hash),
    };
  }

  private async transaction(id: string): Promise<object | null> {
    const taken = await this.index.transaction(id, 'full');
    if (!taken) return null;
    const { block, transaction } = taken;
    const raw = await this.index.rpc.call('eth_getTransactionByHash', [transaction.hash], rawTransaction);
    return this.shownTransaction(raw, `0x${this.index.idOfBlock(block)}`);
  }

  private async receipts(height: number | null): Promise<readonly object[] | null> {
    if ((await this.rawBlock(height)) === null) return null;
    const answer = z.array(rawReceipt).max(MAX_RECEIPTS);
    const raw = await this.index.rpc.call('eth_getBlockReceipts', [toQuantity(height ?? 0)], answer);
    return Promise.all(raw.map(receipt => this.shownReceipt(receipt)));
  }

  private async receipt(id: string): Promise<object | null> {
    const taken = await this.index.transaction(id, 'full');
    if (!taken) return null;
    const { hash } = taken.transaction;
    const raw = await this.index.rpc.call('eth_getTransactionReceipt', [hash], rawReceipt.nullable());
    return raw && this.shownReceipt(raw);
  }

  private async logs(asked: unknown): Promise<readonly object[]> {
    const filter = logFilter.safeParse(asked);
    if (!filter.success) throw new RpcFault('invalidParams', 'invalid filter');
    const { from, to } = await this.rangeOf(filter.data);
    const head = await this.index.height('full');
    if (from > head) return [];
    const { address, topics } = filter.data;
    const range = { fromBlock: toQuantity(from), toBlock: toQuantity(Math.min(to, head)) };
    const logs = await this.index.rpc.call('eth_getLogs', [{ address, topics, ...range }], z.array(rawLog));
    if (logs.length > MAX_LOGS) throw new RpcFault('tooMany', `query returned more than ${MAX_LOGS} results`);
    return this.shownLogs(logs);
  }

  private async rangeOf({ blockHash, fromBlock, toBlock }: LogFilter): Promise<{ from: number; to: number }> {
    if (blockHash !== undefined) {
      const height = await this.heightOfHash(blockHash);
      if (height === null) throw new RpcFault('invalidParams', 'invalid blockHash');
      return { from: height, to: height };
    }
    const head = await this.index.height('full');
    const to = toBlock === undefined ? head : await this.heightOf(toBlock);
    const from = fromBlock === undefined ? Math.min(to, head) : await this.heightOf(fromBlock);
    if (from > to) throw new RpcFault('invalidParams', 'please verify: fromBlock <= toBlock');
    if (Math.min(to, head) - from > MAX_RANGE)
      throw new RpcFault('invalidParams', `exceed max block range: ${MAX_RANGE}`);
    return { from, to };
  }

  private shownTransaction(raw: z.output<typeof rawTransaction>, blockHash: string) {
    const opened = openEnvelope(raw);
    const input = opened ? `0x${opened.call.data}` : raw.input;
    return { ...raw, hash: opened ? `0x${opened.id}` : raw.hash, input, blockHash };
  }

  private async shownReceipt(raw: RawReceipt): Promise<object> {
    const transactionHash = await this.idOf(raw.transactionHash);
    const blockHash = this.blockHash(raw.blockNumber, raw.blockHash);
    return { ...raw, transactionHash, blockHash, logs: await this.shownLogs(raw.logs) };
  }

  private async shownLogs(logs: readonly RawLog[]): Promise<readonly object[]> {
    const { hiddenLogsOf } = this.index.faults;
    const shown = [];
    for (const log of logs) {
      const transactionHash = await this.idOf(log.transactionHash);
      if (hiddenLogsOf.has(transactionHash.slice(2))) continue;
      shown.push({ ...log, transactionHash, blockHash: this.blockHash(log.blockNumber, log.blockHash) });
    }
    return shown;
  }

  private blockHash(number: string, evmHash: string): string {
    return `0x${blockId(Number(number), evmHash, this.index.faults)}`;
  }

  /** The facts of an EVM transaction never change, so it is asked for once. */
  private async idOf(evmHash: string): Promise<string> {
    const known = this.ids.get(evmHash);
    if (known !== undefined) return known;
    const transaction = await this.index.byEvmHash(evmHash);
    const id = (transaction && openEnvelope(transaction)?.id) ?? evmHash.slice(2);
    this.ids.set(evmHash, `0x${id}`);
    return `0x${id}`;
  }
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && HASH_PATTERN.test(value);
}

/** The hash without 0x. */
function hashOf(value: unknown): string {
  const digits = typeof value === 'string' ? HASH_PATTERN.exec(value)?.[1] : undefined;
  if (digits === undefined) throw new RpcFault('invalidParams', 'invalid hash value');
  return digits.toLowerCase();
}

function failure(id: string | number | null, kind: keyof typeof CODES, message: string): object {
  return { jsonrpc: '2.0', id, error: { code: CODES[kind], message, data: '{}' } };
}
