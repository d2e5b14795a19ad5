import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext } from '../../../kernel/command-context';
import { WritePath } from '../../../kernel/write-path';
import { paymentIntents } from '../payment-intent.decider';

export type ReviewDecision =
  | { readonly type: 'accept'; readonly note: string | null }
  | { readonly type: 'resolve'; readonly resolution: 'accepted' | 'rejected'; readonly note: string };

/** Accepts an underpaid payment as paid, or decides one that is underpaid or paid late. */
export class DecideReview extends Command<void> {
  constructor(
    readonly paymentIntent: string,
    readonly decision: ReviewDecision,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(DecideReview)
export class DecideReviewHandler implements ICommandHandler<DecideReview> {
  constructor(private readonly writes: WritePath) {}

  async execute({ paymentIntent, decision, context }: DecideReview): Promise<void> {
    await this.writes.execute(paymentIntents, paymentIntent, decision, context);
  }
}
