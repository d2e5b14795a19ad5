import type { Clock } from '../../../kernel/clock';
import { refuse } from '../../../kernel/errors';
import type { Mode } from '../../../kernel/event';
import { invariant } from '../../../kernel/invariant';
import type { BlockHeader, Chain, ObservedTransfer, Receipt } from '../../../kernel/ports/chain';
import type { ContractReader } from '../../../kernel/ports/contract-reader';
import type { Log } from '../../../kernel/ports/log';
import { NETWORKS, TOKENS, type NetworkId, type Token } from '../../../kernel/tokens';
import { ProviderPool } from '../providers/provider-pool';
import { RangeReader } from '../providers/range-reader';
import { SystemClock } from '../../clock/system-clock';
import { connectEvm, servedChainId, type Provider } from './evm-provider';
import { blockByNumber, contractAnswer, decimalsOf, receiptOf, taggedBlock } from './evm-queries';
import { TransferFilter, transfersOf } from './transfer-logs';
import { TransferScan } from './transfer-scan';

const DEFAULT_TIMEOUT_MS = 10_000;
/** Of the hosts configured, so many must say the same. On a testnet nobody's money hangs on it. */
const QUORUM: Readonly<Record<Mode, number>> = { live: 2, test: 1 };

export type EvmChainOptions = {
  readonly network: Exclude<NetworkId, 'tron'>;
  readonly mode: Mode;
  /** JSON-RPC endpoints in order of preference. */
  readonly urls: readonly string[];
  /** Told when a provider begins to fail, and when it answers again. */
  readonly log?: Log | null;
  /** For how long a provider rests after a failure; the machine's unless told. */
  readonly clock?: Clock;
  /** For one call to one provider; 10 seconds unless told. */
  readonly timeoutMs?: number;
};

/**
 * An EVM network by plain JSON-RPC. Addresses come out as EIP-55 writes them, hashes in lower case. In live mode with several providers
 * nothing counts that only one of them says: each answer below is two providers' (see ProviderPool for what happens while one is away).
 */
export class EvmChain implements Chain, ContractReader {
  private readonly providers: ProviderPool<Provider>;
  private readonly ranges: RangeReader<Provider>;
  private readonly tokens: readonly Token[];
  private readonly mode: Mode;

  constructor({ network, mode, urls, log = null, clock, timeoutMs = DEFAULT_TIMEOUT_MS }: EvmChainOptions) {
    const chainId = NETWORKS[network].chainId?.[mode];
    invariant(chainId !== undefined, `${network} has no EIP-155 chain id`);
    this.providers = new ProviderPool({
      providers: urls.map(url => connectEvm(url, timeoutMs)),
      chain: `chain ${chainId}`,
      quorum: QUORUM[mode],
      serves: async provider => (await servedChainId(provider)) === chainId,
      inspect: provider => this.inspect(provider),
      headOf: provider => taggedBlock(provider, 'latest'),
      headerAt: blockByNumber,
      finalizedOf: async provider => (await taggedBlock(provider, 'finalized')).number,
      clock: clock ?? new SystemClock(),
      log,
    });
    this.ranges = new RangeReader(this.providers, (...parts) => new TransferScan(...parts));
    this.tokens = Object.values(TOKENS).filter(token => token.network === network);
    this.mode = mode;
  }

  /** Asks every provider. Throws Refusal invalid_token_config too. */
  check(): Promise<void> {
    return this.providers.check();
  }

  head(): Promise<BlockHeader> {
    return this.providers.head();
  }

  finalizedHeight(): Promise<number> {
    return this.providers.finalizedHeight();
  }

  blockAt(height: number): Promise<BlockHeader | null> {
    return this.providers.blockAt(height);
  }

  transfersInBlock(
    hash: string,
    contract: string,
    recipients: readonly string[],
  ): Promise<readonly ObservedTransfer[]> {
    const asked = hash.toLowerCase();
    return this.providers.agree(`the transfers in block ${asked}`, provider =>
      new TransferScan(provider, contract, recipients).inBlock(asked),
    );
  }

  transfersInRange(
    from: number,
    to: number,
    contract: string,
    recipients: readonly string[],
  ): Promise<readonly ObservedTransfer[]> {
    return this.ranges.read(from, to, contract, recipients);
  }

  /** Transfers of this network's approved tokens only. */
  receipt(txHash: string): Promise<Receipt | null> {
    return this.providers.agreeInFull(`the receipt of ${txHash}`, provider => this.receiptFrom(provider, txHash));
  }

  agreedHash(height: number): Promise<string | null> {
    return this.providers.agreedHash(height);
  }

  secondReceipt(txHash: string): Promise<Receipt | null> {
    return this.providers.second(`the receipt of ${txHash}`, provider => this.receiptFrom(provider, txHash));
  }

  readContract(address: string, data: string): Promise<string | null> {
    return this.providers.agreeInFull(`what ${address} answers`, provider => contractAnswer(provider, address, data));
  }

  private async receiptFrom(provider: Provider, txHash: string): Promise<Receipt | null> {
    const receipt = await receiptOf(provider, txHash.toLowerCase());
    if (!receipt) return null;
    const { blockNumber, blockHash } = receipt;
    const succeeded = receipt.status === 1;
    const approved = this.tokens.map(token => token.contract[this.mode]);
    const transfers = succeeded ? transfersOf(receipt, new TransferFilter(approved, null)) : [];
    return { succeeded, blockNumber, blockHash, transfers };
  }

  private async inspect(provider: Provider): Promise<void> {
    for (const { id, contract, decimals } of this.tokens) {
      const found = await decimalsOf(provider, contract[this.mode]);
      if (found === BigInt(decimals)) continue;
      const fault = found === null ? 'is no ERC-20 contract' : `has ${found} decimals, not ${decimals}`;
      throw refuse('invalid_token_config', { param: id, message: `${id} ${fault}, says ${provider.name}.` });
    }
  }
}
