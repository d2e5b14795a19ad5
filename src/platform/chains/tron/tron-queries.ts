import type { BlockHeader } from '../../../kernel/ports/chain';
import { contractAnswer, DECIMALS_SELECTOR } from '../evm/evm-queries';
import { connectEvm, servedChainId, type Provider } from '../evm/evm-provider';
import { invalidResponse } from '../http-post';
import { evmHex } from './tron-address';
import { TronHttp } from './tron-http';
import * as shapes from './tron-shapes';
import type { BlockContents, TransactionInfo } from './tron-shapes';

/** The whole chain, or only what 19 of the 27 witnesses have built on. */
export type View = 'wallet' | 'walletsolidity';

/** `rpc` is the node's JSON-RPC interface, which alone can search logs. */
export type TronProvider = Provider & { readonly http: TronHttp };

const CHAIN_ID_DIGITS = 8;
const WORD = /^0x[0-9a-f]{64}$/;

/** `url` is what `/wallet`, `/walletsolidity` and `/jsonrpc` stand under. */
export function connectTron(url: string, timeoutMs: number, headers: Readonly<Record<string, string>>): TronProvider {
  return { ...connectEvm(`${url}/jsonrpc`, timeoutMs, headers), http: new TronHttp(url, timeoutMs, headers) };
}

/** By both interfaces, since a gateway may lead each to another node. The chain id is the end of the first block's id. */
export async function servesChain(provider: TronProvider, chainId: number): Promise<boolean> {
  const genesis = await headerAt(provider, 0);
  if (!genesis) throw invalidResponse('/wallet/getblock', 'holds no first block');
  const isSame = Number.parseInt(genesis.hash.slice(-CHAIN_ID_DIGITS), 16) === chainId;
  return isSame && (await servedChainId(provider)) === chainId;
}

/** The newest block of a view. */
export async function newest({ http }: TronProvider, view: View): Promise<BlockHeader> {
  const path = `/${view}/getblock`;
  const block = await http.call(path, { detail: false }, shapes.block);
  if (!block) throw invalidResponse(path, 'holds no newest block');
  return headerOf(block);
}

/** Null for a height above the provider's head. */
export async function headerAt(provider: TronProvider, height: number): Promise<BlockHeader | null> {
  const block = await blockAt(provider, height, false);
  return block && headerOf(block);
}

/** With the ids of its transactions, which the block's id vouches for. */
export function contentsAt(provider: TronProvider, height: number): Promise<BlockContents | null> {
  return blockAt(provider, height, true);
}

/** What became of each transaction of a block, in their order. */
export async function infosOf({ http }: TronProvider, block: BlockContents): Promise<readonly TransactionInfo[]> {
  if (block.txIds.length === 0) return [];
  const path = '/wallet/gettransactioninfobyblocknum';
  const infos = (await http.call(path, { num: block.number }, shapes.infos)) ?? [];
  // The answer names no block: another fork's, or a part, would pass for this one's.
  const isWhole = infos.length === block.txIds.length && infos.every(({ id }, index) => id === block.txIds[index]);
  if (!isWhole) throw invalidResponse(path, `is not of the transactions of block ${block.hash}`);
  if (infos.some(({ blockNumber }) => blockNumber !== block.number)) throw invalidResponse(path, 'is of another block');
  return infos;
}

/** Null for a transaction in no block. */
export async function infoOf({ http }: TronProvider, txHash: string): Promise<TransactionInfo | null> {
  const path = '/wallet/gettransactioninfobyid';
  const info = await http.call(path, { value: txHash }, shapes.info);
  if (info && info.id !== txHash) throw invalidResponse(path, 'is of another transaction');
  return info;
}

/** Null where no contract with decimals stands at the address. */
export async function decimalsOf(provider: TronProvider, contract: string): Promise<bigint | null> {
  const answer = await contractAnswer(provider, evmHex(contract), DECIMALS_SELECTOR);
  return answer !== null && WORD.test(answer) ? BigInt(answer) : null;
}

async function blockAt({ http }: TronProvider, height: number, detail: boolean): Promise<BlockContents | null> {
  const path = '/wallet/getblock';
  const block = await http.call(path, { id_or_num: String(height), detail }, shapes.block);
  if (block && block.number !== height) throw invalidResponse(path, `is block ${block.number}, not ${height}`);
  return block;
}

function headerOf({ number, hash, parentHash, timeMs }: BlockContents): BlockHeader {
  return { number, hash, parentHash, timeMs };
}
