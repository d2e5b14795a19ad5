import { MINUTE_MS, type Clock } from '../../kernel/clock';
import { everyDocument } from '../../kernel/every-document';
import { finalHeight, isReinclusionOver, type ChainProgress } from '../../vocabulary/finality';
import type { Mode } from '../../vocabulary/modes';
import { outageOf } from '../../kernel/outage';
import type { BlockHeader, Chain, Receipt } from '../../kernel/ports/chain';
import type { Documents } from '../../kernel/ports/documents';
import type { IndexProgress } from '../../kernel/ports/index-progress';
import type { Log } from '../../kernel/ports/log';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { SystemCommands } from '../../kernel/system-commands';
import { NETWORKS, type NetworkId } from '../../vocabulary/networks';
import { transfers, transferStreamId } from '../../modules/transfers/transfer.decider';
import type { TransferKey } from '../../modules/transfers/transfer.events';
import {
  unmatchedTransfersReadModel,
  type UnmatchedTransferDocument,
} from '../../modules/transfers/unmatched-transfers.read-model';
import { CheckedBlock, type KnownBlock } from './checked-block';
import type { TransferClaims } from './transfer-claims';

const POLL_MS = 10_000;
const PAGE = 200;
/** A restart looks again at the transfers of so long. */
const KEEP_EVERY_MS = MINUTE_MS;
/** Blocks and receipts for which one round asks, give or take those of its last transfer. */
const MOST_ASKED = 300;
/** Transfers that one round reads. */
const MOST_READ = 2_000;
/** Rows of a round that may fail: with a provider that is away, each of them does. */
const FAULTS_A_ROUND = 2;
/** Missed transfers that are awaited at once; the window of any other begins when one of them has been answered. */
const MISSED_LIMIT = 10_000;

/** A look at all of the queue above the checked block. The look may take many rounds. */
type Pass = {
  /** The last block that was final as the pass began; null where none was. */
  readonly newest: BlockHeader | null;
  /** The last transfer that was looked at; null before the first one. */
  after: { readonly block_number: number; readonly id: string } | null;
  readonly missing: Set<string>;
  /** Whether the list lacked nothing in each round so far. */
  isListed: boolean;
};

