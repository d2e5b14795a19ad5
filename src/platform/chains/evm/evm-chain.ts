import { refuse } from '../../../kernel/errors';
import type { Mode } from '../../../kernel/event';
import { invariant } from '../../../kernel/invariant';
import type { BlockHeader, Chain, ObservedTransfer, Receipt } from '../../../kernel/ports/chain';
import type { ContractReader } from '../../../kernel/ports/contract-reader';
import type { Log } from '../../../kernel/ports/log';
import { NETWORKS, TOKENS, type NetworkId, type Token } from '../../../kernel/tokens';
import { blockByNumber, contractAnswer, decimalsOf, receiptOf, taggedBlock } from './evm-queries';
import { ProviderPool } from './provider-pool';
import { TransferFilter, transfersOf } from './transfer-logs';
import { TransferScan } from './transfer-scan';

const DEFAULT_TIMEOUT_MS = 10_000;
/** A longer range is the caller's to cut, so that it can record how far it came. */
const MAX_RANGE_BLOCKS = 10_000;

export type EvmChainOptions = {
  readonly network: Exclude<NetworkId, 'tron'>;
  readonly mode: Mode;
  /** JSON-RPC endpoints in order of preference. */
  readonly urls: readonly string[];
  /** Told when a provider begins to fail, and when it answers again. */
  readonly log?: Log | null;
  /** For one call to one provider; 10 seconds unless told. */
  readonly timeoutMs?: number;
};

/** An EVM network by plain JSON-RPC. Addresses come out as EIP-55 writes them, hashes in lower case. */
export class EvmChain implements Chain, ContractReader {
  private readonly providers: ProviderPool;
  private readonly tokens: readonly Token[];
  private readonly mode: Mode;

  constructor({ network, mode, urls, log = null, timeoutMs = DEFAULT_TIMEOUT_MS }: EvmChainOptions) {
    const chainId = NETWORKS[network].chainId?.[mode];
    invariant(chainId !== undefined, `${network} has no EIP-155 chain id`);
    this.providers = new ProviderPool({ urls, chainId, timeoutMs, log });
    this.tokens = Object.values(TOKENS).filter(token => token.network === network);
    this.mode = mode;
  }

  /** Asks every provider. Throws Refusal invalid_token_config too. */
  check(): Promise<void> {
    return this.providers.runOnEach(async provider => {
      for (const { id, contract, decimals } of this.tokens) {
        const found = await decimalsOf(provider, contract[this.mode]);
        if (found === BigInt(decimals)) continue;
        const fault = found === null ? 'is no ERC-20 contract' : `has ${found} decimals, not ${decimals}`;
        throw refuse('invalid_token_config', { param: id, message: `${id} ${fault}, says ${provider.name}.` });
      }
    });
  }

  head(): Promise<BlockHeader> {
    return this.providers.run(provider => taggedBlock(provider, 'latest'));
  }

  async finalizedHeight(): Promise<number> {
    const block = await this.providers.run(provider => taggedBlock(provider, 'finalized'));
    return block.number;
  }

  blockAt(height: number): Promise<BlockHeader | null> {
    return this.providers.run(provider => blockByNumber(provider, height));
  }

  transfersInBlock(
    hash: string,
    contract: string,
    recipients: readonly string[],
  ): Promise<readonly ObservedTransfer[]> {
    return this.providers.run(provider => new TransferScan(provider, contract, recipients).inBlock(hash.toLowerCase()));
  }

  transfersInRange(
    from: number,
    to: number,
    contract: string,
    recipients: readonly string[],
  ): Promise<readonly ObservedTransfer[]> {
    invariant(to - from < MAX_RANGE_BLOCKS, `a range of more than ${MAX_RANGE_BLOCKS} blocks`);
    return this.providers.run(provider => new TransferScan(provider, contract, recipients).inRange(from, to));
  }

  /** Transfers of this network's approved tokens only. */
  receipt(txHash: string): Promise<Receipt | null> {
    const approved = this.tokens.map(token => token.contract[this.mode]);
    return this.providers.run(async provider => {
      const receipt = await receiptOf(provider, txHash.toLowerCase());
      if (!receipt) return null;
      const { blockNumber, blockHash } = receipt;
      const succeeded = receipt.status === 1;
      const transfers = succeeded ? transfersOf(receipt, new TransferFilter(approved, null)) : [];
      return { succeeded, blockNumber, blockHash, transfers };
    });
  }

  async agreedHash(height: number): Promise<string | null> {
    return (await this.blockAt(height))?.hash ?? null;
  }

  secondReceipt(txHash: string): Promise<Receipt | null> {
    return this.receipt(txHash);
  }

  readContract(address: string, data: string): Promise<string | null> {
    return this.providers.run(provider => contractAnswer(provider, address, data));
  }
}
