import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import type { RecordedEvent } from '../../../kernel/event';
import { PORTS } from '../../../kernel/ports/injection';
import type { CanonicalBlocks } from '../../../kernel/ports/canonical-blocks';
import { WritePath } from '../../../kernel/write-path';
import { paymentIntents } from '../payment-intent.decider';
import type { PaymentIntent } from '../payment-intent.state';

export type ReviewDecision =
  | { readonly type: 'accept'; readonly note: string | null }
  | { readonly type: 'resolve'; readonly resolution: 'accepted' | 'rejected'; readonly note: string };

/**
 * Accepts an underpaid payment as paid, or decides the review of an underpaid or late one. Answers the payment's
 * history.
 */
export class DecideReview extends Command<readonly RecordedEvent[]> {
  constructor(
    readonly paymentIntent: string,
    readonly decision: ReviewDecision,
    readonly context: MerchantContext,
  ) {
    super();
  }
}

@CommandHandler(DecideReview)
export class DecideReviewHandler implements ICommandHandler<DecideReview> {
  constructor(
    private readonly writes: WritePath,
    @Inject(PORTS.canonicalBlocks) private readonly canonicalBlocks: CanonicalBlocks,
  ) {}

  async execute({ paymentIntent, decision, context }: DecideReview): Promise<readonly RecordedEvent[]> {
    const { history } = await this.writes.executePlan(
      paymentIntents,
      paymentIntent,
      (_, standing: readonly string[]) => ({ command: { ...decision, standing }, context }),
      context,
      { find: ({ state }) => this.standingTransfers(decision, state, context), readsFirst: true },
    );
    return history;
  }

  /**
   * Days may lie between a transfer's depth and a person's decision on it, so the chain is asked once more. Each try
   * asks anew, because a transfer may have moved into another block since the last try.
   */
  private async standingTransfers(
    decision: ReviewDecision,
    state: PaymentIntent,
    { universe: mode, merchantId }: MerchantContext,
  ): Promise<readonly string[]> {
    if (decision.type === 'resolve' && decision.resolution === 'rejected') return [];
    if (state.status !== 'underpaid' && state.status !== 'paid_late') return [];
    const standing: string[] = [];
    for (const transfer of Object.values(state.ledger.transfers).filter(({ final }) => final)) {
      const block = { number: transfer.block_number, hash: transfer.block_hash };
      if (await this.canonicalBlocks.isCanonical(mode, state.quote.network_id, block, merchantId))
        standing.push(transfer.transfer_id);
    }
    return standing;
  }
}
