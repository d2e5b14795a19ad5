import { refuse } from '../../../kernel/errors';
import type { ObservedTransfer } from '../../../kernel/ports/chain';
import { LogSearch } from '../evm/log-search';
import type { RawLog } from '../evm/rpc-shapes';
import { invalidResponse } from '../http-post';
import type { ScannedRange } from '../providers/range-reader';
import { evmHex } from './tron-address';
import { contentsAt, headerAt, infosOf, newest, type TronProvider } from './tron-queries';
import { logsIn, receiptIn } from './tron-receipts';
import { heightOf, type BlockContents, type TransactionInfo } from './tron-shapes';

/**
 * Finds the transfers of one contract to some addresses by one provider. A block is read whole, its id vouching for its transactions;
 * in a range, the log search of the JSON-RPC interface says which blocks to read, as nothing else there tells of recipients.
 */
export class TronScan {
  private readonly search: LogSearch;

  constructor(
    private readonly provider: TronProvider,
    contract: string,
    private readonly recipients: readonly string[],
  ) {
    this.search = new LogSearch(provider, evmHex(contract), recipients.map(evmHex));
  }

  async inBlock(hash: string): Promise<readonly ObservedTransfer[]> {
    const height = heightOf(hash);
    const block = height === null ? null : await contentsAt(this.provider, height);
    if (block?.hash !== hash) throw this.missing(hash);
    return this.recipients.length === 0 ? [] : this.transfersIn(block, await this.relevantIn(block));
  }

  async inRange(from: number, to: number): Promise<ScannedRange> {
    // A node that is behind answers for blocks it has yet to see as it does for empty ones.
    const solid = await newest(this.provider, 'walletsolidity');
    const end = solid.number < to ? null : await headerAt(this.provider, to);
    if (!end) throw this.missing(to);
    return { endHash: end.hash, transfers: await this.search.inRange(from, to, logs => this.prove(logs)) };
  }

  private async prove(logs: readonly RawLog[]): Promise<readonly ObservedTransfer[]> {
    const proven: ObservedTransfer[] = [];
    for (const height of new Set(logs.map(({ blockNumber }) => blockNumber))) {
      const block = await contentsAt(this.provider, height);
      if (!block) throw this.missing(height);
      const relevant = await this.relevantIn(block);
      const count = relevant.reduce((sum, info) => sum + this.passing(block, info), 0);
      const logged = logs.filter(({ blockNumber }) => blockNumber === height);
      if (count !== logged.length)
        throw invalidResponse('eth_getLogs', `disagrees with the transactions of block ${height}`);
      proven.push(...this.transfersIn(block, relevant));
    }
    return proven;
  }

  /** Other contracts' transactions are not judged: however strange, they hide no transfer. */
  private async relevantIn(block: BlockContents): Promise<readonly TransactionInfo[]> {
    const infos = await infosOf(this.provider, block);
    return infos.filter(info => this.passing(block, info) > 0);
  }

  private passing(block: BlockContents, info: TransactionInfo): number {
    return logsIn(block, info).filter(log => this.search.filter.passes(log, 'gettransactioninfo')).length;
  }

  private transfersIn(block: BlockContents, relevant: readonly TransactionInfo[]): readonly ObservedTransfer[] {
    return relevant.flatMap(info => receiptIn(block, info, this.search.filter).transfers);
  }

  private missing(block: string | number) {
    return refuse('provider_unavailable', { message: `${this.provider.name} has not got block ${block}.` });
  }
}
