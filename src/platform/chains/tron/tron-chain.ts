import { NETWORKS } from '../../../vocabulary/networks';
import type { Receipt } from '../../../kernel/ports/chain';
import { contractAnswer } from '../evm/evm-queries';
import { TransferFilter, type Side } from '../evm/transfer-logs';
import { invalidResponse } from '../http-post';
import type { Dialect } from '../providers/dialect';
import { DEFAULT_TIMEOUT_MS, PooledChain, type ChainOptions } from '../providers/pooled-chain';
import { evmHex, tronTwin } from './tron-address';
import { balanceAt } from './tron-balances';
import {
  connectTron,
  contentsAt,
  decimalsOf,
  headerAt,
  infoOf,
  newest,
  servesChain,
  type TronProvider,
} from './tron-queries';
import { receiptIn } from './tron-receipts';
import { TronScan } from './tron-scan';

/** A URL is the base of a full node's `/wallet`, `/walletsolidity` and `/jsonrpc`. */
type TronChainOptions = ChainOptions & {
  /** Headers for a URL, which may hold its key; by default none. */
  readonly headersFor?: (url: string) => Readonly<Record<string, string>>;
};

/**
 * TRON by full nodes' HTTP interfaces. Addresses come out in base58check, hashes as 64 hex digits in lower case without
 * 0x.
 */
export class TronChain extends PooledChain<TronProvider> {
  constructor({ headersFor = () => ({}), ...options }: TronChainOptions) {
    const { mode, urls, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
    const chainId = NETWORKS.tron.chainId[mode];
    const dialect: Dialect<TronProvider> = {
      network: 'tron',
      chain: `TRON chain 0x${chainId.toString(16)}`,
      tokenStandard: 'TRC-20',
      serves: provider => servesChain(provider, chainId),
      decimalsOf,
      headOf: provider => newest(provider, 'wallet'),
      headerAt,
      finalizedOf: async provider => (await newest(provider, 'walletsolidity')).number,
      scan: (...parts) => new TronScan(...parts),
      receiptOf: (provider, txHash, contracts, parties, mostBytes, side) =>
        receiptFrom(provider, txHash, tronFilter(contracts, parties, side), mostBytes),
      contractAnswer: (provider, address, data) => contractAnswer(provider, evmHex(address), data),
      balanceOf: balanceAt,
    };
    super(
      dialect,
      urls.map(url => connectTron(url, timeoutMs, headersFor(url))),
      options,
    );
  }
}

function tronFilter(contracts: readonly string[], parties: readonly string[] | null, side?: Side): TransferFilter {
  return new TransferFilter(contracts.map(evmHex), parties && parties.map(evmHex), tronTwin, side);
}

async function receiptFrom(
  provider: TronProvider,
  txHash: string,
  filter: TransferFilter,
  mostBytes?: number,
): Promise<Receipt | null> {
  const info = await infoOf(provider, txHash, filter, mostBytes);
  if (!info) return null;
  const block = await contentsAt(provider, info.blockNumber);
  // The answer names a height only: a reorganisation between the two questions must not put the transaction into
  // another block.
  if (!block?.transactions.includes(info.id))
    throw invalidResponse('/wallet/gettransactioninfobyid', `puts ${info.id} into a block without it`);
  return receiptIn(block, info);
}
