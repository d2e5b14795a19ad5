import { isRefusal } from '../../../kernel/errors';
import type { BlockHeader } from '../../../kernel/ports/chain';
import { invalidResponse } from '../http-post';
import type { Provider } from './evm-provider';
import { RpcError } from './json-rpc';
import {
  block,
  bytes,
  decimalsResult,
  header,
  receipt,
  receipts,
  toQuantity,
  type RawBlock,
  type RawReceipt,
} from './rpc-shapes';

/** First four bytes of keccak256("decimals()"). */
export const DECIMALS_SELECTOR = '0x313ce567';
const EXECUTION_REVERTED = 3;
/** What nodes say, under various codes, where the contract itself failed. */
const EXECUTION_WORDS = /revert|opcode|out of ?gas|stack (?:over|under)flow|invalid jump|EVM error/i;

/** Throws Refusal provider_response_invalid too where the node does not know the tag. */
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

/** Null for a block that the provider has not got. */
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

/** Of every transaction of the block, in their order; null when the provider has them no more. */
export async function receiptsOf({ rpc }: Provider, of: RawBlock): Promise<readonly RawReceipt[] | null> {
  if (of.transactions.length === 0) return [];
  const method = 'eth_getBlockReceipts';
  const found = await rpc.call(method, [toQuantity(of.number)], receipts.nullable());
  if (!found) return null;
  const isWhole =
    found.length === of.transactions.length &&
    found.every((one, index) => one.transactionHash === of.transactions[index] && one.blockHash === of.hash);
  if (!isWhole) throw invalidResponse(method, `is not of the transactions of block ${of.hash}`);
  return found;
}

/** Null for a transaction in no block. */
export async function receiptOf({ rpc }: Provider, txHash: string): Promise<RawReceipt | null> {
  const method = 'eth_getTransactionReceipt';
  const found = await rpc.call(method, [txHash], receipt.nullable());
  if (found && found.transactionHash !== txHash) throw invalidResponse(method, 'is of another transaction');
  return found;
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

/** Null where no code stands at the address, or where the call fails in it. */
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
  if (!isRefusal(error) || !(error.cause instanceof RpcError)) return false;
  return error.cause.code === EXECUTION_REVERTED || EXECUTION_WORDS.test(error.cause.message);
}
