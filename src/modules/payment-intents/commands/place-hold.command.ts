import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { PlatformContext } from '../../../kernel/command-context';
import type { Mode } from '../../../vocabulary/modes';
import { WritePath } from '../../../kernel/write-path';
import { executeForOwner } from './payment-owner';

/** Stops a payment from being confirmed because compliance has found something about one of its payers. */
export class PlaceHold extends Command<void> {
  constructor(
    readonly paymentIntent: string,
    readonly payer: string,
    readonly reason: string,
    /** A context in the payment's mode; the handler finds out the payment's merchant. */
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
