import type { BlockHeader, ObservedTransfer } from '../../../kernel/ports/chain';
import { contractAnswer, DECIMALS_SELECTOR } from '../evm/evm-queries';
import { connectEvm, servedChainId, type Provider } from '../evm/evm-provider';
import type { TransferFilter } from '../evm/transfer-logs';
import { inShape, invalidResponse } from '../http-post';
import { isInvalid, type BlockPlace } from '../readings';
import type { BlockReceipts, ListedBlock } from '../receipt-reader';
import { evmHex } from './tron-address';
import { TronHttp } from './tron-http';
import { transfersIn, TronLogs, type InfoWithLogs } from './tron-receipts';
import * as shapes from './tron-shapes';
import type { BlockContents } from './tron-shapes';

/** The whole chain, or only the blocks on which 19 of the 27 witnesses have built. */
type View = 'wallet' | 'walletsolidity';

/** `rpc` is the node's JSON-RPC interface, the only one that can search logs. */
export type TronProvider = Provider & { readonly http: TronHttp };

const CHAIN_ID_DIGITS = 8;
const WORD = /^0x[0-9a-f]{64}$/;

/** `url` is the base of `/wallet`, `/walletsolidity` and `/jsonrpc`. */
export function connectTron(url: string, timeoutMs: number, headers: Readonly<Record<string, string>>): TronProvider {
  return { ...connectEvm(`${url}/jsonrpc`, timeoutMs, headers), http: new TronHttp(url, timeoutMs, headers) };
}

/**
 * Asks both interfaces, since a gateway may lead each to another node. The chain id is the end of the first block's id.
 */
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
  return block;
}

/** Null for a height above the provider's head. */
export async function headerAt(provider: TronProvider, height: number): Promise<BlockHeader | null> {
  const path = '/wallet/getblock';
  const block = await provider.http.call(path, { id_or_num: String(height), detail: false }, shapes.block);
  return block && ofHeight(path, block, height);
}

/** The block with the ids of its transactions, which the block's id proves. */
export async function contentsAt({ http }: TronProvider, height: number): Promise<BlockContents | null> {
  const path = '/wallet/getblock';
  const transactions: string[] = [];
  const take = (listed: readonly unknown[]): void => {
    for (const one of listed) transactions.push(inShape(path, one, shapes.listedTransaction).txID);
    if (transactions.length > shapes.MAX_TRANSACTIONS) throw invalidResponse(path, 'has too many transactions');
  };
  const question = { id_or_num: String(height), detail: true };
  const found = await http.read(path, question, shapes.block, [{ path: 'transactions', take }]);
  return found && { ...ofHeight(path, found, height), transactions };
}

/** The transfers of all transactions of the block, in their order. */
export async function infosOf(
  { http }: TronProvider,
  block: ListedBlock,
  filter: TransferFilter,
): Promise<BlockReceipts> {
  const path = '/wallet/gettransactioninfobyblocknum';
  // The answer names no block, so the receipts of another fork, or a part of them, would pass for this block's.
  const incomplete = () => invalidResponse(path, `is not of the transactions of block ${block.hash}`);
  const transfers: ObservedTransfer[] = [];
  const unusable: string[] = [];
  let count = 0;
  let logs = new TronLogs(filter);
  const takeInfos = (given: readonly unknown[]): void => {
    for (const one of given) {
      const expected = block.transactions[count++];
      const info = shapes.transactionInfo.safeParse(one);
      if (expected === undefined || (info.success && info.data.id !== expected)) throw incomplete();
      if (info.success && info.data.blockNumber !== block.number) throw invalidResponse(path, 'is of another block');
      const found = info.success ? madeOut(block, { ...info.data, logs }) : null;
      if (found) transfers.push(...found);
      else unusable.push(expected);
      logs = new TronLogs(filter);
    }
  };
  await http.read(path, { num: block.number }, shapes.infos, [
    { path: '', take: takeInfos },
    { path: '[].log', take: each => logs.take(each) },
  ]);
  if (count !== block.transactions.length) throw incomplete();
  return { transfers, unusable };
}

/** Null for a transaction in no block. */
export async function infoOf(
  { http }: TronProvider,
  txHash: string,
  filter: TransferFilter,
  mostBytes?: number,
): Promise<InfoWithLogs | null> {
  const path = '/wallet/gettransactioninfobyid';
  const logs = new TronLogs(filter);
  const info = await http.read(path, { value: txHash }, shapes.info, [{ path: 'log', take: logs.take }], mostBytes);
  if (info && info.id !== txHash) throw invalidResponse(path, 'is of another transaction');
  return info && { ...info, logs };
}

/** Null where no contract with decimals stands at the address. */
export async function decimalsOf(provider: TronProvider, contract: string): Promise<bigint | null> {
  const answer = await contractAnswer(provider, evmHex(contract), DECIMALS_SELECTOR);
  return answer !== null && WORD.test(answer) ? BigInt(answer) : null;
}

function ofHeight(path: string, block: BlockHeader, height: number): BlockHeader {
  if (block.number !== height) throw invalidResponse(path, `is block ${block.number}, not ${height}`);
  return block;
}

/** Null for a transaction that cannot be read. */
function madeOut(block: BlockPlace, info: InfoWithLogs): readonly ObservedTransfer[] | null {
  try {
    return transfersIn(block, info);
  } catch (error) {
    if (!isInvalid(error)) throw error;
    return null;
  }
}
