import { isRefusal } from '../../../kernel/errors';
import type { BlockHeader } from '../../../kernel/ports/chain';
import { invalidResponse, RpcError } from './json-rpc';
import type { Provider } from './provider-pool';
import { bytes, decimalsResult, header, receipt, toQuantity, type RawReceipt } from './rpc-shapes';

/** First four bytes of keccak256("decimals()"). */
const DECIMALS_SELECTOR = '0x313ce567';
const EXECUTION_REVERTED = 3;
/** What nodes say, under various codes, where the contract itself failed. */
const EXECUTION_WORDS = /revert|opcode|out of ?gas|stack (?:over|under)flow|invalid jump|EVM error/i;

/** Throws Refusal provider_response_invalid too where the node does not know the tag. */
export async function taggedBlock({ rpc }: Provider, tag: 'latest' | 'finalized'): Promise<BlockHeader> {
  const method = 'eth_getBlockByNumber';
  try {
    const block = await rpc.call(method, [tag, false], header.nullable());
    if (block) return block;
  } catch (error) {
    if (!(isRefusal(error) && error.cause instanceof RpcError)) throw error;
    throw invalidResponse(method, `for the ${tag} block was ${error.cause.code} ${error.cause.message}`, error.cause);
  }
  throw invalidResponse(method, `holds no ${tag} block`);
}

/** Null for a height above the provider's head. */
export async function blockByNumber({ rpc }: Provider, height: number): Promise<BlockHeader | null> {
  const method = 'eth_getBlockByNumber';
  const block = await rpc.call(method, [toQuantity(height), false], header.nullable());
  if (block && block.number !== height) throw invalidResponse(method, `is block ${block.number}, not ${height}`);
  return block;
}

export async function hasBlock({ rpc }: Provider, hash: string): Promise<boolean> {
  const method = 'eth_getBlockByHash';
  const block = await rpc.call(method, [hash, false], header.nullable());
  if (block && block.hash !== hash) throw invalidResponse(method, `is block ${block.hash}, not ${hash}`);
  return block !== null;
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
