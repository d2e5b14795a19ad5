import { refuse } from '../../../vocabulary/errors';
import type { BlockReading } from '../../../kernel/ports/chain';
import { isAboutAmount, isWithoutLogs, mayBeOneBlocks } from '../evm/log-span';
import { LogSearch, type LoggedTransaction } from '../evm/log-search';
import type { Side } from '../evm/transfer-logs';
import type { ScannedRange } from '../providers/range-reader';
import { bounded, joined, NOTHING, unreadable } from '../readings';
import { ReceiptReader } from '../receipt-reader';
import { evmHex, tronTwin } from './tron-address';
import { contentsAt, headerAt, infoOf, infosOf, newest, type TronProvider } from './tron-queries';
import { transfersIn, type InfoWithLogs } from './tron-receipts';
import { heightOf, type BlockContents } from './tron-shapes';

/**
 * Finds the transfers of one contract to some addresses by one provider. A block is read whole, and its id proves its
 * transactions. In a range, the log search of the JSON-RPC interface tells the blocks to read. No other interface there
 * tells of recipients.
 */
export class TronScan {
  private readonly search: LogSearch;

  constructor(
    private readonly provider: TronProvider,
    contract: string,
    private readonly parties: readonly string[],
    side?: Side,
  ) {
    this.search = new LogSearch(provider, evmHex(contract), parties.map(evmHex), tronTwin, side);
  }

  async inBlock(hash: string, isLate: boolean): Promise<BlockReading> {
    const height = heightOf(hash);
    const block = height === null ? null : await contentsAt(this.provider, height);
    if (block?.hash !== hash) throw this.withoutBlock(hash);
    return this.parties.length === 0 ? NOTHING : bounded(await this.infos(isLate).ofBlock(block));
  }

  async inRange(from: number, to: number): Promise<ScannedRange> {
    // A node that is behind answers for future blocks as it does for empty ones.
    const solid = await newest(this.provider, 'walletsolidity');
    const end = solid.number < to ? null : await headerAt(this.provider, to);
    if (!end) throw this.withoutBlock(to);
    const infos = this.infos(true);
    const reading = await this.search.inRange(from, to, {
      prove: logged => this.prove(logged, infos),
      alone: async (height, fault) => {
        if (!mayBeReadWhole(fault)) throw fault;
        return infos.ofBlock(await this.contents(height));
      },
    });
    return { endHash: end.hash, ...bounded(reading) };
  }

  private async prove(logged: readonly LoggedTransaction[], infos: ReceiptReader<InfoWithLogs>): Promise<BlockReading> {
    const readings: BlockReading[] = [];
    for (const height of new Set(logged.map(({ block }) => block.number))) {
      const block = await this.contents(height);
      const inBlock = logged.filter(one => one.block.number === height);
      readings.push(borneOut(block, await infos.ofBlock(block), inBlock));
    }
    return joined(readings);
  }

  private infos(isLate: boolean): ReceiptReader<InfoWithLogs> {
    const { provider, search } = this;
    return new ReceiptReader(
      {
        name: provider.name,
        ofBlock: block => infosOf(provider, block, search.filter),
        inBlock: async ({ number }, txHash) => {
          const info = await infoOf(provider, txHash, search.filter);
          return info?.blockNumber === number ? info : null;
        },
        transfersOf: (info, block) => transfersIn(block, info),
      },
      isLate,
    );
  }

  private async contents(height: number): Promise<BlockContents> {
    const block = await contentsAt(this.provider, height);
    if (!block) throw this.withoutBlock(height);
    return block;
  }

  private withoutBlock(block: string | number) {
    return refuse('provider_unavailable', { message: `${this.provider.name} has not got block ${block}.` });
  }
}

/**
 * Whether a block's transactions are asked for: where logs were not asked for, or where the reason lies in the block.
 */
function mayBeReadWhole(fault: unknown): boolean {
  return fault === null || isAboutAmount(fault) || (mayBeOneBlocks(fault) && !isWithoutLogs(fault));
}

/** The block's own transactions count; a transaction on which the log search differs is unread. */
function borneOut(block: BlockContents, read: BlockReading, logged: readonly LoggedTransaction[]): BlockReading {
  const counts = new Map<string, number>();
  for (const { txHash } of read.transfers) counts.set(txHash, (counts.get(txHash) ?? 0) + 1);
  const named = new Map(logged.map(one => [one.txHash.slice(2), one]));
  const unread = new Set(read.unread.map(({ txHash }) => txHash));
  const isUnusable = (txHash: string): boolean => {
    const one = named.get(txHash);
    return !unread.has(txHash) && (!one || (one.isWhole && one.logs.length !== (counts.get(txHash) ?? 0)));
  };
  const unusable = new Set([...counts.keys(), ...named.keys()].filter(isUnusable));
  const rest = { ...read, transfers: read.transfers.filter(({ txHash }) => !unusable.has(txHash)) };
  return joined([rest, ...[...unusable].map(txHash => unreadable(block, txHash))]);
}
