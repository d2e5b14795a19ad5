import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import type { RecordedEvent } from '../../../kernel/event';
import { commandId } from '../../../vocabulary/ids';
import { PORTS } from '../../../kernel/ports/injection';
import type { SecretBox } from '../../../kernel/ports/secret-box';
import type { TokenId } from '../../../vocabulary/tokens';
import { unwritten, WritePath } from '../../../kernel/write-path';
import { assertQuotable, DEFAULT_CEILING_USD_MINOR_UNITS } from '../../quotes/quotable';
import { RateBook } from '../../quotes/rate-book';
import { paymentIntents } from '../payment-intent.decider';

type Order = {
  readonly amountMinorUnits: bigint;
  readonly currency: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly description: string | null;
  readonly successUrl: string | null;
  /** The account's enabled tokens at the request. */
  readonly enabledTokens: readonly TokenId[];
};

type CreatedPaymentIntent = { readonly id: string; readonly history: readonly RecordedEvent[] };

export class CreatePaymentIntent extends Command<CreatedPaymentIntent> {
  constructor(
    readonly order: Order,
    readonly context: MerchantContext,
  ) {
    super();
  }
}

@CommandHandler(CreatePaymentIntent)
export class CreatePaymentIntentHandler implements ICommandHandler<CreatePaymentIntent> {
  constructor(
    private readonly writes: WritePath,
    private readonly rates: RateBook,
    @Inject(PORTS.secretBox) private readonly secretBox: SecretBox,
  ) {}

  async execute({ order, context }: CreatePaymentIntent): Promise<CreatedPaymentIntent> {
    const { currency, amountMinorUnits, metadata, description, successUrl, enabledTokens } = order;
    const currencyDecimals = assertQuotable(this.rates, {
      mode: context.universe,
      currency,
      amountMinorUnits,
      enabledTokens,
      ceilingUsdMinorUnits: DEFAULT_CEILING_USD_MINOR_UNITS,
    });
    const terms = {
      amount_minor_units: amountMinorUnits.toString(),
      currency,
      currency_decimals: currencyDecimals,
      metadata,
      description,
      success_url: successUrl,
    };
    const idKey = await this.secretBox.deriveKey('ids');
    const id = commandId('pi', context.startedAt, idKey, context.commandId);
    // The id follows from the command, so before its first try the stream cannot exist.
    const known = context.isFirstTry ? unwritten(paymentIntents) : undefined;
    const { history } = await this.writes.execute(paymentIntents, id, { type: 'create', terms }, context, known);
    return { id, history };
  }
}
