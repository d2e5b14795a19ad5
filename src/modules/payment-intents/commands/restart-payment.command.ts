import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AccessReader } from '../../../kernel/access-reader';
import type { MerchantContext } from '../../../kernel/command-context';
import { PORTS } from '../../../kernel/ports/injection';
import type { SecretBox } from '../../../kernel/ports/secret-box';
import { ownerOf, WritePath } from '../../../kernel/write-path';
import { refuse } from '../../../vocabulary/errors';
import { countingNew } from '../../controls/new-payments';
import { VelocityCounts } from '../../controls/velocity-counts';
import { isPaused } from '../../merchants/merchants.read-model';
import { readAccount } from '../../merchants/read-account';
import { assertQuotable } from '../../quotes/quotable';
import { RateBook } from '../../quotes/rate-book';
import { paymentIntents } from '../payment-intent.decider';
import { restartId, restartRefusal } from '../payment-intent.restart';

/**
 * Starts a payment anew that has ended without money, on the same terms. Answers the id of the new payment. A payment
 * is started anew once: the command answers the same new payment however often it is given.
 */
export class RestartPayment extends Command<string> {
  constructor(
    readonly paymentIntent: string,
    readonly context: MerchantContext,
  ) {
    super();
  }
}

@CommandHandler(RestartPayment)
export class RestartPaymentHandler implements ICommandHandler<RestartPayment> {
  constructor(
    private readonly writes: WritePath,
    private readonly access: AccessReader,
    private readonly rates: RateBook,
    @Inject(PORTS.secretBox) private readonly secretBox: SecretBox,
    @Inject(VelocityCounts) private readonly velocity: Pick<VelocityCounts, 'counting'>,
  ) {}

  /**
   * Throws Refusal forbidden_actor where the merchant's settings do not let customers start a payment anew. Also throws
   * the refusals of the payment's state, and those of creating a payment.
   */
  async execute({ paymentIntent, context }: RestartPayment): Promise<string> {
    const { universe, merchantId } = context;
    const former = await this.writes.load(paymentIntents, universe, paymentIntent);
    if (former.state.status === 'none' || ownerOf(paymentIntents, former) !== merchantId)
      throw refuse('payment_not_found');
    const id = restartId(paymentIntent, await this.secretBox.deriveKey('ids'));
    const known = await this.writes.load(paymentIntents, universe, id);
    if (known.state.status !== 'none') return id;
    const { terms } = former.state;
    const account = await readAccount(this.access, universe, merchantId);
    if (!account.settings.checkout_restart)
      throw refuse('forbidden_actor', { message: 'This merchant does not let customers start a payment anew.' });
    const refusal = restartRefusal(former.state);
    if (refusal !== null) throw refuse(refusal);
    if (isPaused(account, universe, context.now)) throw refuse('payments_paused');
    const { limits, settings } = account;
    const amount = {
      mode: universe,
      currency: terms.currency,
      amountMinorUnits: BigInt(terms.amount_minor_units),
      enabledTokens: settings.enabled_tokens,
      ceilingUsdMinorUnits: limits.ceilingUsdMinorUnits,
    };
    assertQuotable(this.rates, amount);
    const command = { type: 'create', terms: { ...terms, restarted_from: paymentIntent } } as const;
    // Two tabs may come here at once: the id is the same for both, and the append decides.
    await countingNew(this.velocity, this.rates, { id, amount, limits, context }, () =>
      this.writes.executePlan(
        paymentIntents,
        id,
        ({ state }) => (state.status === 'none' ? { command, context } : null),
        context,
        { known },
      ),
    );
    return id;
  }
}
