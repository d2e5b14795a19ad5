import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { PlatformContext } from '../../../kernel/command-context';
import type { Mode } from '../../../vocabulary/modes';
import { WritePath } from '../../../kernel/write-path';
import type { PaymentIntentCommand } from '../payment-intent.commands';
import { executeForOwner } from './payment-owner';

export type HoldDecision = Extract<PaymentIntentCommand, { readonly type: 'release_hold' | 'reject_hold' }>;

/** Releases a held payment, or rejects it. */
export class ResolveHold extends Command<void> {
  constructor(
    readonly paymentIntent: string,
    readonly decision: HoldDecision,
    /** A context in the payment's mode; the handler finds out the payment's merchant. */
    readonly context: PlatformContext<Mode>,
  ) {
    super();
  }
}

@CommandHandler(ResolveHold)
export class ResolveHoldHandler implements ICommandHandler<ResolveHold> {
  constructor(private readonly writes: WritePath) {}

  async execute({ paymentIntent, decision, context }: ResolveHold): Promise<void> {
    await executeForOwner(this.writes, paymentIntent, decision, context);
  }
}
