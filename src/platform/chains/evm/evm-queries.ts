import { isRefusal } from '../../../vocabulary/errors';
import type { BlockHeader, ObservedTransfer } from '../../../kernel/ports/chain';
import { invalidResponse } from '../http-post';
import type { BlockReceipts, ListedBlock } from '../receipt-reader';
import type { Provider } from './evm-provider';
import { isOfExecution, RpcError } from './json-rpc';
import { OtherBlock } from './log-span';
import {
  block,
  bytes,
  decimalsResult,
  emptied,
  header,
  receiptHead,
  toQuantity,
  type RawBlock,
  type ReceiptHead,
} from './rpc-shapes';
import { ReceiptLogs, type TransferFilter } from './transfer-logs';

/** First four bytes of keccak256("decimals()"). */
export const DECIMALS_SELECTOR = '0x313ce567';

/** Throws Refusal provider_response_invalid as well where the node does not know the tag. */
export async function taggedBlock({ rpc }: Provider, tag: 'latest' | 'finalized'): Promise<BlockHeader> {
  const method = 'eth_getBlockByNumber';
  try {
    const found = await rpc.call(method, [tag, false], header.nullable());
    if (found) return found;
  } catch (error) {
    if (!(isRefusal(error) && error.cause instanceof RpcError)) throw error;
    throw invalidResponse(method, `for the ${tag} block was ${error.cause.code} ${error.cause.message}`, error.cause);
  }
  throw invalidResponse(method, `holds no ${tag} block`);
}

/** Null for a height above the provider's head. */
export async function blockByNumber({ rpc }: Provider, height: number): Promise<BlockHeader | null> {
  const method = 'eth_getBlockByNumber';
  const found = await rpc.call(method, [toQuantity(height), false], header.nullable());
  if (found && found.number !== height) throw invalidResponse(method, `is block ${found.number}, not ${height}`);
  return found;
}

/** Null for a block that the provider does not have. */
export async function blockByHash({ rpc }: Provider, hash: string): Promise<RawBlock | null> {
  const method = 'eth_getBlockByHash';
  const found = await rpc.call(method, [hash, false], block.nullable());
  if (found && found.hash !== hash) throw invalidResponse(method, `is block ${found.hash}, not ${hash}`);
  return found;
}

/** Null for a height above the provider's head. */
export async function contentsAt({ rpc }: Provider, height: number): Promise<RawBlock | null> {
  const method = 'eth_getBlockByNumber';
  const found = await rpc.call(method, [toQuantity(height), false], block.nullable());
  if (found && found.number !== height) throw invalidResponse(method, `is block ${found.number}, not ${height}`);
  return found;
}

/** The transfers of all transactions of the block, in their order; null when the provider no longer has the block. */
export async function receiptsOf(
  { rpc }: Provider,
  of: ListedBlock,
  filter: TransferFilter,
): Promise<BlockReceipts | null> {
  const method = 'eth_getBlockReceipts';
  const transfers: ObservedTransfer[] = [];
  const unusable: string[] = [];
  const incomplete = () => invalidResponse(method, `is not of the transactions of block ${of.hash}`);
  let count = 0;
  let logs = new ReceiptLogs(filter, method);
  const takeReceipts = (receipts: readonly unknown[]): void => {
    for (const receipt of receipts) {
      const expected = of.transactions[count++];
      const head = receiptHead.safeParse(receipt);
      if (head.success && head.data.blockHash !== of.hash) {
        throw invalidResponse(method, `is not of block ${of.hash}`, new OtherBlock());
      }
      if (expected === undefined || (head.success && head.data.transactionHash !== expected)) throw incomplete();
      const found = head.success ? transfersIn(head.data, logs) : null;
      if (found) transfers.push(...found);
      else unusable.push(expected);
      logs = new ReceiptLogs(filter, method);
    }
  };
  const found = await rpc.read(method, [toQuantity(of.number)], emptied.nullable(), [
    { path: '', take: takeReceipts },
    { path: '[].logs', take: each => logs.take(each) },
  ]);
  if (!found) return null;
  if (count !== of.transactions.length) throw incomplete();
  return { transfers, unusable };
}

/** Null where the logs cannot belong to the receipt. */
function transfersIn(receipt: ReceiptHead, logs: ReceiptLogs): readonly ObservedTransfer[] | null {
  if (receipt.status !== 1) return [];
  try {
    return logs.observed(receipt);
  } catch (error) {
    if (!isRefusal(error, 'provider_response_invalid')) throw error;
    return null;
  }
}

export type ReadReceipt = ReceiptHead & { readonly transferLogs: ReceiptLogs };

/** Null for a transaction in no block. */
export async function receiptOf(
  { rpc }: Provider,
  txHash: string,
  filter: TransferFilter,
  mostBytes?: number,
): Promise<ReadReceipt | null> {
  const method = 'eth_getTransactionReceipt';
  const logs = new ReceiptLogs(filter, method);
  const found = await rpc.read(
    method,
    [txHash],
    receiptHead.nullable(),
    [{ path: 'logs', take: logs.take }],
    mostBytes,
  );
  if (found && found.transactionHash !== txHash) throw invalidResponse(method, 'is of another transaction');
  return found && { ...found, transferLogs: logs };
}

/** Null where no contract with decimals stands at the address. */
export async function decimalsOf({ rpc }: Provider, contract: string): Promise<bigint | null> {
  try {
    return await rpc.call('eth_call', [{ to: contract, data: DECIMALS_SELECTOR }, 'latest'], decimalsResult);
  } catch (error) {
    if (isRevert(error)) return null;
    throw error;
  }
}

/** Null where no code stands at the address, or where the call fails in that code. */
export async function contractAnswer({ rpc }: Provider, address: string, data: string): Promise<string | null> {
  const code = await rpc.call('eth_getCode', [address, 'latest'], bytes);
  if (code === '0x') return null;
  try {
    return await rpc.call('eth_call', [{ to: address, data }, 'latest'], bytes);
  } catch (error) {
    if (isRevert(error)) return null;
    throw error;
  }
}

function isRevert(error: unknown): boolean {
  return isRefusal(error) && error.cause instanceof RpcError && isOfExecution(error.cause);
}
