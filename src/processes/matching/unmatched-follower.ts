import { unmatchedTransfersProjection } from '../../../projections/unmatched-transfers/unmatched-transfers.projection';
import type { Clock } from '../../kernel/clock';
import { systemContext } from '../../kernel/command-context';
import { everyDocument } from '../../kernel/every-document';
import { finalHeight, isReinclusionOver, type ChainProgress } from '../../kernel/finality';
import type { Entropy } from '../../kernel/entropy';
import type { Mode } from '../../kernel/event';
import type { Chain } from '../../kernel/ports/chain';
import type { Log } from '../../kernel/ports/log';
import type { ReadModels } from '../../kernel/ports/read-models';
import { NETWORKS, type NetworkId } from '../../kernel/tokens';
import type { WritePath } from '../../kernel/write-path';
import { transfers, transferStreamId } from '../../modules/transfers/transfer.decider';
import type { TransferKey } from '../../modules/transfers/transfer.events';

const POLL_MS = 10_000;
const PAGE = 200;

export type UnmatchedFollowerParts = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly chain: Chain;
  readonly readModels: ReadModels;
  readonly writes: WritePath;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly log: Log;
};

/** Takes out of the queue what a reorganisation took off the chain for good: nobody follows a transfer that belongs to no payment. */
export class UnmatchedFollower {
  /** Up to this height the chain is final and every transfer of the queue has been found on it. */
  private settledHeight = -1;
  /** Height of the head at which a transfer was first missed, by its stream. */
  private readonly missedAt = new Map<string, number>();

  constructor(private readonly parts: UnmatchedFollowerParts) {}

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

  async follow(): Promise<void> {
    const { mode, network, chain, readModels } = this.parts;
    const head = await chain.head();
    const progress = { head, finalizedHeight: await chain.finalizedHeight() };
    const finalized = finalHeight(NETWORKS[network].finality[mode].standard, progress);
    const equals = { mode, network_id: network, open: true };
    const range = { from: this.settledHeight + 1 };
    let isSettled = true;
    const query = { index: 'by_block', equals, range, limit: PAGE };
    for await (const { body } of everyDocument(readModels, unmatchedTransfersProjection, query)) {
      const { tx_hash: txHash, ordinal, block_number: height, block_hash: blockHash } = body;
      const stands = (await chain.blockAt(height))?.hash === blockHash;
      const key = { network, txHash, ordinal };
      if (stands) {
        this.missedAt.delete(transferStreamId(key));
        continue;
      }
      isSettled = false;
      await this.followVanished(key, blockHash, progress);
    }
    if (isSettled) this.settledHeight = Math.max(this.settledHeight, finalized);
  }

  /** It may come back in another block, which the scan sees, within the network's window. */
  private async followVanished(key: TransferKey, blockHash: string, progress: ChainProgress): Promise<void> {
    const { mode, network, chain, writes, clock, entropy, log } = this.parts;
    const streamId = transferStreamId(key);
    const missedAt = this.missedAt.get(streamId) ?? progress.head.number;
    this.missedAt.set(streamId, missedAt);
    if (!isReinclusionOver(NETWORKS[network], missedAt, progress)) return;
    if ((await chain.receipt(key.txHash)) !== null) return;
    log.warn({ mode, transfer: key }, 'an unmatched transfer has left the chain');
    const context = systemContext(entropy, { actor: 'watcher', mode, merchantId: null, now: clock.now() });
    await writes.execute(transfers, streamId, { type: 'reorg_out', blockHash }, context);
    this.missedAt.delete(streamId);
  }
}