export type UnmatchedFollowerParts = {
  readonly mode: Mode;
  readonly network: NetworkId;
  /** The chain's own name: a local chain may be another one after a restart. */
  readonly instance: string;
  readonly chain: Chain;
  readonly documents: Pick<Documents, 'open'>;
  readonly readModels: ReadModels;
  readonly progress: IndexProgress;
  readonly commands: SystemCommands;
  readonly claims: TransferClaims;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * Takes out of the queue the transfers that a reorganisation took off the chain for good. A transfer that belongs to no
 * payment has no other follower.
 */
export class UnmatchedFollower {
  /**
   * The chain was final up to this block, and every transfer of the queue was on it. Null while no such block is known.
   */
  private checked: KnownBlock | null = null;
  private readonly kept: CheckedBlock;
  /** The moment of the last write of the checked block; null before the first reading of it. */
  private keptAtMs: number | null = null;
  private pass: Pass | null = null;
  /** The head's height at which a transfer was first missed, by its stream and its block. */
  private readonly missedAt = new Map<string, number>();

  constructor(private readonly parts: UnmatchedFollowerParts) {
    this.kept = new CheckedBlock(parts.documents, parts);
  }

  /** Resolves when `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log, mode, network } = this.parts;
    while (!signal.aborted) {
      try {
        await this.follow();
      } catch (error) {
        log.warn({ mode, network, err: error }, 'unmatched transfers could not be followed');
      }
      await clock.wait(POLL_MS, signal);
    }
  }

  /** Goes on at the end of the round before. */
  async follow(): Promise<void> {
    const { mode, network, chain, readModels, progress: index, log } = this.parts;
    const listed = await index.head();
    const isListed = await index.holds(unmatchedTransfersReadModel, listed);
    const head = await chain.head();
    const progress = { head, finalizedHeight: await chain.finalizedHeight() };
    let asked = 0;
    // Rows come by their heights: a block with hundreds of unmatched transfers is asked for once.
    const blockAt = onceAHeight(height => {
      asked += 1;
      return chain.blockAt(height);
    });
    const agreedHash = onceAHeight(height => {
      asked += 1;
      return chain.agreedHash(height);
    });
    const finalized = finalHeight(NETWORKS[network].finality[mode].standard, progress);
    const newest = finalized < 0 ? null : await blockAt(finalized);
    if (this.keptAtMs === null) this.checked = await this.kept.read();
    this.keptAtMs ??= -Infinity;
    await this.forgetReplaced(blockAt);
    const pass = (this.pass ??= { newest, after: null, missing: new Set(), isListed });
    pass.isListed &&= isListed;
    const range = { from: this.checked === null ? 0 : this.checked.number + 1 };
    const equals = { mode, network_id: network, open: true };
    const query = { index: 'by_block', equals, range, limit: PAGE, ...(pass.after && { after: pass.after }) };
    let [read, faults] = [0, 0];
    for await (const { id, body } of everyDocument(readModels, unmatchedTransfersReadModel, query)) {
      if (asked >= MOST_ASKED || read >= MOST_READ) return;
      read += 1;
      try {
        if ((await blockAt(body.block_number))?.hash === body.block_hash) {
          // The count ends at once: a round that fails later must not leave the transfer counted as missed since the
          // first time.
          this.missedAt.delete(placeOf(body));
        } else {
          pass.missing.add(placeOf(body));
          asked += 1;
          await this.followVanished(body, progress, agreedHash);
        }
      } catch (error) {
        if (outageOf(error) === 'engine') throw error;
        // One row without an answer must not keep the rows behind it from being followed.
        pass.missing.add(placeOf(body));
        faults += 1;
        log.warn({ mode, network, id, err: error }, 'an unmatched transfer could not be followed');
      }
      pass.after = { block_number: body.block_number, id };
      if (faults >= FAULTS_A_ROUND) return;
    }
    await this.end(pass);
  }

  private async end({ newest, missing, isListed }: Pass): Promise<void> {
    this.pass = null;
    // A transfer that was given to a payment meanwhile is awaited no more.
    for (const place of this.missedAt.keys()) if (!missing.has(place)) this.missedAt.delete(place);
    // A transfer that the list lacks may be of any block, and is looked at once the list has it.
    const isFollowed = isListed && missing.size === 0;
    if (!isFollowed || newest === null || newest.number <= (this.checked?.number ?? -1)) return;
    this.checked = newest;
    if (this.parts.clock.now() < (this.keptAtMs ?? -Infinity) + KEEP_EVERY_MS) return;
    await this.kept.keep(newest);
    this.keptAtMs = this.parts.clock.now();
  }

  /** Even a final block may be replaced: then all is looked at again. */
  private async forgetReplaced(blockAt: Chain['blockAt']): Promise<void> {
    if (this.checked === null) return;
    const now = await blockAt(this.checked.number);
    if (now === null || now.hash === this.checked.hash) return;
    this.checked = null;
    this.pass = null;
    await this.kept.keep(null);
  }

  /** The transfer may come back in another block within the network's window; the scan sees that block. */
  private async followVanished(
    row: UnmatchedTransferDocument,
    progress: ChainProgress,
    agreedHashAt: Chain['agreedHash'],
  ): Promise<void> {
    const { mode, network, chain, commands, log } = this.parts;
    const key = keyOf(row);
    const before = this.missedAt.get(placeOf(row));
    if (before === undefined && this.missedAt.size >= MISSED_LIMIT) return;
    const missedAt = before ?? progress.head.number;
    this.missedAt.set(placeOf(row), missedAt);
    if (!isReinclusionOver(NETWORKS[network], missedAt, progress)) return;
    const agreedHash = await agreedHashAt(row.block_number);
    // One provider that is behind, or on a fork, takes nothing away.
    if (agreedHash === null || agreedHash === row.block_hash) return;
    const receipt = await chain.receipt(key.txHash);
    // Where the transfer is back in a block, the scan may have seen it before its replaced place was recorded.
    // Otherwise the transaction failed there, or paid otherwise, and that may be final.
    const finalized = finalHeight(NETWORKS[network].finality[mode].standard, progress);
    if (receipt !== null && bearsOut(receipt, row)) {
      await this.parts.claims.observe({ mode, cause: null }, key);
      return;
    }
    if (receipt !== null && receipt.blockNumber > finalized) return;
    log.warn({ mode, transfer: key }, 'an unmatched transfer has left the chain');
    const gone = { type: 'reorg_out', blockHash: row.block_hash } as const;
    await commands
      .of('matching')
      .execute(transfers, transferStreamId(key), () => ({ command: gone, actor: 'watcher' }), { mode, cause: null });
    this.missedAt.delete(placeOf(row));
  }
}

/** Keeps the answer for the height last asked. */
function onceAHeight<T>(ask: (height: number) => Promise<T>): (height: number) => Promise<T> {
  let last: { readonly height: number; readonly answer: T } | null = null;
  return async height => {
    if (last?.height === height) return last.answer;
    const answer = await ask(height);
    last = { height, answer };
    return answer;
  };
}

function keyOf({ network_id: network, tx_hash: txHash, ordinal }: UnmatchedTransferDocument): TransferKey {
  return { network, txHash, ordinal };
}

function placeOf(row: UnmatchedTransferDocument): string {
  return `${transferStreamId(keyOf(row))} ${row.block_hash}`;
}

function bearsOut(
  { succeeded, transfers: logged }: Receipt,
  { ordinal, address, value_base_units: value }: UnmatchedTransferDocument,
): boolean {
  const own = logged.find(transfer => transfer.ordinal === ordinal);
  return succeeded && own?.to === address && own.valueBaseUnits.toString() === value;
}
