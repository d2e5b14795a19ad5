import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { parseIsoTime } from '../../kernel/clock';
import type { PlatformContext } from '../../kernel/command-context';
import type { Mode } from '../../vocabulary/modes';
import { outageOf } from '../../kernel/outage';
import type { Log } from '../../kernel/ports/log';
import { TOKENS } from '../../vocabulary/tokens';
import type { NetworkId } from '../../vocabulary/networks';
import type { WatchPolicy } from '../../vocabulary/watch-policy';
import type { WritePath } from '../../kernel/write-path';
import { deferredTransfers, requireGivingUp } from '../../modules/coverage/deferred-transfer.decider';
import type { TransferDeferred } from '../../modules/coverage/deferred-transfer.events';
import { GiveUpDeferredTransfer } from '../../modules/coverage/give-up-deferred-transfer.command';
import type { Sighting } from './sighting';
import type { TransferMatching } from './transfer-matching';

type GivingUpParts = {
  readonly writes: WritePath;
  readonly matching: Pick<TransferMatching, 'queue'>;
  readonly policyOf: (mode: Mode, network: NetworkId) => Pick<WatchPolicy, 'paidAt'>;
  readonly log: Log;
};

/** Ends, for good, the wait of a deferred transfer that could not be placed. */
export class GivingUp {
  constructor(private readonly parts: GivingUpParts) {}

  /**
   * True where the transfer lies in the unmatched queue then. Throws Refusal resource_missing, invalid_reason or
   * invalid_state_transition.
   */
  async giveUp(id: string, reason: string, context: PlatformContext<Mode>): Promise<boolean> {
    const { writes } = this.parts;
    const command = { type: 'give_up', reason } as const;
    // The refusal comes before anything is written. The queue comes first: a transfer that waits no more must have its
    // place.
    const read = await writes.executePlan(
      deferredTransfers,
      id,
      ({ state: known }) => {
        requireGivingUp(reason, known, context);
        return null;
      },
      context,
    );
    const { state } = read;
    const isQueued = state.status !== 'none' && (await this.isPutInQueue(context.universe, state.transfer));
    await writes.execute(deferredTransfers, id, command, context, read);
    return isQueued;
  }

  /**
   * False where a fault of the transfer's own, or a former claim, keeps it out of the queue. An outage's error is
   * thrown on.
   */
  private async isPutInQueue(mode: Mode, deferred: TransferDeferred['data']): Promise<boolean> {
    const { matching, log } = this.parts;
    try {
      await matching.queue(this.sightingOf(mode, deferred), 'given_up');
      return true;
    } catch (error) {
      if (outageOf(error) !== null) throw error;
      log.warn({ mode, tx_hash: deferred.tx_hash, err: error }, 'the queue cannot take the transfer');
      return false;
    }
  }

  private sightingOf(mode: Mode, deferred: TransferDeferred['data']): Sighting {
    const token = TOKENS[deferred.token_id];
    const { paidAt: countsFrom } = this.parts.policyOf(mode, token.network);
    const paidAt = countsFrom === 'first_sight' ? deferred.seen_at : deferred.block_time;
    const transfer = {
      txHash: deferred.tx_hash,
      ordinal: deferred.ordinal,
      contract: token.contract[mode],
      from: deferred.from,
      to: deferred.to,
      valueBaseUnits: BigInt(deferred.value_base_units),
      blockNumber: deferred.block_number,
      blockHash: deferred.block_hash,
    };
    const block = { timeMs: parseIsoTime(deferred.block_time) };
    return { mode, token, transfer, block, paidAtMs: parseIsoTime(paidAt) };
  }
}

@CommandHandler(GiveUpDeferredTransfer)
export class GiveUpDeferredTransferHandler implements ICommandHandler<GiveUpDeferredTransfer> {
  constructor(private readonly givingUp: GivingUp) {}

  execute({ deferral, reason, context }: GiveUpDeferredTransfer): Promise<boolean> {
    return this.givingUp.giveUp(deferral, reason, context);
  }
}
