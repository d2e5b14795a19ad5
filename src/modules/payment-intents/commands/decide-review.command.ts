import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MerchantContext, PlatformContext } from '../../../kernel/command-context';
import type { RecordedEvent } from '../../../kernel/event';
import { PORTS } from '../../../kernel/ports/injection';
import type { CanonicalBlocks } from '../../../kernel/ports/canonical-blocks';
import { ownerOf, WritePath } from '../../../kernel/write-path';
import type { Loaded } from '../../../kernel/loaded';
import type { Mode } from '../../../vocabulary/modes';
import { paymentIntents } from '../payment-intent.decider';
import type { PaymentIntentEvent } from '../payment-intent.events';
import type { PaymentIntent } from '../payment-intent.state';
import { takes } from '../payment-intent.transitions';

type Payment = Loaded<PaymentIntent, PaymentIntentEvent>;

export type ReviewDecision =
  | { readonly type: 'accept'; readonly note: string | null }
  | { readonly type: 'resolve'; readonly resolution: 'accepted' | 'rejected'; readonly note: string }
  /** Accepted as paid; in its review, where the status takes no other acceptance. */
  | { readonly type: 'accept_by_status'; readonly note: string };

/**
 * Accepts an underpaid payment as paid, or decides the review of an underpaid or late one. Answers the payment's
 * history.
 */
export class DecideReview extends Command<readonly RecordedEvent[]> {
  constructor(
    readonly paymentIntent: string,
    readonly decision: ReviewDecision,
    /** An administrator has no merchant: the handler finds out the payment's. */
    readonly context: MerchantContext | PlatformContext<Mode>,
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
    const { universe, commandId, merchantId } = context;
    const ownerIn = (loaded: Payment): string | null => merchantId ?? ownerOf(paymentIntents, loaded);
    const { history } = await this.writes.executePlan(
      paymentIntents,
      paymentIntent,
      (loaded, standing: readonly string[]) => ({
        command: { ...commandOf(decision, loaded.state), standing },
        context: { ...context, merchantId: ownerIn(loaded) },
      }),
      { universe, commandId, ...(merchantId !== null && { merchantId }) },
      { find: loaded => this.standingTransfers(decision, loaded.state, universe, ownerIn(loaded)), readsFirst: true },
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
    mode: Mode,
    merchantId: string | null,
  ): Promise<readonly string[]> {
    if (decision.type === 'resolve' && decision.resolution === 'rejected') return [];
    if (merchantId === null || (state.status !== 'underpaid' && state.status !== 'paid_late')) return [];
    const standing: string[] = [];
    for (const transfer of Object.values(state.ledger.transfers).filter(({ final }) => final)) {
      const block = { number: transfer.block_number, hash: transfer.block_hash };
      if (await this.canonicalBlocks.isCanonical(mode, state.quote.network_id, block, merchantId))
        standing.push(transfer.transfer_id);
    }
    return standing;
  }
}

/** A late payment is accepted in its review alone, which asks for a note. */
function commandOf(decision: ReviewDecision, { status }: PaymentIntent) {
  if (decision.type !== 'accept_by_status') return decision;
  const { note } = decision;
  const isResolvedAlone = status !== 'none' && takes(status, 'resolve_accepted') && !takes(status, 'accept');
  if (isResolvedAlone) return { type: 'resolve', resolution: 'accepted', note } as const;
  return { type: 'accept', note } as const;
}
