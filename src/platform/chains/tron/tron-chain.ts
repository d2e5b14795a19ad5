import type { Clock } from '../../../kernel/clock';
import { refuse } from '../../../kernel/errors';
import type { Mode } from '../../../kernel/event';
import type { BlockHeader, Chain, ObservedTransfer, Receipt } from '../../../kernel/ports/chain';
import type { ContractReader } from '../../../kernel/ports/contract-reader';
import type { Log } from '../../../kernel/ports/log';
import { TOKENS, type Token } from '../../../kernel/tokens';
import { SystemClock } from '../../clock/system-clock';
import { contractAnswer } from '../evm/evm-queries';
import { TransferFilter } from '../evm/transfer-logs';
import { invalidResponse } from '../http-post';
import { ProviderPool } from '../providers/provider-pool';
import { RangeReader } from '../providers/range-reader';
import { evmHex } from './tron-address';
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

/** The mainnet's and Nile's, as the ends of their first blocks' ids. */
export const TRON_CHAIN_IDS: Readonly<Record<Mode, number>> = { live: 0x2b6653dc, test: 0xcd8690dc };

const DEFAULT_TIMEOUT_MS = 10_000;
/** Of the hosts configured, so many must say the same. On a testnet nobody's money hangs on it. */
const QUORUM: Readonly<Record<Mode, number>> = { live: 2, test: 1 };

export type TronChainOptions = {
  readonly mode: Mode;
  /** What each full node's `/wallet`, `/walletsolidity` and `/jsonrpc` stand under, in order of preference. */
  readonly urls: readonly string[];
  /** Sent along to a URL; they may hold its key. None unless told. */
  readonly headersFor?: (url: string) => Readonly<Record<string, string>>;
  /** Told when a provider begins to fail, and when it answers again. */
  readonly log?: Log | null;
  /** For how long a provider rests after a failure; the machine's unless told. */
  readonly clock?: Clock;
  /** For one call to one provider; 10 seconds unless told. */
  readonly timeoutMs?: number;
};

/**
 * TRON by full nodes' HTTP interfaces. Addresses come out in base58check, hashes as 64 hex digits in lower case without 0x. In live mode
 * with several providers nothing counts that only one of them says (see ProviderPool for what happens while one is away).
 */
export class TronChain implements Chain, ContractReader {
  private readonly providers: ProviderPool<TronProvider>;
  private readonly ranges: RangeReader<TronProvider>;
  private readonly tokens: readonly Token[];
  private readonly mode: Mode;

  constructor(options: TronChainOptions) {
    const { mode, urls, headersFor = () => ({}), log = null, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
    const chainId = TRON_CHAIN_IDS[mode];
    this.providers = new ProviderPool({
      providers: urls.map(url => connectTron(url, timeoutMs, headersFor(url))),
      chain: `TRON chain 0x${chainId.toString(16)}`,
      quorum: QUORUM[mode],
      serves: provider => servesChain(provider, chainId),
      inspect: provider => this.inspect(provider),
      headOf: provider => newest(provider, 'wallet'),
      headerAt,
      finalizedOf: async provider => (await newest(provider, 'walletsolidity')).number,
      clock: options.clock ?? new SystemClock(),
      log,
    });
    this.ranges = new RangeReader(this.providers, (...parts) => new TronScan(...parts));
    this.tokens = Object.values(TOKENS).filter(token => token.network === 'tron');
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
    return this.providers.agree(`the transfers in block ${hash}`, provider =>
      new TronScan(provider, contract, recipients).inBlock(hash),
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
    return this.providers.agreeInFull(`what ${address} answers`, provider =>
      contractAnswer(provider, evmHex(address), data),
    );
  }

  private async receiptFrom(provider: TronProvider, txHash: string): Promise<Receipt | null> {
    const info = await infoOf(provider, txHash.toLowerCase());
    if (!info) return null;
    const block = await contentsAt(provider, info.blockNumber);
    // The answer names a height only: a reorganisation between the two questions must not put the transaction into another block.
    if (!block?.txIds.includes(info.id))
      throw invalidResponse('/wallet/gettransactioninfobyid', `puts ${info.id} into a block without it`);
    const approved = this.tokens.map(token => evmHex(token.contract[this.mode]));
    return receiptIn(block, info, new TransferFilter(approved, null));
  }

  private async inspect(provider: TronProvider): Promise<void> {
    for (const { id, contract, decimals } of this.tokens) {
      const found = await decimalsOf(provider, contract[this.mode]);
      if (found === BigInt(decimals)) continue;
      const fault = found === null ? 'is no TRC-20 contract' : `has ${found} decimals, not ${decimals}`;
      throw refuse('invalid_token_config', { param: id, message: `${id} ${fault}, says ${provider.name}.` });
    }
  }
}
