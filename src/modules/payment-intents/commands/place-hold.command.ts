import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { PlatformContext } from '../../../kernel/command-context';
import type { Mode } from '../../../kernel/event';
import { WritePath } from '../../../kernel/write-path';
import { executeForOwner } from './payment-owner';

/** Stops a payment from being confirmed for what compliance knows of one of its payers. */
export class PlaceHold extends Command<void> {
  constructor(
    readonly paymentIntent: string,
    readonly payer: string,
    readonly reason: string,
    /** In the payment's mode; whose payment it is, is found out. */
    readonly context: PlatformContext<Mode>,
  ) {
    super();
  }
}

@CommandHandler(PlaceHold)
export class PlaceHoldHandler implements ICommandHandler<PlaceHold> {
  constructor(private readonly writes: WritePath) {}

  async execute({ paymentIntent, payer, reason, context }: PlaceHold): Promise<void> {
    const command = { type: 'place_hold', payer, source: 'administrator', reason } as const;
    await executeForOwner(this.writes, paymentIntent, command, context);
  }
}
