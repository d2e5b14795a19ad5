import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { continuedContext, type MerchantContext } from '../../kernel/command-context';
import { randomUuid, type Entropy } from '../../kernel/entropy';
import { parseStreamName, streamName, type RecordedEvent } from '../../kernel/event';
import { invariant } from '../../kernel/invariant';
import type { EventStore, GroupMessage } from '../../kernel/ports/event-store';
import type { SecretBox } from '../../kernel/ports/secret-box';
import { ownerOf, unwritten, type WritePath } from '../../kernel/write-path';
import { refuse } from '../../vocabulary/errors';
import { commandId, isId } from '../../vocabulary/ids';
import { countingNew } from '../../modules/controls/new-payments';
import type { VelocityCounts } from '../../modules/controls/velocity-counts';
import { paymentIntents } from '../../modules/payment-intents/payment-intent.decider';
import type { PaymentIntentCreated } from '../../modules/payment-intents/payment-intent.events';
import { OpenPaymentLink, type OpenedPayment } from '../../modules/payment-links/commands/open-payment-link.command';
import { amountOfUse, paymentLinks, type PaymentLink } from '../../modules/payment-links/payment-link.decider';
import type { PaymentLinkUsed } from '../../modules/payment-links/payment-link.events';
import { assertQuotable, type FiatAmount } from '../../modules/quotes/quotable';
import type { Rates } from '../../modules/quotes/rate-book';
import { ownUse } from './own-use';

type Use = RecordedEvent<PaymentLinkUsed>;
type Asked = Pick<OpenPaymentLink, 'opening' | 'context'>;

type LinkPaymentsParts = {
  readonly writes: WritePath;
  readonly store: Pick<EventStore, 'readStream'>;
  readonly rates: Rates;
  readonly velocity: Pick<VelocityCounts, 'counting'>;
  readonly secretBox: Pick<SecretBox, 'deriveKey'>;
  readonly entropy: Entropy;
};

/**
 * Opens payments from links. A use is recorded in the link's stream first, and names its payment. So a use counts once:
 * the same command finds its own use, and the group makes the payment of a process that has died.
 */
export class LinkPayments {
  constructor(private readonly parts: LinkPaymentsParts) {}

  /** Throws the refusals of the link's state, of the amount, and of creating a payment. Nothing is recorded then. */
  async open({ opening, context }: OpenPaymentLink): Promise<OpenedPayment> {
    const { writes, secretBox } = this.parts;
    if (!isId('plink', opening.link)) throw refuse('resource_missing');
    const id = commandId('pi', context.startedAt, await secretBox.deriveKey('ids'), context.commandId);
    if (context.isFirstTry !== true) {
      const made = await writes.load(paymentIntents, context.universe, id);
      if (made.state.status !== 'none') return { id, history: made.history };
    }
    const use = await this.counting(id, { opening, context }, () => this.use(id, { opening, context }));
    return this.create(use, context);
  }

  /** Makes the payment of a use whose process has died before. Safe for any message, as often as it comes. */
  async handle({ event }: GroupMessage): Promise<void> {
    if (event.type !== 'PaymentLinkUsed') return;
    await this.create(event as Use, continuedContext(event, randomUuid(this.parts.entropy)));
  }

  private async use(paymentIntent: string, { opening, context }: Asked): Promise<Use> {
    const { link: id, amountMinorUnits, settings } = opening;
    const stream = streamName(context.universe, paymentLinks.category, id);
    const { defaultSuccessUrl } = settings;
    const command = { type: 'use', paymentIntent, amountMinorUnits, defaultSuccessUrl } as const;
    const written = await this.parts.writes.executePlan(
      paymentLinks,
      id,
      ({ state }, found: Use | null) => {
        if (found !== null) return null;
        this.assertPayable(state, { opening, context });
        return { command, context };
      },
      context,
      { find: ({ history }) => ownUse(this.parts.store, stream, history, context) },
    );
    const own = written.events.find(({ type }) => type === 'PaymentLinkUsed');
    // Only a repeated command on a busy link comes without events: its use is read once more.
    const use = own ?? (await ownUse(this.parts.store, stream, written.history, context));
    invariant(use !== null, `${stream} has no use for ${paymentIntent}`);
    return use as Use;
  }

  /**
   * The link is read first, for its amount, where the merchant has a limit. A use that is recorded counts already.
   * Another merchant's link is refused where the use is written.
   */
  private async counting(id: string, { opening, context }: Asked, use: () => Promise<Use>): Promise<Use> {
    const { writes, store, velocity, rates } = this.parts;
    const { limits } = opening.settings;
    if (limits.velocity === null) return use();
    const link = await writes.load(paymentLinks, context.universe, opening.link);
    if (ownerOf(paymentLinks, link) !== context.merchantId) return use();
    const stream = streamName(context.universe, paymentLinks.category, opening.link);
    if (context.isFirstTry !== true && (await ownUse(store, stream, link.history, context)) !== null) return use();
    const amount = this.assertPayable(link.state, { opening, context });
    return countingNew(velocity, rates, { id, amount, limits, context }, use);
  }

  /** A use must not count where no payment can be made now. */
  private assertPayable(link: PaymentLink, { opening, context }: Asked): FiatAmount {
    const amountMinorUnits = amountOfUse(link, opening.amountMinorUnits, context.now);
    const { isPaused, enabledTokens, limits } = opening.settings;
    if (isPaused) throw refuse('payments_paused');
    const amount = {
      mode: context.universe,
      currency: link?.currency ?? '',
      amountMinorUnits,
      enabledTokens,
      ceilingUsdMinorUnits: limits.ceilingUsdMinorUnits,
    };
    assertQuotable(this.parts.rates, amount);
    return amount;
  }

  private async create(use: Use, opener: MerchantContext): Promise<OpenedPayment> {
    const { link, payment_intent: id, amount_minor_units, success_url } = use.data;
    const { currency, currency_decimals, metadata, description } = link;
    const terms: PaymentIntentCreated['data'] = {
      amount_minor_units,
      currency,
      currency_decimals,
      metadata,
      description,
      success_url,
      restarted_from: null,
      payment_link: parseStreamName(use.stream).id,
      invoice: null,
    };
    const command = { type: 'create', terms } as const;
    const context = { ...opener, causationId: use.id };
    const { history } = await this.parts.writes.executePlan(
      paymentIntents,
      id,
      ({ state }) => (state.status === 'none' ? { command, context } : null),
      context,
      // A first try has just recorded the use, and the group is seldom faster.
      context.isFirstTry === true ? { known: unwritten(paymentIntents) } : {},
    );
    return { id, history };
  }
}

@CommandHandler(OpenPaymentLink)
export class OpenPaymentLinkHandler implements ICommandHandler<OpenPaymentLink> {
  constructor(private readonly payments: LinkPayments) {}

  execute(command: OpenPaymentLink): Promise<OpenedPayment> {
    return this.payments.open(command);
  }
}
