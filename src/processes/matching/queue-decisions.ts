import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { PlatformContext } from '../../kernel/command-context';
import { refuse } from '../../vocabulary/errors';
import type { RecordedEvent } from '../../kernel/event';
import type { Mode } from '../../vocabulary/modes';
import type { MerchantClocks } from '../../kernel/merchant-clocks';
import type { WritePath } from '../../kernel/write-path';
import { claimRefusal } from '../../modules/payment-intents/payment-intent.claimable';
import { paymentIntents } from '../../modules/payment-intents/payment-intent.decider';
import { ReopenUnmatchedTransfer } from '../../modules/transfers/commands/reopen-unmatched-transfer.command';
import { ResolveUnmatchedTransfer } from '../../modules/transfers/commands/resolve-unmatched-transfer.command';
import { isToItself } from '../../modules/transfers/named-transfer';
import { transfers, transferStreamId } from '../../modules/transfers/transfer.decider';
import { changedSince, isSameSighting } from '../../modules/transfers/transfer.sightings';
import type { TransferEvent, TransferKey, TransferSeen } from '../../modules/transfers/transfer.events';
import { lateForPayment } from './attribution';
import type { DecisionLooks } from './decision-looks';
import type { TransferCredit } from './transfer-credit';
import { isAfterQuote, isAfterWindow, paidAtMs, type WatchedChains } from './transfer-moment';

/** The decisions of administrators in the queue of unmatched transfers. */
export class QueueDecisions {
  constructor(
    private readonly writes: WritePath,
    private readonly clock: MerchantClocks,
    private readonly credits: TransferCredit,
    private readonly watched: WatchedChains,
    private readonly looks: DecisionLooks,
  ) {}

  /**
   * Throws Refusal unmatched_transfer_not_found or unmatched_transfer_already_resolved. Throws Refusal
   * invalid_resolution without a note, or where the payment asks for other money. Throws Refusal payment_expired where
   * the transfer came too late for the payment. Throws Refusal provider_unavailable while the chain does not bear the
   * transfer out, or while a late transfer's quote has not been ended. Throws Refusal rate_limit where one
   * administrator asks the chain too often. Throws Refusal attribution_failed when the payment could not take the
   * transfer after all. The row is then resolved, and may be opened again. Also throws the refusals of the payment's
   * state.
   */
  async resolve(key: TransferKey, paymentIntent: string, note: string, context: PlatformContext<Mode>): Promise<void> {
    const { universe: mode } = context;
    const stream = transferStreamId(key);
    const command = { type: 'resolve', paymentIntent, note } as const;
    // The chain is asked once, because its budget is small: later tries must meet the sighting that it has borne out.
    let judged: TransferSeen['data'] | null = null;
    const written = await this.writes.executePlan(transfers, stream, () => ({ command, context }), context, {
      find: async ({ state, history }) => {
        if (state.status === 'none' || state.status === 'reorged_out') throw refuse('unmatched_transfer_not_found');
        // A reorganisation may have given the transfer another value since the first try.
        if (judged !== null && !isSameSighting(judged, state.seen)) throw changedSince();
        await this.refuseUnfit(mode, key, paymentIntent, state.seen, history);
        if (judged === null) await this.refuseVanished(mode, key, state.seen, context);
        judged = state.seen;
      },
      readsFirst: true,
    });
    if ((await this.credits.finish(mode, key, { written })) !== 'credited') throw refuse('attribution_failed');
  }

  /**
   * Throws Refusal unmatched_transfer_not_found, unmatched_transfer_not_resolved unless its credit failed,
   * invalid_reason.
   */
  async reopen(key: TransferKey, reason: string, context: PlatformContext<Mode>): Promise<void> {
    await this.writes.execute(transfers, transferStreamId(key), { type: 'reopen', reason }, context);
  }

  private async refuseUnfit(
    mode: Mode,
    key: TransferKey,
    paymentIntent: string,
    seen: TransferSeen['data'],
    sightings: readonly RecordedEvent<TransferEvent>[],
  ): Promise<void> {
    const { state, history } = await this.writes.load(paymentIntents, mode, paymentIntent);
    const refusal = claimRefusal(state);
    if (refusal !== null) throw refuse(refusal, { param: 'payment_intent' });
    const quote = state.status === 'none' ? null : state.quote;
    if (quote?.token_id !== seen.token_id || quote.address !== seen.to) {
      const message = 'The payment is asked for at another address, or in another token.';
      throw refuse('invalid_resolution', { param: 'payment_intent', message });
    }
    if (isToItself(seen)) throw refuse('invalid_resolution', { message: 'A transfer to itself pays nothing.' });
    const wallMs = paidAtMs(sightings, this.watched(mode, key.network));
    const merchantId = history[0]?.metadata.merchant_id ?? null;
    if (wallMs === null) return;
    const paidAt = await this.clock.merchantTimeAt(mode, merchantId, wallMs);
    if (isAfterWindow(state, paidAt)) throw lateForPayment();
    if (!isAfterQuote(state, paidAt)) return;
    const message = 'The transfer is late, and the quote of its payment has not been ended yet.';
    throw refuse('provider_unavailable', { message });
  }

  /**
   * A reorganisation may have taken the transfer since its sighting: a transfer that is not on the chain is given to
   * nobody.
   */
  private async refuseVanished(
    mode: Mode,
    { network, txHash }: TransferKey,
    { block_hash: seenIn }: TransferSeen['data'],
    { actor }: PlatformContext<Mode>,
  ): Promise<void> {
    const look = await this.looks.transaction(mode, network, txHash, actor.id);
    if (look.kind === 'found' && look.receipt.succeeded && look.receipt.blockHash === seenIn) return;
    throw refuse('provider_unavailable', { message: 'The chain does not show this transfer where it was seen.' });
  }
}

@CommandHandler(ResolveUnmatchedTransfer)
export class ResolveUnmatchedTransferHandler implements ICommandHandler<ResolveUnmatchedTransfer> {
  constructor(private readonly decisions: QueueDecisions) {}

  execute({ key, paymentIntent, note, context }: ResolveUnmatchedTransfer): Promise<void> {
    return this.decisions.resolve(key, paymentIntent, note, context);
  }
}

@CommandHandler(ReopenUnmatchedTransfer)
export class ReopenUnmatchedTransferHandler implements ICommandHandler<ReopenUnmatchedTransfer> {
  constructor(private readonly decisions: QueueDecisions) {}

  execute({ key, reason, context }: ReopenUnmatchedTransfer): Promise<void> {
    return this.decisions.reopen(key, reason, context);
  }
}
