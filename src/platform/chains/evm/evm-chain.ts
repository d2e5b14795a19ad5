import { invariant } from '../../../kernel/invariant';
import type { Receipt } from '../../../kernel/ports/chain';
import { familyOf, NETWORKS, type NetworkId } from '../../../vocabulary/networks';
import type { Dialect } from '../providers/dialect';
import { DEFAULT_TIMEOUT_MS, PooledChain, type ChainOptions } from '../providers/pooled-chain';
import { balanceAt } from './evm-balances';
import { connectEvm, servedChainId, type Provider } from './evm-provider';
import { blockByNumber, contractAnswer, decimalsOf, receiptOf, taggedBlock } from './evm-queries';
import { TransferFilter } from './transfer-logs';
import { TransferScan } from './transfer-scan';

/** `network` is of the family `evm`. */
type EvmChainOptions = ChainOptions & { readonly network: NetworkId };

/** An EVM network by plain JSON-RPC. Addresses come out as EIP-55 writes them, hashes in lower case. */
export class EvmChain extends PooledChain<Provider> {
  constructor({ network, ...options }: EvmChainOptions) {
    const { mode, urls, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
    const chainId = NETWORKS[network].chainId[mode];
    invariant(familyOf(network) === 'evm', `${network} has no EIP-155 chain id`);
    const dialect: Dialect<Provider> = {
      network,
      chain: `chain ${chainId}`,
      tokenStandard: 'ERC-20',
      serves: async provider => (await servedChainId(provider)) === chainId,
      decimalsOf,
      headOf: provider => taggedBlock(provider, 'latest'),
      headerAt: blockByNumber,
      finalizedOf: async provider => (await taggedBlock(provider, 'finalized')).number,
      scan: (...parts) => new TransferScan(...parts),
      receiptOf: (provider, txHash, contracts, parties, mostBytes, side) =>
        receiptFrom(provider, txHash, new TransferFilter(contracts, parties, undefined, side), mostBytes),
      contractAnswer,
      balanceOf: balanceAt,
    };
    super(
      dialect,
      urls.map(url => connectEvm(url, timeoutMs)),
      options,
    );
  }
}

async function receiptFrom(
  provider: Provider,
  txHash: string,
  filter: TransferFilter,
  mostBytes?: number,
): Promise<Receipt | null> {
  const receipt = await receiptOf(provider, txHash, filter, mostBytes);
  if (!receipt) return null;
  const { blockNumber, blockHash } = receipt;
  const succeeded = receipt.status === 1;
  return { succeeded, blockNumber, blockHash, transfers: succeeded ? receipt.transferLogs.observed(receipt) : [] };
}
