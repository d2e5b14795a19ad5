import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import { commandId } from '../../../kernel/ids';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import type { SecretBox } from '../../../kernel/ports/secret-box';
import { WritePath } from '../../../kernel/write-path';
import { merchantsReadModel } from '../../merchants/merchants.read-model';
import { assertQuotable, DEFAULT_CEILING_USD_MINOR_UNITS } from '../../quotes/quotable';
import { RateBook } from '../../quotes/rate-book';
import { paymentIntents } from '../payment-intent.decider';

export type Order = {
  readonly amountMinorUnits: bigint;
  readonly currency: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly description: string | null;
  readonly successUrl: string | null;
};

/** Answers the new payment intent's id. */
export class CreatePaymentIntent extends Command<string> {
  constructor(
    readonly order: Order,
    readonly context: MerchantContext,
  ) {
    super();
  }
}

@CommandHandler(CreatePaymentIntent)
export class CreatePaymentIntentHandler implements ICommandHandler<CreatePaymentIntent> {
  private readonly idKey: Uint8Array;

  constructor(
    private readonly writes: WritePath,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
    private readonly rates: RateBook,
    @Inject(PORTS.secretBox) secretBox: SecretBox,
  ) {
    this.idKey = secretBox.deriveKey('ids');
  }

  async execute({ order, context }: CreatePaymentIntent): Promise<string> {
    const { universe: mode, merchantId } = context;
    const merchant = await this.readModels.get(merchantsReadModel, 'platform', merchantId);
    const { currency, amountMinorUnits, metadata, description, successUrl } = order;
    const currencyDecimals = assertQuotable(this.rates, {
      mode,
      currency,
      amountMinorUnits,
      enabledTokens: merchant?.body.enabled_tokens ?? [],
      ceilingUsdMinorUnits: DEFAULT_CEILING_USD_MINOR_UNITS,
    });
    const terms = {
      amount_minor_units: amountMinorUnits.toString(),
      currency,
      currency_decimals: currencyDecimals,
      metadata,
      description,
      success_url: successUrl ?? merchant?.body.default_success_url ?? null,
    };
    const id = commandId('pi', context.startedAt, this.idKey, context.commandId);
    await this.writes.execute(paymentIntents, id, { type: 'create', terms }, context);
    return id;
  }
}
