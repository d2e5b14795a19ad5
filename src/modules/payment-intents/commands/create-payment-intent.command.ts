import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import type { RecordedEvent } from '../../../kernel/event';
import { commandId } from '../../../vocabulary/ids';
import { refuse } from '../../../vocabulary/errors';
import { PORTS } from '../../../kernel/ports/injection';
import type { SecretBox } from '../../../kernel/ports/secret-box';
import { unwritten, WritePath } from '../../../kernel/write-path';
import type { PaymentSettings } from '../../../vocabulary/payment-settings';
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
  readonly account: PaymentSettings;
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
    const { currency, amountMinorUnits, metadata, description, successUrl } = order;
    const { enabledTokens, limits, isPaused } = order.account;
    const { ceilingUsdMinorUnits } = limits;
    const amount = { mode: context.universe, currency, amountMinorUnits, enabledTokens, ceilingUsdMinorUnits };
    const idKey = await this.secretBox.deriveKey('ids');
    const id = commandId('pi', context.startedAt, idKey, context.commandId);
    // A payment that the command has made is answered all the same: the write path finds it before the plan.
    const plan = () => {
      if (isPaused) throw refuse('payments_paused');
      const terms = {
        amount_minor_units: amountMinorUnits.toString(),
        currency,
        currency_decimals: assertQuotable(this.rates, amount),
        metadata,
        description,
        success_url: successUrl,
        restarted_from: null,
        payment_link: null,
        invoice: null,
      };
      return { command: { type: 'create', terms } as const, context };
    };
    // The id follows from the command, so before its first try the stream cannot exist. A later try reads it before the
    // payment is counted, because a payment that was made is not counted.
    const known = context.isFirstTry
      ? unwritten(paymentIntents)
      : await this.writes.load(paymentIntents, context.universe, id);
    const make = () => this.writes.executePlan(paymentIntents, id, plan, context, { known });
    const isCounted = limits.velocity !== null && known.state.status === 'none';
    // Nothing is counted where no payment can be made.
    if (isCounted) plan();
    const counting = () => countingNew(this.velocity, this.rates, { id, amount, limits, context }, make);
    const { history } = await (isCounted ? counting() : make());
    return { id, history };
  }
}
