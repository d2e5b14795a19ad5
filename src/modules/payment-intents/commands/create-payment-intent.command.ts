import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import type { RecordedEvent } from '../../../kernel/event';
import { commandId } from '../../../vocabulary/ids';
import { refuse } from '../../../vocabulary/errors';
import { PORTS } from '../../../kernel/ports/injection';
import type { SecretBox } from '../../../kernel/ports/secret-box';
import type { TokenId } from '../../../vocabulary/tokens';
import { unwritten, WritePath } from '../../../kernel/write-path';
import type { PaymentLimits } from '../../../vocabulary/payment-limits';
import { countingNew } from '../../controls/new-payments';
import { VelocityCounts } from '../../controls/velocity-counts';
import { assertQuotable } from '../../quotes/quotable';
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
  /** The account's limits at the request. */
  readonly limits: PaymentLimits;
  /** The account takes no new payments, as of the request. */
  readonly isPaused: boolean;
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
    @Inject(VelocityCounts) private readonly velocity: Pick<VelocityCounts, 'counting'>,
  ) {}

  async execute({ order, context }: CreatePaymentIntent): Promise<CreatedPaymentIntent> {
    const { currency, amountMinorUnits, metadata, description, successUrl, enabledTokens, limits } = order;
    const idKey = await this.secretBox.deriveKey('ids');
    const id = commandId('pi', context.startedAt, idKey, context.commandId);
    // The id follows from the command, so before its first try the stream cannot exist.
    const known = context.isFirstTry
      ? unwritten(paymentIntents)
      : await this.writes.load(paymentIntents, context.universe, id);
    // A payment that the command made before the pause is answered all the same.
    if (order.isPaused && known.state.status === 'none') throw refuse('payments_paused');
    const { ceilingUsdMinorUnits } = limits;
    const amount = { mode: context.universe, currency, amountMinorUnits, enabledTokens, ceilingUsdMinorUnits };
    const currencyDecimals = assertQuotable(this.rates, amount);
    const terms = {
      amount_minor_units: amountMinorUnits.toString(),
      currency,
      currency_decimals: currencyDecimals,
      metadata,
      description,
      success_url: successUrl,
      restarted_from: null,
      payment_link: null,
      invoice: null,
    };
    const make = () => this.writes.execute(paymentIntents, id, { type: 'create', terms }, context, known);
    const isMade = known.state.status !== 'none';
    const { history } = await (isMade
      ? make()
      : countingNew(this.velocity, this.rates, { id, amount, limits, context }, make));
    return { id, history };
  }
}
