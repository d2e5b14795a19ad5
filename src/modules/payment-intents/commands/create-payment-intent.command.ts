import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { commandId } from '../../../kernel/ids';
import type { CommandContext } from '../../../kernel/command-context';
import { PORTS } from '../../../kernel/ports/injection';
import type { SecretBox } from '../../../kernel/ports/secret-box';
import { WritePath } from '../../../kernel/write-path';
import { invariant } from '../../../kernel/invariant';
import { paymentIntents } from '../payment-intent.decider';
import { Pricing } from '../pricing';

export type Order = {
  readonly amountMinorUnits: bigint;
  readonly currency: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly successUrl: string | null;
};

/** Answers the new payment intent's id. */
export class CreatePaymentIntent extends Command<string> {
  constructor(
    readonly order: Order,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(CreatePaymentIntent)
export class CreatePaymentIntentHandler implements ICommandHandler<CreatePaymentIntent> {
  private readonly idKey: Uint8Array;

  constructor(
    private readonly writes: WritePath,
    private readonly pricing: Pricing,
    @Inject(PORTS.secretBox) secretBox: SecretBox,
  ) {
    this.idKey = secretBox.deriveKey('ids');
  }

  async execute({ order, context }: CreatePaymentIntent): Promise<string> {
    invariant(context.universe !== 'platform', 'a payment belongs to a mode');
    const { currency, amountMinorUnits, metadata, successUrl } = order;
    const terms = {
      amount_minor_units: amountMinorUnits.toString(),
      currency,
      currency_decimals: this.pricing.currencyDecimals(context.universe, amountMinorUnits, currency),
      metadata,
      success_url: successUrl,
    };
    const id = commandId('pi', context.now, this.idKey, context.commandId);
    await this.writes.execute(paymentIntents, id, { type: 'create', terms }, context);
    return id;
  }
}
