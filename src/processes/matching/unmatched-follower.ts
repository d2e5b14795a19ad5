import { BoundedMap } from '../../kernel/bounded-map';
import { isoTime, MINUTE_MS, type Clock } from '../../kernel/clock';
import { everyDocument } from '../../kernel/every-document';
import { finalHeight, isReinclusionOver, type ChainProgress } from '../../vocabulary/finality';
import type { JsonValue } from '../../vocabulary/json';
import type { Mode } from '../../vocabulary/modes';
import { repeat } from '../../kernel/jobs';
import { outageOf } from '../../kernel/outage';
import type { BlockHeader, Chain, Receipt } from '../../kernel/ports/chain';
import type { Documents, ListQuery } from '../../kernel/ports/documents';
import type { IndexProgress } from '../../kernel/ports/index-progress';
import type { Log } from '../../kernel/ports/log';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { SystemCommands } from '../../kernel/system-commands';
import { NETWORKS, type NetworkId } from '../../vocabulary/networks';
import { transfers, transferStreamId } from '../../modules/transfers/transfer.decider';
import {
  keyOfRow,
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

/** Longer than one process's wall clock may be behind another's. */
const LOOK_BACK_MS = 10 * MINUTE_MS;
/** Transfers that were found in a final block, and are remembered; others are looked at once more. */
const FOUND_LIMIT = 20_000;

/** The transfers above the checked block come first, then those recorded since that block was checked. */
type Part = 'above' | 'since';

/** A look at all of the queue that was not looked at before. The look may take many rounds. */
type Pass = {
  /** The last block that was final as the pass began; null where none was. */
  readonly newest: BlockHeader | null;
  readonly begunAtMs: number;
  part: Part | null;
  /** The last transfer of the part that was looked at; null before the first one. */
  after: ListQuery['after'] | null;
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
  /** Transfers in their blocks, which are not above the checked one. */
  private readonly found = new BoundedMap<string, true>(FOUND_LIMIT);
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
    const onFault = (error: unknown): void =>
      log.warn({ mode, network, err: error }, 'unmatched transfers could not be followed');
    await repeat(() => this.follow(), { everyMs: POLL_MS, clock, onFault }, signal);
  }

  /** Goes on at the end of the round before. */
  async follow(): Promise<void> {
    const { mode, network, chain, progress: index, clock, log } = this.parts;
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
    const begunAtMs = clock.now();
    const pass = (this.pass ??= { newest, begunAtMs, part: 'above', after: null, missing: new Set(), isListed });
    pass.isListed &&= isListed;
    let [read, faults] = [0, 0];
    for await (const { id, body, after } of this.rowsOf(pass)) {
      if (asked >= MOST_ASKED || read >= MOST_READ) return;
      read += 1;
      try {
        if (this.isKnownHere(pass, body)) {
          pass.after = after;
          continue;
        }
        const isFinal = body.block_number <= finalized;
        // A transfer of a final block is looked at no more, so the word of one provider, on a fork, is not enough.
        const standing = isFinal ? await agreedHash(body.block_number) : (await blockAt(body.block_number))?.hash;
        if (standing === body.block_hash) {
          // The count ends at once: a round that fails later must not leave the transfer counted as missed since the
          // first time.
          this.missedAt.delete(placeOf(body));
          if (isFinal) this.found.set(placeOf(body), true);
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
      pass.after = after;
      if (faults >= FAULTS_A_ROUND) return;
    }
    await this.end(pass);
  }

  /** The rows that the pass has not looked at, each with its place in the pass's part. */
  private async *rowsOf(pass: Pass) {
    const { mode, network, readModels } = this.parts;
    const { checked } = this;
    const equals = { mode, network_id: network, open: true };
    for (; pass.part !== null; pass.part = pass.part === 'above' && checked ? 'since' : null, pass.after = null) {
      const isAbove = pass.part === 'above';
      const since = isoTime((checked?.at_ms ?? 0) - LOOK_BACK_MS);
      const range = { from: isAbove ? (checked?.number ?? -1) + 1 : since };
      const behind = pass.after ? { after: pass.after } : {};
      const query = { index: isAbove ? 'by_block' : 'by_recorded', equals, range, limit: PAGE, ...behind };
      for await (const { id, body } of everyDocument(readModels, unmatchedTransfersReadModel, query)) {
        const after: Record<string, JsonValue> = { id };
        if (isAbove) after.block_number = body.block_number;
        else after.recorded_at = body.recorded_at;
        yield { id, body, after };
      }
    }
  }

  /** A slow process may record lately what it saw in a block that was replaced long ago. Others are known. */
  private isKnownHere({ part }: Pass, row: UnmatchedTransferDocument): boolean {
    return part === 'since' && (row.block_number > (this.checked?.number ?? -1) || this.found.has(placeOf(row)));
  }

  private async end({ newest, begunAtMs, missing, isListed }: Pass): Promise<void> {
    this.pass = null;
    // A transfer that was given to a payment meanwhile is awaited no more.
    for (const place of this.missedAt.keys()) if (!missing.has(place)) this.missedAt.delete(place);
    // A transfer that the list lacks may be of any block, and is looked at once the list has it.
    const isFollowed = isListed && missing.size === 0;
    if (!isFollowed || newest === null || newest.number <= (this.checked?.number ?? -1)) return;
    this.checked = { number: newest.number, hash: newest.hash, at_ms: begunAtMs };
    if (this.parts.clock.now() < (this.keptAtMs ?? -Infinity) + KEEP_EVERY_MS) return;
    await this.kept.keep(this.checked);
    this.keptAtMs = this.parts.clock.now();
  }

  /** Even a final block may be replaced: then all is looked at again. */
  private async forgetReplaced(blockAt: Chain['blockAt']): Promise<void> {
    if (this.checked === null) return;
    const now = await blockAt(this.checked.number);
    if (now === null || now.hash === this.checked.hash) return;
    this.checked = null;
    this.found.clear();
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
    const key = keyOfRow(row);
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

function placeOf(row: UnmatchedTransferDocument): string {
  return `${transferStreamId(keyOfRow(row))} ${row.block_hash}`;
}

function bearsOut(
  { succeeded, transfers: logged }: Receipt,
  { ordinal, address, value_base_units: value }: UnmatchedTransferDocument,
): boolean {
  const own = logged.find(transfer => transfer.ordinal === ordinal);
  return succeeded && own?.to === address && own.valueBaseUnits.toString() === value;
}
