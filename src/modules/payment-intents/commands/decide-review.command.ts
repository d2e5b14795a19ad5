import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import type { RecordedEvent } from '../../../kernel/event';
import { PORTS } from '../../../kernel/ports/injection';
import type { CanonicalBlocks } from '../../../kernel/ports/canonical-blocks';
import type { Loaded } from '../../../kernel/loaded';
import { ownerOf, WritePath } from '../../../kernel/write-path';
import { paymentIntents } from '../payment-intent.decider';
import type { PaymentIntentEvent } from '../payment-intent.events';
import type { PaymentIntent } from '../payment-intent.state';

export type ReviewDecision =
  | { readonly type: 'accept'; readonly note: string | null }
  | { readonly type: 'resolve'; readonly resolution: 'accepted' | 'rejected'; readonly note: string };

/** Accepts an underpaid payment as paid, or decides one that is underpaid or paid late. Answers its history. */
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

  async execute(review: DecideReview): Promise<readonly RecordedEvent[]> {
    const { paymentIntent, decision, context } = review;
    const loaded = await this.writes.load(paymentIntents, context.universe, paymentIntent);
    const standing = await this.standingTransfers(review, loaded);
    const command = { ...decision, standing };
    const { history } = await this.writes.execute(paymentIntents, paymentIntent, command, context, loaded);
    return history;
  }

  /** Days may lie between a transfer's depth and a human's decision on it: the chain is asked once more. */
  private async standingTransfers(
    { decision, context }: DecideReview,
    loaded: Loaded<PaymentIntent, PaymentIntentEvent>,
  ): Promise<readonly string[]> {
    const { universe: mode, merchantId } = context;
    if (decision.type === 'resolve' && decision.resolution === 'rejected') return [];
    const { state } = loaded;
    const isOwn = ownerOf(paymentIntents, loaded) === merchantId;
    if (!isOwn || (state.status !== 'underpaid' && state.status !== 'paid_late')) return [];
    const standing: string[] = [];
    for (const transfer of Object.values(state.ledger.transfers).filter(({ final }) => final)) {
      const block = { number: transfer.block_number, hash: transfer.block_hash };
      if (await this.canonicalBlocks.isCanonical(mode, state.quote.network_id, block, merchantId))
        standing.push(transfer.transfer_id);
    }
    return standing;
  }
}
