import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import { PORTS } from '../../../kernel/ports/injection';
import type { SecretBox } from '../../../kernel/ports/secret-box';
import { ownerOf, WritePath } from '../../../kernel/write-path';
import type { CustomerTerms } from '../../../vocabulary/customer-terms';
import { refuse } from '../../../vocabulary/errors';
import { countingNew } from '../../controls/new-payments';
import { VelocityCounts } from '../../controls/velocity-counts';
import { assertQuotable } from '../../quotes/quotable';
import { RateBook } from '../../quotes/rate-book';
import { paymentIntents } from '../payment-intent.decider';
import type { PaymentIntent } from '../payment-intent.state';
import { restartId, restartRefusal } from '../payment-intent.restart';

/**
 * Starts a payment anew that has ended without money, on the same terms. Answers the id of the new payment. A payment
 * is started anew once: the command answers the same new payment however often it is given.
 */
export class RestartPayment extends Command<string> {
  constructor(
    readonly paymentIntent: string,
    readonly terms: Pick<CustomerTerms, 'payments' | 'allowsRestart'>,
    readonly context: MerchantContext,
  ) {
    super();
  }
}

@CommandHandler(RestartPayment)
export class RestartPaymentHandler implements ICommandHandler<RestartPayment> {
  constructor(
    private readonly writes: WritePath,
    private readonly rates: RateBook,
    @Inject(PORTS.secretBox) private readonly secretBox: SecretBox,
    @Inject(VelocityCounts) private readonly velocity: Pick<VelocityCounts, 'counting'>,
  ) {}

  /**
   * Throws Refusal forbidden_actor where the merchant's settings do not let customers start a payment anew. Also throws
   * the refusals of the payment's state, and those of creating a payment.
   */
  async execute({ paymentIntent, terms: { payments, allowsRestart }, context }: RestartPayment): Promise<string> {
    const { universe, merchantId } = context;
    // The former payment is another stream, whose terms the new one takes.
    const former = await this.writes.load(paymentIntents, universe, paymentIntent);
    if (former.state.status === 'none' || ownerOf(paymentIntents, former) !== merchantId)
      throw refuse('payment_not_found');
    const id = restartId(paymentIntent, await this.secretBox.deriveKey('ids'));
    const { isPaused, enabledTokens, limits } = payments;
    const { terms } = former.state;
    const amount = {
      mode: universe,
      currency: terms.currency,
      amountMinorUnits: BigInt(terms.amount_minor_units),
      enabledTokens,
      ceilingUsdMinorUnits: limits.ceilingUsdMinorUnits,
    };
    const command = { type: 'create', terms: { ...terms, restarted_from: paymentIntent } } as const;
    const refusal = restartRefusal(former.state);
    // Two tabs may come here at once: the id is the same for both, and the append decides.
    const plan = ({ state }: { readonly state: PaymentIntent }) => {
      if (state.status !== 'none') return null;
      if (!allowsRestart)
        throw refuse('forbidden_actor', { message: 'This merchant does not let customers start a payment anew.' });
      if (refusal !== null) throw refuse(refusal);
      if (isPaused) throw refuse('payments_paused');
      assertQuotable(this.rates, amount);
      return { command, context };
    };
    // The count comes before the append. A payment that was made is not counted, so its stream is read first.
    const known = await this.writes.load(paymentIntents, universe, id);
    if (plan(known) === null) return id;
    await countingNew(this.velocity, this.rates, { id, amount, limits, context }, () =>
      this.writes.executePlan(paymentIntents, id, plan, context, { known }),
    );
    return id;
  }
}
